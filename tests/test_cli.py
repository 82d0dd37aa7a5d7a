"""The command line: every misspelling ends in one line."""

import subprocess
import sys

import hydra
import pytest

from ganzoo import cli
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
        ["-m", "model=buggy_dcgan,fixed_dcgan", "hydra/launcher=basic"],
        ["experiment=side_by_side_dcgan"],
        ["model=fixed_dcgan", "data=folder", "data.root=/some/where"],
        ["model=fixed_dcgan", "++trainer.limit_train_batches=3"],
        ["-m", "model=glob(*)", "seed=range(0,2)"],
        ["-m", "model='buggy_dcgan','fixed_dcgan'", "model.critic_channels=4"],
        ["-m", "model=fixed_dcgan", "data=celeba", "data.root=/one,/other"],
        ["experiment=side_by_side_dcgan", "seed=1,2"],
        ["--cfg", "job", "model=fixed_dcgan"],
        ["claims=all"],
        ["claims='dcgan,wgan'", "docs_dir=/some/where"],
        ["experiment=article_batch"],
    ],
)
def test_right_arguments_pass_as_they_are(arguments):
    assert checked_arguments(arguments, conf_dir()) == arguments


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "name a model: python -m ganzoo model=NAME, one of buggy_dcgan, "),
        (["seed=3"], "name a model"),
        (["faults=lists"], "Did you mean 'list'"),
        (["evaluate=statistics", "real=a"], "give file=FILE.safetensors"),
        (["evaluate=folder", "real=a", "fake=b"], "no evaluate 'folder'. Did you mean 'folders'"),
        (["evaluate=folders", "real=a"], "evaluate=folders compares two folders: give fake=DIR"),
        (["claims=dcgn"], "no family 'dcgn'. Did you mean 'dcgan'"),
        (["claim=all"], "no key 'claim' at the top. Did you mean 'claims'"),
        (["experiment=critic_win"], "no experiment 'critic_win'. Did you mean 'critic_wins'"),
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
        (["modle=fixed_dcgan"], "no key 'modle' at the top. Did you mean 'model'"),
        (["model=fixed_dcgan", "topolgy=radford"], "Did you mean 'topology'"),
        (["model="], "no model ''. There are: "),
        (["model=fixed_dcgan", "scale=null"], "no scale 'None'. There are: posted, quick"),
        (["model=fixed_dcgan", "=3"], "no key '' at the top."),
        (["model=fixed_dcgan", "seed=[1"], "cannot read 'model=fixed_dcgan seed=[1'"),
        (["model=fixed_dcgan", "++model.faults.typo=true"], "no key 'typo' in model.faults."),
        (["model=fixed_dcgan", "model.faults=[raw_pixels]"], "override model.faults=[raw_pixels]"),
        (["model=fixed_dcgan", "model.faults={typo:true}"], "Could not override 'model.faults'"),
        (["model=fixed_dcgan", "~sead"], "no key 'sead' at the top. Did you mean 'seed'"),
        (["model=fixed_dcgan", "~model.faults.typo"], "no key 'typo' in model.faults."),
        (["model=fixed_dcgan", "~seed"], "seed cannot be left out, only set"),
        (["model=fixed_dcgan", "~logger"], "logger cannot be left out, only chosen from: csv, "),
        (["+model=fixed_dcgan"], "model is chosen by model=fixed_dcgan, not by +model=fixed_dcgan"),
        (["model=buggy_dcgan,fixed_dcgan"], "names several values: add -m for a run of each"),
        (["model=fixed_dcgan", "seed=1,2"], "seed=1,2 names several values: add -m"),
        (["-m", "model=glob(x*)"], "no model 'glob(x*)'. There are: "),
        (["model=fixed_dcgan", "data=celeba"], "data.root has no value: give data.root=..."),
        (["model=fixed_dcgan", "hydra.foo=1"], "Could not override 'hydra.foo'"),
        (["-c", "job", "model=fixd_dcgan"], "no model 'fixd_dcgan'"),
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
    report = "print('torch:', 'torch' in sys.modules, file=sys.stderr)"
    code = (
        f"import atexit, sys; atexit.register(lambda: {report}); import ganzoo.cli as c; c.main()"
    )
    command = [sys.executable, "-c", code, "model=typo", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0
    for text in ("model=buggy_dcgan", "data: arrays, celeba, cifar10, digits, ", "results.json"):
        assert text in done.stdout
    assert done.stderr.splitlines() == ["torch: False"]


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


def test_control_c_outside_training_is_one_line(monkeypatch, capsys):
    def pressed(**_):
        def evaluate(job):
            def run():
                raise KeyboardInterrupt

            return run

        return evaluate

    monkeypatch.setattr(hydra, "main", pressed)
    monkeypatch.setattr(sys, "argv", ["ganzoo", "model=fixed_dcgan"])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 130
    assert capsys.readouterr().err == "ganzoo: stopped by Ctrl-C\n"


def test_the_whole_error_is_shown_on_request(monkeypatch):
    monkeypatch.setenv("HYDRA_FULL_ERROR", "1")
    with pytest.raises(ValueError, match="why"):
        cli.fail(ValueError("why"))


@pytest.mark.slow
def test_of_several_runs_a_crash_does_not_stop_the_next(tmp_path):
    small = "model.generator_channels=4 model.critic_channels=4 data.count=64 evaluation=none"
    crashed = ["-m", "model=fixed_dcgan,buggy_dcgan", "model.faults.lightning_1_api=true"]
    done = ganzoo(*crashed, *small.split(), "budget.generator_steps=1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("CRASHED RuntimeError: Training with multiple optimizers") == 2
    assert len(list(tmp_path.glob("runs/sweeps/*/*/results.json"))) == 2


@pytest.mark.slow
def test_claims_are_judged_without_a_model(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "ganzoo", "claims=dcgan", "docs_dir=pages"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "14 claims: 5 false, 5 partly, 4 true; written to pages/claims.md" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


def test_a_failed_experiment_ends_with_1(tmp_path, monkeypatch, capsys):
    from omegaconf import OmegaConf

    from ganzoo import ledger
    from ganzoo.claims import Claim

    broken = {"broken": Claim("broken", "post", "It works.", lambda: 1 / 0)}  # type: ignore[arg-type,return-value]
    monkeypatch.setattr(ledger, "claims", lambda _family: broken)
    with pytest.raises(SystemExit) as ended:
        cli.check_claims(OmegaConf.create({"claims": "dcgan", "docs_dir": str(tmp_path)}))
    assert ended.value.code == 1
    assert "these experiments failed: broken" in capsys.readouterr().err
