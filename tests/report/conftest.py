"""Run folders, made by hand, as a page reads them."""

import csv
import json
from pathlib import Path

import pytest
from PIL import Image


def make_run(folder: Path, model: str = "fixed_dcgan", steps=(0, 50, 100), **more) -> Path:
    """Write a folder as a run leaves it; the grids differ in colour."""
    (folder / "samples").mkdir(parents=True)
    for step in steps:
        image = Image.new("RGB", (64, 64), (step % 256, 90, 200 - step % 200))
        image.save(folder / "samples" / f"raw_{step:06d}.png")
    with (folder / "metrics.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        names = ["step", "g_loss", "d_loss", "generator_gradient", "critic_gradient"]
        writer.writerow([*names, "critic_accuracy", "distance"])
        for step in range(10, 110, 10):
            loss = 0.7 + step / 1000
            distance = 90 - step if step % 50 == 0 else ""
            writer.writerow([step, loss, -loss, step, 2 * step, 0.6, distance])
    score = {"protocol": "fd9_x", "n": 9, "fingerprint": "f"}
    long = "precision50k_inception_torchmetrics"
    wide = [
        {"protocol": long, "name": f"{long}/{label}", "value": 0.123456, "interval": [0.1, 0.2]}
        for label in ("untrained", "raw", "averaged")
    ]
    results = {
        "status": "finished",
        "error": None,
        "model": model,
        "scale": "quick",
        "faults": ["raw_pixels"],
        "generator_steps": 100,
        "images_seen": 800,
        "train_s": 3.0,
        "seed": 0,
        "data": {"name": "faces"},
        "versions": {"torch": "9.9"},
        "git_revision": "abc",
        "symptom": {"name": "dead_generator", "present": False, "sentence": "It moved."},
        "state": {"name": "healthy", "sentence": "All is well."},
        "metrics": [
            score | {"name": "fd9_x/untrained", "value": 8.0, "interval": None},
            score | {"name": "fd9_x/raw", "value": 2.5, "interval": [2.0, 3.0]},
            *wide,
        ],
        "findings": [],
    }
    (folder / "results.json").write_text(json.dumps(results | more))
    (folder / "config.yaml").write_text("seed: 0\n")
    return folder


@pytest.fixture
def run(tmp_path):
    return make_run(tmp_path / "run")
