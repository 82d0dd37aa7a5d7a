"""Grids, rows of numbers, whole files, and the program's own sampling."""

import csv
import json
import os

import pytest
import torch
from PIL import Image

import ganzoo
from ganzoo.logs import CSVRows
from ganzoo.pictures import grid, save_grid
from ganzoo.results import git_revision, versions, write_json


def test_grid_places_images_row_by_row():
    images = torch.arange(6, dtype=torch.uint8).view(6, 1, 1, 1).expand(6, 3, 4, 5) * 40
    picture = grid(images, columns=3, gap=1)
    assert picture.size == (3 * 5 + 2, 2 * 4 + 1)
    assert picture.getpixel((6, 5)) == (160, 160, 160)  # second row, second image
    assert picture.getpixel((6, 4)) == (255, 255, 255)  # the gap above it
    assert picture.getpixel((5, 0)) == (255, 255, 255)


def test_grid_of_grey_images_is_grey(tmp_path):
    path = tmp_path / "deep" / "grid.png"
    save_grid(torch.zeros(2, 1, 4, 4, dtype=torch.uint8), path)
    with Image.open(path) as picture:
        assert picture.mode == "L"
    assert [p.name for p in path.parent.iterdir()] == ["grid.png"]


def rows(logger):
    with logger.path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_rows_are_appended_and_columns_may_come_later(tmp_path):
    logger = CSVRows(tmp_path)
    logger.log_metrics({"a": 1.0, "epoch": 0}, step=0)
    logger.log_metrics({"a": 2.0, "b": 3.0}, step=1)
    assert rows(logger) == [
        {"step": "0", "a": "1.0", "b": ""},
        {"step": "1", "a": "2.0", "b": "3.0"},
    ]


def test_a_resumed_run_keeps_the_rows_up_to_its_step(tmp_path):
    first = CSVRows(tmp_path)
    for step in range(4):
        first.log_metrics({"a": float(step)}, step=step)
    second = CSVRows(tmp_path)
    second.continue_after(1)
    second.log_metrics({"a": 9.0}, step=2)
    assert [row["a"] for row in rows(second)] == ["0.0", "1.0", "9.0"]


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "results.json"
    write_json(path, {"a": 1})

    def full(descriptor):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        write_json(path, {"a": 2})
    assert json.loads(path.read_text()) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["results.json"]


def test_provenance():
    assert versions()["ganzoo"] == ganzoo.__version__
    revision = git_revision()
    assert revision is None or len(revision.rstrip("+")) >= 7


def tiny():
    torch.manual_seed(0)
    return ganzoo.build("fixed_dcgan", generator_channels=4, critic_channels=4, batch_size=4)


def test_samples_are_the_latents_of_their_seed():
    program = tiny()
    assert program.sample(7).dtype == torch.uint8
    assert torch.equal(program.sample(7)[:4], program.sample(4))
    assert torch.equal(program.sample(3, seed=1), program.sample(3, seed=1))
    assert not torch.equal(program.sample(3, seed=1), program.sample(3, seed=2))


def test_sampling_leaves_mode_and_random_state():
    program = tiny().train()
    before = torch.get_rng_state()
    program.sample(3)
    program.sample(3, averaged=True)
    assert torch.equal(before, torch.get_rng_state())
    assert all(module.training for module in program.generator.modules())


def test_a_program_without_an_average_says_so():
    program = ganzoo.build("buggy_dcgan", generator_channels=4, critic_channels=4)
    with pytest.raises(ValueError, match="keeps no averaged generator"):
        program.sample(1, averaged=True)


def test_eight_bits_round_half_up_and_clamp():
    levels = tiny().to_uint8(torch.tensor([-0.1, 0.0, 0.5, 0.4999, 1.0, 1.2]))
    assert levels.tolist() == [0, 0, 128, 127, 255, 255]
