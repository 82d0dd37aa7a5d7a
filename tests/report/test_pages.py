"""What stands on the pages, and what they need no more than a folder for."""

import json
import re

import pytest
from PIL import Image

from ganzoo.ablation import write_table
from ganzoo.at_end import pages_of
from ganzoo.report import write_report, write_side_by_side, write_sweep
from ganzoo.report.figures import INK, Curve, curves_svg
from ganzoo.report.pages import shade
from ganzoo.report.reading import read_rows, thinned
from tests.report.conftest import make_run
from tests.test_ablation import cell


def test_a_run_is_told_in_one_file(run):
    text = write_report(run).read_text()
    for part in (
        "fixed_dcgan",
        "dead generator: absent",
        "It moved.",
        "state: healthy",
        "torch 9.9",
    ):
        assert part in text
    assert "2.5" in text
    assert "2 to 3" in text
    assert text.count("<svg") == 4  # losses, gradients, accuracy, distance
    assert text.count('<img src="data:image/webp') == 3
    assert INK not in text  # the curves take the page's ink
    assert not re.search(r'(src|href)="(?!data:)[^"#]', text)  # nothing is fetched
    assert len(text) < 5_000_000
    names = {path.name for path in (run / "figures").iterdir()}
    assert names == {"losses.png", "gradient_norms.png", "critic_accuracy.png", "distance.png"}
    with Image.open(run / "samples.webp") as moving:
        assert moving.n_frames == 3


def test_the_same_run_gives_the_same_page(run):
    first = write_report(run).read_bytes()
    assert write_report(run).read_bytes() == first


def test_a_text_of_the_run_stays_a_text(tmp_path):
    bad = "<script>alert('x')</script>"
    run = make_run(tmp_path / "run", model=bad, error=bad, versions={bad: bad}, faults=[bad])
    text = write_report(run).read_text()
    assert bad not in text
    assert text.count("&lt;script&gt;") >= 4
    page = write_side_by_side([run, make_run(tmp_path / "two")], tmp_path / "sides.html")
    assert bad not in page.read_text()


@pytest.mark.parametrize("lost", ["samples", "metrics.csv", "config.yaml"])
def test_what_is_missing_is_told(run, lost):
    path = run / lost
    if path.is_dir():
        for file in path.iterdir():
            file.unlink()
        path.rmdir()
    else:
        path.unlink()
    text = write_report(run).read_text()
    told = {
        "samples": "No sample grids were kept",
        "metrics.csv": "No readings were kept",
        "config.yaml": "none was kept",
    }
    assert told[lost] in text


def test_a_run_that_trained_nothing_has_a_page(tmp_path):
    more = {"symptom": None, "state": None, "metrics": [], "versions": None, "data": None}
    text = write_report(make_run(tmp_path / "run", steps=(), **more)).read_text()
    assert "there is no verdict on it" in text
    assert "Nothing was scored" in text
    assert not (tmp_path / "run" / "samples.webp").exists()


def test_numbers_that_are_none_are_left_out_of_the_curves(tmp_path):
    (tmp_path / "metrics.csv").write_text("step,g_loss\n10,nan\n20,inf\n30,\n40,1.5\n")
    assert read_rows(tmp_path / "metrics.csv") == [
        {"step": 10.0},
        {"step": 20.0},
        {"step": 30.0},
        {"step": 40.0, "g_loss": 1.5},
    ]
    assert "<svg" in curves_svg("t", [Curve("a", [1, 2], [0.0, 0.0])], log=True)


def test_a_broken_folder_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no results\.json there"):
        write_report(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no ablation\.json there"):
        write_sweep(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no results\.json below it"):
        pages_of(tmp_path)


def test_of_many_grids_some_are_shown():
    assert thinned(list(range(100)), 5) == [0, 25, 50, 74, 99]
    assert thinned([1, 2], 5) == [1, 2]


def test_variants_stand_side_by_side_with_what_differs(tmp_path):
    runs = [
        make_run(tmp_path / m, model=m) for m in ("buggy_dcgan", "advised_dcgan", "fixed_dcgan")
    ]
    text = write_side_by_side(runs, tmp_path / "sides.html").read_text()
    assert text.count("<svg") == 6  # one for each network's losses and gradients
    assert text.count("<h2>") == 4  # samples, curves, two differences
    assert "buggy_dcgan → fixed_dcgan" in text
    assert '<span class="gone">-    betas = (0.9, 0.999)  # FAULT default_betas</span>' in text
    assert '<span class="added">+    betas = (0.0, 0.9)' in text
    with pytest.raises(ValueError, match="needs at least two"):
        write_side_by_side(runs[:1], tmp_path / "one.html")


def test_too_many_runs_for_one_page_are_told(tmp_path):
    for number in range(7):
        make_run(tmp_path / "sweep" / str(number), steps=())
    with pytest.raises(ValueError, match="7 runs are too many for one page"):
        pages_of(tmp_path / "sweep")


def test_runs_of_one_model_are_told_apart(tmp_path):
    runs = [make_run(tmp_path / name) for name in ("a", "b")]
    text = write_side_by_side(runs, tmp_path / "sides.html").read_text()
    assert "fixed_dcgan (a)" in text
    assert "fixed_dcgan (b)" in text


def test_a_sweep_has_a_square_for_each_cell_that_opens_it(tmp_path):
    for seed in range(3):
        cell(tmp_path, "none", seed, 2.0)
        cell(tmp_path, "still", seed, 8.0, change=0.0, present=True)
    text = pages_of(tmp_path).read_text()
    assert text.count('href="still/seed1/report.html"') == 7
    assert 'class="bad" title="still, seed 2: True"' in text
    assert (tmp_path / "still" / "seed1").is_dir()
    write_table(tmp_path)
    assert "still" in json.loads((tmp_path / "ablation.json").read_text())["rows"]


@pytest.mark.parametrize(
    ("value", "base", "kind", "colour"),
    [
        (None, 1.0, "ratio", "none"),
        (True, None, "bad", "bad"),
        (False, None, "bad", "good"),
        (True, None, "good", "good"),
        (1.1, 1.0, "ratio", "same"),
        (2.0, 1.0, "ratio", "up1"),
        (100.0, 1.0, "ratio", "up3"),
        (0.5, 1.0, "ratio", "down1"),
        (0.0, 1.0, "ratio", "down3"),
        (0.0, 0.0, "ratio", "same"),
        (3.0, 0.0, "ratio", "up3"),
        (0.9, 0.5, "share", "up3"),
        (0.52, 0.5, "share", "same"),
        (0.2, 0.5, "share", "down2"),
    ],
)
def test_colours_say_how_far_a_value_is_from_the_program_itself(value, base, kind, colour):
    assert shade(value, base, kind) == colour
