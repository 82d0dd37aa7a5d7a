"""Runs of the families with a reversal, and what does not fit together."""

import json
from itertools import pairwise

import pytest
import torch
from hydra import compose, initialize_config_dir

from ganzoo.conf_dir import conf_dir
from ganzoo.run import Run
from tests.conftest import configured


def run(tmp_path, *overrides):
    Run(configured(*overrides), tmp_path / "run")()
    return json.loads((tmp_path / "run" / "results.json").read_text())


def test_an_adaptation_is_judged_beside_its_control(tmp_path):
    results = run(tmp_path, "model=fixed_adapt", "evaluation=domains", "budget.generator_steps=2")
    names = [score["name"] for score in results["metrics"]]
    assert {"target_accuracy/adapted", "target_accuracy/source_only"} <= set(names)
    assert results["data"]["name"] == "digits_inverted"
    assert results["symptom"]["name"] == "diverging_loss"
    assert not list((tmp_path / "run").glob("samples/*"))


def test_an_image_game_draws_and_reports_its_trace(tmp_path):
    results = run(tmp_path, "model=buggy_wgan", "budget.generator_steps=3")
    assert len(results["symptom"]["evidence"]["first_losses"]) == 3
    assert list((tmp_path / "run").glob("samples/raw_*.png"))
    rows = (tmp_path / "run" / "metrics.csv").read_text().splitlines()
    assert {"wasserstein", "coefficient"} <= set(rows[0].split(","))


def test_the_tiny_set_up_shows_the_posted_signs(tmp_path):
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        config = compose("config", overrides=["experiment=tiny_wgan", "trainer=cpu"])
    Run(config, tmp_path / "run")()
    losses = json.loads((tmp_path / "run" / "results.json").read_text())
    losses = losses["symptom"]["evidence"]["first_losses"]
    assert [loss > 0 for loss in losses] == [False, True, False, False, False]
    assert all(abs(b) > abs(a) for a, b in pairwise(losses))


@pytest.mark.parametrize(
    ("overrides", "text"),
    [
        (
            ["model=fixed_adapt", "data=faces"],
            "fixed_adapt reads a pair of domains, and data=faces",
        ),
        (
            ["model=fixed_wgan", "data=digits_inverted"],
            "fixed_wgan reads one set of images, and data=digits_inverted is a pair",
        ),
        (
            ["model=fixed_wgan", "evaluation=domains"],
            "fixed_wgan is judged by evaluation=lite0, digits or inception",
        ),
        (
            ["model=fixed_adapt", "evaluation=lite0"],
            "fixed_adapt is judged by evaluation=domains",
        ),
    ],
)
def test_what_does_not_fit_together_is_named(tmp_path, overrides, text):
    with pytest.raises(ValueError, match=text):
        Run(configured(*overrides), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_crash_fault_ends_with_its_error_and_a_verdict(tmp_path):
    config = configured("model=fixed_wgan", "model.faults.numpy_float=true")
    results = Run(config, tmp_path / "run")()
    assert results["status"] == "crashed"
    assert results["error"].startswith("AttributeError: module 'numpy' has no attribute 'float'")


@pytest.mark.parametrize("model", ["fixed_wgan", "fixed_adapt", "buggy_wgan"])
def test_half_precision_trains(tmp_path, model):
    config = configured(f"model={model}", "trainer.precision=bf16-mixed")
    config.budget.generator_steps = 2
    results = Run(config, tmp_path / "run")()
    assert (results["status"], results["error"]) == ("finished", None)


def test_a_row_is_written_once_a_step_whatever_the_critic_does(tmp_path):
    config = configured("model=fixed_wgan", "keep.rows_every=1")
    config.budget.generator_steps = 3
    Run(config, tmp_path / "run")()
    rows = (tmp_path / "run" / "metrics.csv").read_text().splitlines()
    steps = [row.split(",")[rows[0].split(",").index("step")] for row in rows[1:]]
    assert steps == ["0", "1", "2", "3"]


@pytest.mark.parametrize("model", ["fixed_wgan", "fixed_adapt"])
def test_a_run_stopped_between_two_generator_steps_goes_on_bit_for_bit(tmp_path, model):
    def ran(folder, images, *overrides):
        config = configured(f"model={model}", "keep.rows_every=1", *overrides)
        config.budget.generator_steps, config.budget.images = 4, images
        run = Run(config, tmp_path / folder)
        results = run()
        weights = torch.load(tmp_path / folder / "checkpoints" / "last.ckpt")["state_dict"]
        rows = (tmp_path / folder / "metrics.csv").read_text()
        return results["symptom"]["evidence"]["first_losses"], weights, rows

    losses, weights, rows = ran("whole", None)
    stopped, _, _ = ran("stopped", 5 * 64)  # five batches: in the middle of the second step
    assert len(stopped) == 5
    resumed, resumed_weights, resumed_rows = ran("stopped", None, "resume=true")
    assert resumed == losses
    assert all(torch.equal(weights[name], resumed_weights[name]) for name in weights)
    assert resumed_rows.splitlines()[-2:] == rows.splitlines()[-2:]
