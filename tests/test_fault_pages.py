"""The catalogue as data and pages."""

import json
import subprocess
import sys

import pytest

import ganzoo
from ganzoo import fault_pages
from ganzoo.build import FAMILIES
from ganzoo.fault_pages import ACCEPTED, difference, entries, seen_by, source_of, write_pages


def test_every_fault_has_its_lines():
    found = {(one["family"], one["id"]): one for one in entries()}
    assert set(found) == {(f, i) for f in FAMILIES for i in ganzoo.faults(f)}
    for one in found.values():
        changed = [line for line in one["diff"].splitlines() if line[:1] in "+-"]
        assert changed, one["id"]
        assert json.loads(json.dumps(one)) == one
    lines = found["dcgan", "rounded_fakes"]["diff"].splitlines()
    assert "-    return self.fakes_in_range(fakes)" in lines
    assert "+    return torch.round(self.fakes_in_range(fakes))  # FAULT rounded_fakes" in lines
    decorated = found["mlp_gan", "eps_for_momentum"]["diff"]
    assert "+@staticmethod" in decorated


def test_lines_are_those_of_the_nearest_class():
    fixed = ganzoo.faults("mlp_gan").fixed
    assert source_of(fixed, "chance_score") == ["chance_score = 0.0"]
    assert source_of(fixed, "batch_size") == ["batch_size: int = 64"]  # of a base
    assert source_of(fixed, "nothing") == []
    assert difference(fixed, fixed, ("chance_score",)) == ""


def test_measured_rates_come_from_the_sweeps(tmp_path):
    row = {"symptom": [True, True, False, None], "trains": [True, False], "against_none": None}
    rows = {"rounded_fakes": row | {"seeds": [0, 1], "errors": []}}
    (tmp_path / "add_one_dcgan.json").write_text(json.dumps({"rows": rows}))
    found = {(one["family"], one["id"]): one for one in entries(tmp_path)}
    one = found["dcgan", "rounded_fakes"]
    assert (one["symptom_rate"], one["trains_rate"]) == (pytest.approx(2 / 3), 0.5)
    assert "trains_rate" not in found["dcgan", "raw_pixels"]


def test_one_that_shares_a_mechanism_is_accepted():
    found = {(one["family"], one["id"]): one for one in entries()}
    assert found["dcgan", "raw_pixels"]["accepted_alternatives"] == ["mismatched_scale"]
    assert found["dcgan", "nan_replaced"]["accepted_alternatives"] == []
    known = {id for _, id in found}
    assert set().union(*ACCEPTED) <= known


def test_a_fault_is_seen_by_its_own_oracle():
    assert seen_by("mlp_gan", "fixed_noise") == ["fixed_noise"]
    assert seen_by("wgan", "wrong_super") is None  # no program can be made


def test_pages_are_written_and_link_to_each_other(tmp_path, monkeypatch):
    monkeypatch.setattr(fault_pages, "seen_by", lambda _, one: [one])  # which takes its time
    count = write_pages(tmp_path, None)
    assert count == len(json.loads((tmp_path / "faults.json").read_text()))
    index = (tmp_path / "faults.md").read_text()
    assert "[`rounded_fakes`](faults_dcgan.md#rounded_fakes)" in index
    page = (tmp_path / "faults_mlp_gan.md").read_text()
    assert "\n## fixed_noise\n" in page
    assert "<https://github.com/genforce/genforce/issues/27>" in page


def test_the_command_lists_them():
    command = [sys.executable, "-m", "ganzoo", "faults=list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "rounded_fakes" in done.stdout
