"""The pages in a real browser, from disk, without a network."""

from pathlib import Path

import pytest

from ganzoo.at_end import pages_of
from ganzoo.report import write_report, write_side_by_side
from tests.report.conftest import make_run
from tests.test_ablation import cell

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.is_file():
        pytest.skip(f"there is no browser at {CHROMIUM}")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def opened(browser):
    """Return a function that opens a page, and check at the end that it logged nothing."""
    said, pages = [], []

    def open_page(path: Path, width: int = 1200, scheme: str = "light"):
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("requestfailed", lambda request: said.append(request.url))
        page.goto(path.as_uri())
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert said == []


def shown(page) -> list[str]:
    return page.eval_on_selector_all(
        "figure img:not([hidden])", "images => images.map(image => image.dataset.step)"
    )


def moved_to(page, place: int) -> None:
    page.eval_on_selector(
        "#slider",
        "(slider, place) => { slider.value = place; slider.dispatchEvent(new Event('input')); }",
        place,
    )


def test_the_slider_steps_through_the_grids(opened, run):
    page = opened(write_report(run))
    assert shown(page) == ["100"]
    page.focus("#slider")
    page.keyboard.press("ArrowLeft")
    assert shown(page) == ["50"]
    assert page.text_content("#step") == "generator step 50"
    moved_to(page, 0)
    assert shown(page) == ["0"]


def test_one_slider_drives_all_columns(opened, tmp_path):
    runs = [
        make_run(tmp_path / "a", "buggy_dcgan", steps=(0, 50)),
        make_run(tmp_path / "b", "fixed_dcgan", steps=(0, 25, 100)),
    ]
    page = opened(write_side_by_side(runs, tmp_path / "sides.html"))
    assert shown(page) == ["50", "100"]  # each its last
    moved_to(page, 1)
    assert shown(page) == ["0", "25"]
    moved_to(page, 2)
    assert shown(page) == ["50", "25"]


def test_a_square_opens_its_run(opened, tmp_path):
    for seed in range(2):
        cell(tmp_path, "none", seed, 2.0)
        cell(tmp_path, "still", seed, 8.0, change=0.0)
    for place in (p for p in tmp_path.glob("*/*") if p.is_dir()):
        write_report(place)
    page = opened(pages_of(tmp_path))
    page.click("a[title^='still, seed 1']")
    assert page.url.endswith("still/seed1/report.html")
    assert "Nothing was trained" in page.text_content("main") or page.text_content("h1")


@pytest.mark.parametrize("width", [400, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_and_can_be_read(opened, tmp_path, width, scheme):
    runs = [make_run(tmp_path / m, model=m) for m in ("buggy_dcgan", "fixed_dcgan")]
    for path in (write_report(runs[1]), write_side_by_side(runs, tmp_path / "sides.html")):
        page = opened(path, width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        ink, paper = page.evaluate(
            "['color', 'backgroundColor'].map(name => getComputedStyle(document.body)[name])"
        )
        assert contrast(ink, paper) > 7
        label = page.evaluate("getComputedStyle(document.querySelector('svg text')).fill")
        assert contrast(label, paper) > 7


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2.1)."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in colour[4:-1].split(",")]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
