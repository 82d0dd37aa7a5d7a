"""The pages themselves, from templates."""

import difflib
import inspect
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from PIL import Image

from ganzoo.build import VARIANTS_OF, family_of
from ganzoo.report.figures import Curve, curves_svg, save_png
from ganzoo.report.reading import RunFolder, as_uri, read_run, thinned
from ganzoo.results import write_text

HERE = Path(__file__).parent / "templates"
ENVIRONMENT = Environment(
    loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)
# title, readings with their names, whether the axis is logarithmic
MEASURES = (
    ("Losses", (("generator", "g_loss"), ("critic", "d_loss")), False),
    (
        "Gradient norms",
        (("generator", "generator_gradient"), ("critic", "critic_gradient")),
        True,
    ),
    ("Critic accuracy", (("critic", "critic_accuracy"),), False),
    ("Distance", (("chosen by", "distance"), ("raw", "raw_distance")), False),
)


def write_report(folder: Path, extras: bool = True) -> Path:
    """Write ``report.html`` into a run's folder.

    Args:
        folder: of the run.
        extras: whether the figures are written as PNG besides, and the grids as ``samples.webp``.

    Raises:
        FileNotFoundError: there is no run.
    """
    run = read_run(folder)
    figures = []
    for title, readings, log in MEASURES:
        curves = [Curve(name, *run.series(key)) for name, key in readings]
        curves = [curve for curve in curves if curve.steps]
        if curves:
            figures.append(curves_svg(title, curves, log))
            if extras:
                save_png(folder / "figures" / f"{slug(title)}.png", title, curves, log)
    if extras:
        animate(run)
    return rendered(
        folder / "report.html",
        "run.html",
        title=run.title,
        run=run,
        results=run.results,
        figures=figures,
        columns=[{"name": run.title, "frames": frames(run)}],
        scores=score_table(run),
    )


def write_side_by_side(folders: Sequence[Path], path: Path) -> Path:
    """Write one page of several runs: shared axes, one slider, and what differs in their files.

    Raises:
        FileNotFoundError: a folder holds no run.
        ValueError: there are fewer than two.
    """
    runs = [read_run(folder) for folder in folders]
    if len(runs) < 2:
        raise ValueError(f"{len(runs)} run(s): side by side needs at least two")
    names = titles(runs)
    figures = []
    for title, readings, log in MEASURES:
        for part, key in readings:
            curves = [Curve(n, *run.series(key)) for n, run in zip(names, runs, strict=True)]
            curves = [curve for curve in curves if curve.steps]
            if curves:
                whole = title if len(readings) == 1 else f"{title}: {part}"
                figures.append(curves_svg(whole, curves, log))
    return rendered(
        path,
        "sides.html",
        title=" · ".join(names),
        runs=list(zip(names, runs, strict=True)),
        figures=figures,
        columns=[
            {"name": name, "frames": frames(run)} for name, run in zip(names, runs, strict=True)
        ],
        diffs=differences(runs),
    )


def write_sweep(folder: Path) -> Path:
    """Write the page of a sweep over faults: a square for each cell, which opens its run.

    Raises:
        FileNotFoundError: the sweep has no table yet.
    """
    path = folder / "ablation.json"
    if not path.is_file():
        raise FileNotFoundError(f"{folder}: no ablation.json there; give the folder of a sweep")
    table = json.loads(path.read_text(encoding="utf-8"))
    return rendered(
        folder / "report.html",
        "sweep.html",
        title=f"{table['model']}, one fault switched over at a time",
        table=table,
        measures=SWEPT,
        squares=squares,
    )


# the columns of a sweep: title, key, and whether more of it is good, bad, or neither
SWEPT = (
    ("symptom", "symptom", "bad"),
    ("trains", "trains", "good"),
    ("gradient of G", "generator_gradient", "ratio"),
    ("change of G", "generator_change", "ratio"),
    ("change of D", "critic_change", "ratio"),
    ("D right", "critic_accuracy", "share"),
    ("distance", "distance", "ratio"),
)


def squares(name: str, row: dict[str, Any], base: dict[str, Any], key: str, kind: str) -> list[Any]:
    """Return link, colour and title of one square for each seed."""
    found = []
    for number, seed in enumerate(row["seeds"]):
        value = row[key][number]
        centre = [v for v in base[key] if v is not None]
        colour = shade(value, sum(centre) / len(centre) if centre else None, kind)
        told = "no value" if value is None else (f"{value:.3g}" if kind in RATED else str(value))
        link = f"{name}/{row['folder'][number]}/report.html"
        found.append((link, colour, f"{name}, seed {seed}: {told}"))
    return found


RATED = ("ratio", "share")


def shade(value: float | None, base: float | None, kind: str) -> str:
    """Return a class of the style sheet: how far a value is from the program without the fault."""
    if value is None:
        return "none"
    if kind in ("good", "bad"):
        return "good" if bool(value) is (kind == "good") else "bad"
    if kind == "share" and base is not None:
        size = min(3, round(abs(value - base) * 8))
        return "same" if size == 0 else f"{'up' if value > base else 'down'}{size}"
    if not base:
        return "same" if not value else "up3"
    if value <= 0:
        return "down3"
    steps = math.log2(value / base)
    size = min(3, int(abs(steps) + 0.5))
    return "same" if size == 0 else f"{'up' if steps > 0 else 'down'}{size}"


def frames(run: RunFolder) -> list[dict[str, Any]]:
    """Return the grids that a slider steps through."""
    return [{"step": step, "uri": as_uri(path)} for step, path in thinned(run.grids)]


def animate(run: RunFolder) -> Path | None:
    """Write the grids as one moving picture, ``samples.webp``; None for fewer than two."""
    if len(run.grids) < 2:
        return None
    images = [Image.open(path).convert("RGB") for _, path in thinned(run.grids)]
    path = run.path / "samples.webp"
    images[0].save(path, save_all=True, append_images=images[1:], duration=400, loop=0)
    return path


def score_table(run: RunFolder) -> tuple[list[str], list[tuple[str, list[Any]]]]:
    """Return whose samples were scored, and for each protocol the scores beside each other."""
    labels: dict[str, None] = {}
    rows: dict[str, dict[str, Any]] = {}
    for score in run.results.get("metrics", []):
        label = score["name"].partition("/")[2]
        labels[label] = None
        rows.setdefault(score["protocol"], {})[label] = score
    return list(labels), [(name, [row.get(lb) for lb in labels]) for name, row in rows.items()]


def titles(runs: Sequence[RunFolder]) -> list[str]:
    """Return a name for each run, by which they can be told apart."""
    names = [run.title for run in runs]
    if len(set(names)) < len(names):
        names = [f"{run.title} ({run.path.name})" for run in runs]
    return names


def differences(runs: Sequence[RunFolder]) -> list[dict[str, Any]]:
    """Return the textual difference of each variant's file from the fixed one's."""
    found: list[dict[str, Any]] = []
    for model in dict.fromkeys(run.title for run in runs):
        variant, _, family = model.partition("_")
        if family not in VARIANTS_OF or variant not in VARIANTS_OF[family] or variant == "fixed":
            continue
        files = [
            Path(inspect.getfile(family_of(family).FAULTS.classes[v])) for v in (variant, "fixed")
        ]
        old, new = (file.read_text(encoding="utf-8").splitlines() for file in files)
        lines = difflib.unified_diff(old, new, files[0].name, files[1].name, lineterm="")
        found.append({"title": f"{model} → fixed_{family}", "lines": list(lines)})
    return found


def slug(title: str) -> str:
    """Return a title as a file's name."""
    return title.lower().replace(" ", "_")


def rendered(path: Path, template: str, **parts: Any) -> Path:
    """Write a page and return where."""
    style = (HERE / "style.css").read_text(encoding="utf-8")
    script = (HERE / "slider.js").read_text(encoding="utf-8")
    page = ENVIRONMENT.get_template(template).render(style=style, script=script, **parts)
    write_text(path, page)
    return path
