"""Whole runs: what they write, how they end, and that a resumed one is the same run."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
import pytorch_lightning as pl
import torch
from hydra.errors import InstantiationException
from omegaconf import OmegaConf

from ganzoo.callbacks import Budget
from ganzoo.run import Run
from tests.conftest import SIZES, SMALL, configured

FIELDS = """
    status model faults scale data seed versions git_revision device generator_steps images_seen
    wall_s symptom metrics findings
"""


def run(folder: Path, *overrides: str) -> tuple[Run, dict]:
    """Return a finished run and the results that it wrote."""
    done = Run(configured(*overrides), folder)
    done()
    return done, json.loads((folder / "results.json").read_text())


def test_a_run_writes_what_is_promised(tmp_path):
    _, results = run(
        tmp_path,
        "model=fixed_dcgan",
        "budget.generator_steps=3",
        "keep.rows_every=1",
        "pages=true",
    )
    assert set(FIELDS.split()) <= set(results)
    assert (results["status"], results["model"], results["images_seen"]) == (
        "finished",
        "fixed_dcgan",
        24,
    )
    assert results["device"] == "cpu"
    assert results["seed"] == 0
    assert torch.__version__.startswith(results["versions"]["torch"])
    assert set(results["data"]) >= {"name", "crop", "size", "count", "fingerprint"}
    assert set(results["symptom"]) >= {"name", "present", "evidence"}
    with (tmp_path / "metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    columns = "g_loss d_loss generator_gradient critic_gradient critic_accuracy images_seen"
    assert [row["step"] for row in rows] == ["1", "2", "3"]
    assert all(float(row[column]) > 0 for row in rows for column in columns.split())
    names = sorted(p.name for p in (tmp_path / "samples").iterdir())
    assert names == [f"{kind}_{step:06d}.png" for kind in ("averaged", "raw") for step in (0, 3)]
    assert (tmp_path / "checkpoints" / "last.ckpt").exists()
    assert (tmp_path / "config.yaml").exists()
    assert "dead generator: absent" in (tmp_path / "report.html").read_text()
    assert (tmp_path / "samples.webp").exists()
    assert (tmp_path / "figures" / "losses.png").exists()


def test_a_page_that_fails_costs_no_result(tmp_path, monkeypatch, caplog):
    def broken(*_, **__):
        raise RuntimeError("no ink")

    monkeypatch.setattr("ganzoo.report.write_report", broken)
    small = ("model=fixed_mlp_gan", "evaluation=none", "budget.generator_steps=1")
    _, results = run(tmp_path, *small, "pages=true")
    assert results["status"] == "finished"
    assert "no report.html" in caplog.text
    caplog.clear()
    run(tmp_path / "none", *small)
    assert caplog.text == ""


def test_a_cell_among_many_has_its_page_alone(tmp_path):
    run(
        tmp_path,
        "model=fixed_mlp_gan",
        "evaluation=none",
        "budget.generator_steps=2",
        "flip=none",
        "pages=true",
    )
    assert (tmp_path / "report.html").exists()
    assert not (tmp_path / "figures").exists()
    assert not (tmp_path / "samples.webp").exists()


def test_the_posted_run_names_its_symptom(tmp_path):
    _, results = run(tmp_path, "model=buggy_dcgan", "budget.generator_steps=3")
    symptom = results["symptom"]
    assert symptom["present"]
    zeros = ("generator_gradient_largest", "generator_change", "critic_change")
    assert [symptom["evidence"][name] for name in zeros] == [0, 0, 0]


def test_the_advised_run_judges_the_answer(tmp_path):
    _, results = run(tmp_path, "model=advised_dcgan", "budget.generator_steps=2")
    verdicts = {claim["id"]: claim["verdict"] for claim in results["claims"]}
    assert verdicts["binding_zeroes_the_gradient"] == "false"
    assert verdicts["advised_views_run"] == "false"
    assert len(verdicts) == 12


def test_a_crash_is_a_result(tmp_path):
    _, results = run(tmp_path, "model=fixed_dcgan", "model.faults.lightning_1_api=true")
    assert results["status"] == "crashed"
    assert results["error"].startswith(
        "RuntimeError: Training with multiple optimizers is only supp"
    )


def test_scores_are_of_the_untrained_the_raw_and_the_averaged_generator(tmp_path):
    config = configured("model=fixed_dcgan", "budget.generator_steps=1")
    config.evaluation = {"extractor": "lite0", "weights": None, "n": 6}
    results = Run(config, tmp_path)()
    names = [row["name"] for row in results["metrics"]]
    assert [n for n in names if "fd6_lite0/" in n] == [
        f"fd6_lite0/{label}" for label in ("untrained", "raw", "averaged")
    ]
    promised = {"name", "value", "interval", "n", "protocol", "fingerprint"}
    assert all(set(row) >= promised for row in results["metrics"])
    assert {row["n"] for row in results["metrics"]} == {6}


class Interrupting(pl.Callback):
    def on_train_batch_start(self, trainer, pl_module, batch, batch_idx):
        if pl_module.generator_steps == 2:
            os.kill(os.getpid(), signal.SIGINT)


def test_control_c_ends_with_what_there_is(tmp_path):
    def handler(number, frame):
        raise AssertionError("the run left its signal unhandled")

    before = signal.signal(signal.SIGINT, handler)
    made = Run(configured("model=fixed_dcgan", "budget.generator_steps=50"), tmp_path)
    made.trainer.callbacks.append(Interrupting())
    results = made()
    assert (results["status"], results["generator_steps"]) == ("interrupted", 3)
    assert results["symptom"]["present"] is False
    assert signal.signal(signal.SIGINT, before) is handler


def test_a_loss_that_is_no_number_stops_the_run(tmp_path):
    made = Run(configured("model=fixed_dcgan", "budget.generator_steps=50"), tmp_path)
    made.monitor.check_every = 2
    with torch.no_grad():
        next(made.program.critic.parameters()).fill_(float("nan"))
    results = made()
    assert results["seen"]["not_finite_at"] == 2
    assert results["generator_steps"] == 2


def states(program):
    return [t for t in program.state_dict().values() if isinstance(t, torch.Tensor)]


def test_a_resumed_run_is_the_run_bit_for_bit(tmp_path):
    steps = ["model=fixed_dcgan", "budget.generator_steps=11", "keep.rows_every=1"]
    steps += ["keep.state_every=2", "model.batch_size=4", "model.penalty_interval=3"]
    whole, results = run(tmp_path / "whole", *steps)
    first = Run(configured(*steps, "model.anneal_steps=11"), tmp_path / "parts")
    first.budget.generator_steps = 5  # the process ends here
    first()
    folder = tmp_path / "parts"
    (folder / "checkpoints" / "last.ckpt").unlink()  # as if killed after step 4 was kept
    assert (folder / "checkpoints" / "previous.ckpt").exists()
    second, resumed = run(folder, *steps, f"resume='{folder}'")
    assert resumed["generator_steps"] == 11
    assert resumed["images_seen"] == results["images_seen"]
    for one, other in zip(states(whole.program), states(second.program), strict=True):
        assert torch.equal(one, other)
    assert resumed["seen"]["generator"] == results["seen"]["generator"]
    files = [(tmp_path / part / "metrics.csv").read_text() for part in ("whole", "parts")]
    assert files[0] == files[1]
    kept = [kept_state(tmp_path / part)["optimizer_states"] for part in ("whole", "parts")]
    assert kept[0][0]["state"][0]["exp_avg_sq"].any()
    assert repr(kept[0]) == repr(kept[1])
    for one, other in zip(*(tensors(states) for states in kept), strict=True):
        assert torch.equal(one, other)


def kept_state(folder: Path) -> dict:
    return torch.load(folder / "checkpoints" / "last.ckpt", weights_only=True)


def tensors(states: Iterable[dict]) -> list[torch.Tensor]:
    """Return every tensor of some optimiser states."""
    return [t for state in states for one in state["state"].values() for t in one.values()]


def test_a_run_that_was_at_its_end_is_not_trained_further(tmp_path):
    steps = ["model=fixed_dcgan", "budget.generator_steps=2", "model.batch_size=4"]
    first, _ = run(tmp_path, *steps)
    (tmp_path / "results.json").unlink()  # killed while it was evaluated
    second, results = run(tmp_path, *steps, f"resume='{tmp_path}'")
    assert (results["status"], results["generator_steps"]) == ("finished", 2)
    assert results["symptom"] is not None
    for one, other in zip(states(first.program), states(second.program), strict=True):
        assert torch.equal(one, other)


def test_watching_and_drawing_do_not_change_the_training(tmp_path):
    often = ["model=fixed_dcgan", "budget.generator_steps=2"]
    one, _ = run(tmp_path / "one", *often, "keep.grid_every=1", "keep.state_every=1")
    other, _ = run(tmp_path / "other", *often, "logger=none")
    for a, b in zip(states(one.program), states(other.program), strict=True):
        assert torch.equal(a, b)


def test_evaluation_alone_takes_the_weights_of_a_checkpoint(tmp_path):
    trained, _ = run(tmp_path / "run", "model=fixed_dcgan", "budget.generator_steps=2")
    file = tmp_path / "run" / "checkpoints" / "last.ckpt"
    alone = ["model=fixed_dcgan", "train=false", f"checkpoint='{file}'"]
    loaded, results = run(tmp_path / "alone", *alone)
    assert results["symptom"] is None
    assert results["generator_steps"] == 2
    for one, other in zip(states(trained.program), states(loaded.program), strict=True):
        assert torch.equal(one, other)
    with pytest.raises(ValueError, match="is not of fixed_dcgan"):
        Run(configured(*alone, "model.critic_channels=5"), tmp_path / "x")
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        Run(configured("model=fixed_dcgan", "checkpoint=nothing.ckpt"), tmp_path / "x")


@pytest.mark.parametrize(
    ("override", "text"),
    [
        ("+trainer.typo=1", "unexpected keyword argument 'typo'"),
        ("trainer.accelerator=typo", "typo"),
        ("model.batch_size=65", "64 images cannot fill a batch of 65"),
        ("model.learning_rate=fast", "learning_rate takes a number like 0.001, not 'fast'"),
        ("model.faults.raw_pixels=3", "fault 'raw_pixels' takes true or false, not 3"),
        ("keep.grid_every=0", "keep.grid_every takes a whole number from 1 on, not 0"),
        ("keep.state_every=often", "keep.state_every takes a whole number from 1 on, not 'often'"),
        ("seed=abc", "seed takes a whole number from 0 on, not 'abc'"),
        ("budget.generator_steps=null", "no budget: give budget.generator_steps, "),
        ("data.cont=3", "no setting of data faces 'cont'. Did you mean 'count'?"),
    ],
)
def test_a_mistake_shows_before_any_work(tmp_path, override, text):
    config = configured("model=fixed_dcgan")
    key, _, value = override.partition("=")
    OmegaConf.update(config, key.lstrip("+"), OmegaConf.create(f"x: {value}").x, force_add=True)
    with pytest.raises((ValueError, InstantiationException)) as caught:
        Run(config, tmp_path / "run")
    assert text in str(caught.value.__cause__ or caught.value)
    assert not (tmp_path / "run").exists()


def test_too_few_images_to_measure_show_before_any_work(tmp_path):
    config = configured("model=fixed_dcgan")
    config.evaluation.extractor = "lite0"
    for n, text in ((1, "evaluation.n takes a whole number from 2 on"), (65, "has 64 images")):
        config.evaluation.n = n
        with pytest.raises(ValueError, match=text):
            Run(config, tmp_path)


def test_a_killed_write_leaves_the_whole_configuration(tmp_path, monkeypatch):
    config = configured("model=fixed_dcgan", "train=false")
    Run(config, tmp_path)()
    before = (tmp_path / "config.yaml").read_text()
    assert OmegaConf.create(before).model.name == "fixed_dcgan"

    def killed(config, f, resolve):
        Path(f).write_text("mod")
        raise KeyboardInterrupt

    monkeypatch.setattr(OmegaConf, "save", killed)
    with pytest.raises(KeyboardInterrupt):
        Run(config, tmp_path)()
    assert (tmp_path / "config.yaml").read_text() == before


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        ({}, "no budget: give budget.generator_steps"),
        ({"generator_steps": "many"}, "budget.generator_steps takes a number of at least 0"),
        ({"minutes": -1}, "budget.minutes takes a number"),
    ],
)
def test_a_budget_must_be_one(limits, text):
    with pytest.raises(ValueError, match=text):
        Budget(**limits)


def test_images_are_a_budget_too(tmp_path):
    _, results = run(
        tmp_path, "model=fixed_dcgan", "budget.generator_steps=null", "budget.images=65"
    )
    assert results["images_seen"] == 72  # whole batches of 8


@pytest.mark.slow
@pytest.mark.parametrize("trial", [1, 2])
def test_a_killed_run_goes_on_as_if_nothing_had_been(tmp_path, trial):
    wait_s = random.uniform(0, 1.5)  # noqa: S311
    steps = ["model=fixed_dcgan", "model.batch_size=4", "budget.generator_steps=150"]
    steps += ["keep.state_every=4", "keep.rows_every=1"]
    command = [
        sys.executable,
        "-m",
        "ganzoo",
        *SMALL,
        *SIZES["dcgan"],
        *steps,
        f"runs={tmp_path / 'runs'}",
    ]
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, env=one_thread, **quiet)
    for _ in range(600):
        if list(tmp_path.glob("runs/*/*/checkpoints/last.ckpt")):
            break
        time.sleep(0.1)
    time.sleep(wait_s)
    assert process.poll() is None, "too late to kill it"
    process.kill()
    process.wait()
    again = [*command, "resume=true"]
    done = subprocess.run(again, env=one_thread, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (file,) = tmp_path.glob("runs/*/*/results.json")
    results = json.loads(file.read_text())
    assert (results["status"], results["generator_steps"]) == ("finished", 150)
    run(tmp_path / "whole", *steps)
    rows = [(folder / "metrics.csv").read_text() for folder in (tmp_path / "whole", file.parent)]
    assert rows[0] == rows[1], f"killed {wait_s:.2f} s after the first checkpoint"
    weights = [kept_state(folder)["state_dict"] for folder in (tmp_path / "whole", file.parent)]
    assert all(torch.equal(tensor, weights[1][name]) for name, tensor in weights[0].items())


def test_a_run_of_another_program_is_not_resumed_and_stays_as_it_was(tmp_path):
    _, before = run(tmp_path, "model=fixed_dcgan", "budget.generator_steps=2")
    config = (tmp_path / "config.yaml").read_bytes()
    other = configured("model=fixed_dcgan", "model.critic_channels=5", f"resume='{tmp_path}'")
    with pytest.raises(ValueError, match="is not of fixed_dcgan"):
        Run(other, tmp_path)
    assert (tmp_path / "config.yaml").read_bytes() == config
    assert json.loads((tmp_path / "results.json").read_text()) == before
