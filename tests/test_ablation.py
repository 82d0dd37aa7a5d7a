"""Sweeps over faults: what is listed, what is run again, what a table says."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from omegaconf import OmegaConf

import ganzoo
from ganzoo import ablation, cells
from ganzoo.build import FAMILIES
from ganzoo.conf_dir import conf_dir
from ganzoo.results import write_json
from tests.conftest import configured


@pytest.mark.parametrize("family", FAMILIES)
def test_experiments_list_every_fault(family):
    catalogue = ganzoo.faults(family)
    posted = [i for i, f in catalogue.items() if f.origin == "post" and f.kind == "silent"]
    for kind, variant, ids in (
        ("add_one", "fixed", list(catalogue)),
        ("leave_one_out", "buggy", posted),
    ):
        path = conf_dir() / "experiment" / f"{kind}_{family}.yaml"
        experiment = OmegaConf.load(path)
        parameters = experiment.hydra.sweeper.params
        assert parameters.flip.split(",") == ["none", *ids]
        assert len(str(parameters.seed).split(",")) >= 5
        assert {"override /model": f"{variant}_{family}"} in experiment.defaults


@pytest.mark.parametrize(("model", "before"), [("fixed_dcgan", False), ("buggy_dcgan", True)])
def test_a_fault_is_switched_over(model, before):
    config = configured(f"model={model}", "flip=rounded_fakes")
    assert config.model.faults.rounded_fakes is before
    changed = cells.flipped(config)
    assert changed.model.faults.rounded_fakes is not before
    assert config.model.faults.rounded_fakes is before  # the one that was given stays
    others = {k: v for k, v in changed.model.faults.items() if k != "rounded_fakes"}
    assert others == {k: v for k, v in config.model.faults.items() if k != "rounded_fakes"}
    for none in ("null", "none"):
        same = configured(f"model={model}", f"flip={none}")
        assert cells.flipped(same) == same


def test_a_misspelt_fault_is_told():
    config = configured("model=fixed_dcgan", "flip=rounded_fake")
    with pytest.raises(ValueError, match="Did you mean 'rounded_fakes'"):
        cells.flipped(config)


SWEEP = (
    "experiment=add_one_mlp_gan",
    "flip=none,label_shape,detached_generator_step",
    "seed=0,1",
    "budget.generator_steps=20",
    "evaluation.n=40",
)


def sweep(folder: Path, *extra: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "ganzoo", *SWEEP, f"runs={folder}", *extra]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def table(folder: Path) -> dict:
    return json.loads((folder / "add_one_mlp_gan" / "ablation.json").read_text())


@pytest.mark.slow
def test_a_sweep_that_is_killed_goes_on_and_its_table_is_the_same(tmp_path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    done = sweep(whole)
    assert done.returncode == 0, done.stderr
    command = [sys.executable, "-m", "ganzoo", *SWEEP, f"runs={broken}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cells_of = broken / "add_one_mlp_gan"
    deadline = time.monotonic() + 120
    while len(list(cells_of.rglob("results.json"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    finished = {p: p.stat().st_mtime_ns for p in cells_of.rglob("results.json")}
    assert 3 <= len(finished) < 6
    again = sweep(broken)
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("this code ran it before") == len(finished)
    assert all(path.stat().st_mtime_ns == moment for path, moment in finished.items())
    assert table(broken) == table(whole)
    rows = table(whole)["rows"]
    assert list(rows) == ["none", "detached_generator_step", "label_shape"]
    assert rows["detached_generator_step"]["trains"] == [False, False]
    assert rows["detached_generator_step"]["generator_change"] == [0, 0]
    assert rows["label_shape"]["errors"][0].startswith("ValueError: Target size")
    assert "| `label_shape` |" in (cells_of / "ablation.md").read_text()


@pytest.mark.slow
def test_a_cell_of_other_settings_is_run_again(tmp_path):
    one = ("flip=none", "seed=0")
    assert sweep(tmp_path, *one).returncode == 0
    other = sweep(tmp_path, *one, "model.width=32")
    assert "this code ran it before" not in other.stdout
    assert other.returncode == 0


@pytest.mark.slow
def test_a_cell_that_cannot_begin_is_shown_and_does_not_stop_the_rest(tmp_path):
    done = sweep(tmp_path, "flip=none,nonsense,double_reversal", "seed=0")
    assert done.returncode == 0, done.stderr
    rows = table(tmp_path)["rows"]
    assert "no fault of fixed_mlp_gan 'nonsense'" in rows["nonsense"]["errors"][0]
    assert rows["nonsense"]["trains"] == [False]
    assert rows["none"]["errors"] == []


def test_code_that_changed_runs_a_cell_again(tmp_path, monkeypatch):
    config = configured("model=fixed_mlp_gan", "data=digits")
    OmegaConf.save(config, tmp_path / "config.yaml", resolve=True)
    write_json(tmp_path / "results.json", {"status": "finished", "code": "a"})
    monkeypatch.setattr(cells, "code_fingerprint", lambda: "a")
    assert cells.ran_before(tmp_path, config)
    assert not cells.ran_before(tmp_path, configured("model=fixed_mlp_gan", "seed=3"))
    monkeypatch.setattr(cells, "code_fingerprint", lambda: "b")
    assert not cells.ran_before(tmp_path, config)
    monkeypatch.setattr(cells, "code_fingerprint", lambda: "a")
    write_json(tmp_path / "results.json", {"status": "interrupted", "code": "a"})
    assert not cells.ran_before(tmp_path, config)


def test_what_an_unfinished_cell_left_is_taken_away_and_nothing_else(tmp_path):
    for name in ("metrics.csv", "config.yaml", "checkpoints/last.ckpt", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    cells.cleared(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def cell(folder: Path, flip: str, seed: int, distance: float, **more) -> None:
    place = folder / flip / f"seed{seed}"
    place.mkdir(parents=True)
    config = {"flip": flip, "budget": {"generator_steps": 5}}
    OmegaConf.save(OmegaConf.create(config), place / "config.yaml")
    networks = {
        role: {"largest_norm": 2.0, "change": more.get("change", 0.1)}
        for role in ("generator", "critic")
    }
    scores = [
        {"name": f"fd9_x/{label}", "protocol": "fd9_x", "value": value, "interval": [value, value]}
        for label, value in (("untrained", 8.0), ("raw", distance))
    ]
    results = {
        "model": "fixed_x",
        "seed": seed,
        "error": more.get("error"),
        "symptom": {"present": more.get("present", False), "name": "x", "sentence": "It is."},
        "seen": networks
        | {"loss_bounds": {"g_loss": [0.0, 1.0]}, "sign_flips": {"d_loss": 3}}
        | {"evidence": {"layer_cosines": more.get("cosines")}},
        "metrics": scores,
    }
    write_json(place / "results.json", results)


def test_a_table_pairs_the_seeds(tmp_path):
    for seed, factor in enumerate((1.0, 1.5, 2.5)):
        cell(tmp_path, "none", seed, 2.0 * factor)
        cell(tmp_path, "bad", seed, 4.0 * factor * (1.01 if seed else 1), present=True)
        cell(tmp_path, "still", seed, 8.0, change=0.0)
    cell(tmp_path, "crash", 0, 8.0, error="ValueError: a | b")
    rows = ablation.write_table(tmp_path)["rows"]
    assert list(rows) == ["none", "bad", "crash", "still"]
    ratio, low, high = rows["bad"]["against_none"]
    assert ratio == pytest.approx(2.0 * 1.01 ** (2 / 3))
    assert 1.9 < low < ratio < high < 2.1  # the seeds' own spread is no part of it
    assert rows["bad"]["distance"] == pytest.approx([0.5, 0.7575, 1.2625])
    assert rows["bad"]["trains"] == [True, True, False]
    assert rows["still"]["trains"] == [False] * 3
    assert rows["crash"]["against_none"] is None
    page = (tmp_path / "ablation.md").read_text()
    assert "| `bad` | 3/3 | 2/3 |" in page
    assert "ValueError: a \\| b" in page


def test_a_layers_direction_is_that_of_its_weight(tmp_path):
    cell(tmp_path, "bad", 0, 4.0, cosines=[-1.0, 0.5, 0.9])
    cell(tmp_path, "bad", 1, 4.0, cosines=[-0.5, 0.0, 1.0])
    cell(tmp_path, "none", 0, 4.0)
    ablation.write_table(tmp_path)
    bad, none = (tmp_path / "ablation.md").read_text().splitlines()[:-3:-1]
    assert "| -0.75 0.95 |" in bad
    assert "| -0.75" not in none


def test_a_folder_without_cells_is_told(tmp_path):
    with pytest.raises(ValueError, match=r"no results.json below it"):
        ablation.write_table(tmp_path)
