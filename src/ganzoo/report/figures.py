"""Curves as SVG that takes the page's colours, and as PNG for papers."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

INK = "#010203"  # stands for the page's own ink
COLOURS = ("#2f7ed8", "#e07b00", "#1a9a68", "#c2408f", "#7d6fd0")  # tell apart on light and dark
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.15,
    "grid.color": INK,
    "legend.frameon": False,
}


@dataclass(frozen=True)
class Curve:
    """One line: its name, and values over generator steps."""

    name: str
    steps: Sequence[float]
    values: Sequence[float]


def curves_svg(title: str, curves: Sequence[Curve], log: bool = False) -> str:
    """Return a figure of some curves as SVG without a head, in the page's ink."""
    buffer = io.StringIO()
    with mpl.rc_context({**STYLE, "svg.hashsalt": title}):
        drawn(title, curves, log).savefig(
            buffer, format="svg", transparent=True, metadata={"Date": None}
        )
    text = buffer.getvalue()
    return text[text.index("<svg") :].replace(INK, "currentColor")


def save_png(path: Path, title: str, curves: Sequence[Curve], log: bool = False) -> None:
    """Save the same figure for a paper: black on white, 200 dots an inch."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(STYLE):
        drawn(title, curves, log).savefig(path, dpi=200, metadata={"Software": None})


def drawn(title: str, curves: Sequence[Curve], log: bool) -> Figure:
    """Return the figure of some curves over generator steps."""
    figure = Figure(figsize=(5.6, 2.9))
    # fixed margins: a layout that measures its texts draws everything twice
    axes = figure.subplots(gridspec_kw={"left": 0.1, "right": 0.98, "bottom": 0.17, "top": 0.9})
    for curve, colour in zip(curves, COLOURS * 3, strict=False):
        marker = "o" if len(curve.steps) < 15 else None
        axes.plot(
            curve.steps, curve.values, label=curve.name, color=colour, lw=1.6, marker=marker, ms=3
        )
    axes.set_title(title, fontsize=11, loc="left")
    axes.set_xlabel("generator step")
    if log and any(value > 0 for curve in curves for value in curve.values):
        axes.set_yscale("symlog", linthresh=smallest(curves))
    if len(curves) > 1:
        axes.legend(fontsize=9)
    return figure


def smallest(curves: Sequence[Curve]) -> float:
    """Return the least value above 0: below it a logarithmic axis goes on straight, through 0."""
    return min(value for curve in curves for value in curve.values if value > 0)
