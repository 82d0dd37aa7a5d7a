"""The command line: every misspelling ends in one line."""

import subprocess
import sys

import pytest

from ganzoo.conf_dir import conf_dir
from ganzoo.overrides import checked_arguments


@pytest.mark.parametrize(
    "arguments",
    [
        ["model=fixed_dcgan"],
        ["model=fixed_dcgan", "model.faults.rounded_fakes=true", "seed=3"],
        ["-m", "model=buggy_dcgan,fixed_dcgan", "seed=1,2"],
        ["model=fixed_dcgan", "+trainer.limit_train_batches=3"],
        ["model=fixed_dcgan", "topology=radford", "budget.minutes=1.5"],
        ["model=fixed_dcgan", "~model.faults.raw_pixels"],
        ["model=buggy_dcgan", "hydra.verbose=true"],
        ["experiment=side_by_side_dcgan"],
        ["model=fixed_dcgan", "data=folder", "data.root=/some/where"],
    ],
)
def test_right_arguments_pass_as_they_are(arguments):
    assert checked_arguments(arguments, conf_dir()) == arguments


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "name a model: python -m ganzoo model=NAME, one of buggy_dcgan, "),
        (["seed=3"], "name a model"),
        (["model=bugy_dcgan"], "no model 'bugy_dcgan'. Did you mean 'buggy_dcgan'"),
        (["-m", "model=buggy_dcgan,fixd_dcgan"], "no model 'fixd_dcgan'"),
        (["model=fixed_dcgan", "data=face"], "no data 'face'. Did you mean 'faces'"),
        (["model=fixed_dcgan", "sead=3"], "no key 'sead' at the top. Did you mean 'seed'"),
        (["model=fixed_dcgan", "+sead=3"], "no key 'sead' at the top. Did you mean 'seed'"),
        (
            ["model=fixed_dcgan", "model.faults.rounded_fake=true"],
            "no key 'rounded_fake' in model.faults. Did you mean 'rounded_fakes'",
        ),
        (["model=fixed_dcgan", "+model.faults.typo=true"], "no key 'typo' in model.faults."),
        (["model=fixed_dcgan", "trainer.device=2"], "in trainer. Did you mean 'devices'"),
        (["model=fixed_dcgan", "seed.x=2"], "seed is a single value: it has no 'x'"),
        (["model=fixed_dcgan", "seed"], "cannot read 'model=fixed_dcgan seed'"),
        (["model=fixed_dcgan", "experiment=side_by_side"], "no experiment 'side_by_side'"),
    ],
)
def test_wrong_arguments_are_named(arguments, text):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        checked_arguments(arguments, conf_dir())
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def ganzoo(*arguments, cwd=None):
    command = [sys.executable, "-m", "ganzoo", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def test_help_names_the_groups_and_needs_no_torch(tmp_path):
    done = ganzoo("--help", cwd=tmp_path)
    assert done.returncode == 0
    for text in ("model=buggy_dcgan", "data: celeba, faces, folder", "results.json"):
        assert text in done.stdout
    code = "import sys, ganzoo, ganzoo.cli; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_typo_is_one_line_on_stderr_and_leaves_nothing(tmp_path):
    done = ganzoo("model=fixed_dcgan", "data.cont=3", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("ganzoo: no key 'cont' in data. Did you mean 'count'?")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_one_line_and_leaves_no_run(tmp_path):
    done = ganzoo("model=fixed_dcgan", "data=folder", "data.root=nowhere", cwd=tmp_path)
    assert done.returncode == 2
    assert "nowhere" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("runs/*/*"))
