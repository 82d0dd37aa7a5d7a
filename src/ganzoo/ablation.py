"""What each fault does: the cells of a sweep, set side by side over seeds."""

import json
import math
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from omegaconf import OmegaConf

from ganzoo.cells import NONE
from ganzoo.results import write_json, write_text

# Student's t, two-sided 95 %, by degrees of freedom; from 10 on it is within 14 % of 1.96
T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
HEAD = (
    "| fault | symptom | trains | largest gradient G | D | change G | D | D right "
    "| g_loss from, to | sign flips of d_loss | cosine per critic layer "
    "| distance, untrained = 1 | against none (95 %) | coverage | stopped by |"
)


def write_table(folder: Path) -> dict[str, Any]:
    """Return the rows of a sweep's cells; ``ablation.md`` and ``ablation.json`` hold them.

    Args:
        folder: of a sweep over ``flip`` and ``seed``.

    Raises:
        ValueError: no cell lies there.
    """
    cells = [outcome(path) for path in sorted(folder.rglob("results.json"))]
    if not cells:
        raise ValueError(f"{folder}: no results.json below it")
    names = list(dict.fromkeys(cell["flip"] for cell in cells))
    names.sort(key=lambda name: (name != NONE, name))
    base = {cell["seed"]: cell for cell in cells if cell["flip"] == NONE}
    rows = {n: row([cell for cell in cells if cell["flip"] == n], base) for n in names}
    found = {"model": cells[0]["model"], "generator_steps": cells[0]["steps"], "rows": rows}
    write_json(folder / "ablation.json", found)
    write_text(folder / "ablation.md", page(found))
    return found


def outcome(path: Path) -> dict[str, Any]:
    """Return what one cell shows, from its results and its configuration."""
    results = json.loads(path.read_text(encoding="utf-8"))
    config = OmegaConf.load(path.parent / "config.yaml")
    seen = results.get("seen") or {}
    found: dict[str, Any] = {
        "flip": config.flip or NONE,
        "seed": results["seed"],
        "model": results["model"],
        "steps": config.budget.generator_steps,
        "folder": path.parent.name,
        "error": results.get("error"),
        "symptom": (results.get("symptom") or {}).get("present"),
        "state": (results.get("state") or {}).get("name"),
        "critic_accuracy": seen.get("critic_accuracy"),
        "loss_bounds": seen.get("loss_bounds", {}),
        "sign_flips": seen.get("sign_flips", {}),
        "layer_cosines": seen.get("evidence", {}).get("layer_cosines"),
        "not_finite_at": seen.get("not_finite_at"),
    }
    for role in ("generator", "critic"):
        network = seen.get(role, {})
        found[f"{role}_gradient"] = network.get("largest_norm")
        found[f"{role}_change"] = network.get("change")
    return found | scores_of(results.get("metrics", []))


def scores_of(metrics: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the distance as a share of the untrained generator's, and the coverage."""
    values: dict[str, dict[str, Any]] = {}
    for score in metrics:
        values.setdefault(score["name"].partition("/")[2], {})[score["protocol"]] = score
    best = values.get("averaged") or values.get("raw") or {}
    start = values.get("untrained", {})
    ratio = better = coverage = None
    for protocol, score in best.items():
        if protocol.startswith("coverage"):
            coverage = score["value"]
        distance = protocol[:2] in ("fd", "fi") and protocol[2:3].isdigit()
        if distance and "half" not in protocol and protocol in start:
            before = start[protocol]
            ratio = score["value"] / before["value"] if before["value"] else None
            # beyond what the draw of samples explains
            better = (score["interval"] or [0, score["value"]])[1] < (
                before["interval"] or [before["value"], 0]
            )[0]
    return {"distance": ratio, "better": better, "coverage": coverage}


def trains(cell: dict[str, Any], base: dict[str, Any] | None) -> bool:
    """Return whether the generator moved, no loss broke, and its samples came closer.

    The last is asked only where the program without the fault achieves it in as many steps.
    """
    moved = bool(cell["generator_change"])
    whole = cell["error"] is None and cell["not_finite_at"] is None
    asked = base is not None and bool(base["better"])
    return whole and moved and (bool(cell["better"]) or not asked)


def row(cells: list[dict[str, Any]], base: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """Return one fault's outcomes over its seeds, beside those of the program without it."""
    found: dict[str, Any] = {
        "seeds": [cell["seed"] for cell in cells],
        "trains": [trains(cell, base.get(cell["seed"])) for cell in cells],
        "errors": sorted({cell["error"] for cell in cells if cell["error"]}),
    }
    for key in cells[0]:
        if key not in ("seed", "error", "model", "steps", "flip"):
            found[key] = [cell[key] for cell in cells]
    pairs = [
        math.log(cell["distance"] / base[cell["seed"]]["distance"])
        for cell in cells
        if cell["seed"] in base and cell["distance"] and base[cell["seed"]]["distance"]
    ]
    found["against_none"] = compared(pairs)
    return found


def compared(logs: list[float]) -> list[float] | None:
    """Return the mean ratio of paired distances and its 95 % interval; None for fewer than two."""
    if len(logs) < 2:
        return None
    half = T_95[min(len(logs) - 2, len(T_95) - 1)] * stdev(logs) / len(logs) ** 0.5
    centre = mean(logs)
    return [math.exp(centre), math.exp(centre - half), math.exp(centre + half)]


def page(found: dict[str, Any]) -> str:
    """Return the rows as a page of Markdown."""
    head = f"# `{found['model']}`, one fault switched over at a time"
    told = (
        f"{found['generator_steps']} generator steps a cell; mean and standard deviation over the "
        "seeds. `none` is the program as it is. A cell trains where the generator moved, no loss "
        "broke, and, if `none` comes that far in as many steps, the samples are closer to the "
        "reals than the untrained generator's, beyond what their draw explains. The last ratio is "
        "paired by seed. The cosines, of critics behind a reversal, are between a layer's "
        "gradient and the one that the critic's objective asks for: -1 trains it to lose."
    )
    lines = [head, "", told, "", HEAD, "|" + "---|" * (HEAD.count("|") - 1)]
    lines += [f"| {' | '.join(line(name, r))} |" for name, r in found["rows"].items()]
    return "\n".join(lines) + "\n"


def line(name: str, r: dict[str, Any]) -> list[str]:
    """Return one row's cells."""
    against = r["against_none"]
    ratio = "-" if against is None else "{:.2f} ({:.2f} to {:.2f})".format(*against)
    bounds = [b["g_loss"] for b in r["loss_bounds"] if "g_loss" in b]
    flips = [f.get("d_loss") for f in r["sign_flips"]]
    return [
        f"`{name}`",
        share(r["symptom"]),
        share(r["trains"]),
        spread(r["generator_gradient"]),
        spread(r["critic_gradient"]),
        spread(r["generator_change"]),
        spread(r["critic_change"]),
        spread(r["critic_accuracy"]),
        f"{min(b[0] for b in bounds):.2g}, {max(b[1] for b in bounds):.2g}" if bounds else "-",
        spread(flips),
        directions(r["layer_cosines"]),
        spread(r["distance"]),
        "-" if name == NONE else ratio,
        spread(r["coverage"]),
        " ".join("; ".join(r["errors"]).split()).replace("|", "\\|")[:120] or "-",
    ]


def directions(cells: list[list[float] | None]) -> str:
    """Return each layer's mean cosine, in the order of the layers; weight and bias agree."""
    known = [cell for cell in cells if cell]
    means = [f"{mean(layer):.2g}" for layer in zip(*known, strict=True)]
    return " ".join(means[::2]) or "-"  # of a weight; its bias comes behind it


def share(values: list[bool | None]) -> str:
    """Return how many of some are true, of those that are known."""
    known = [value for value in values if value is not None]
    return f"{sum(known)}/{len(known)}" if known else "-"


def spread(values: list[float | None]) -> str:
    """Return mean and standard deviation; one number where all are equal."""
    known = [value for value in values if value is not None]
    if not known:
        return "-"
    centre = mean(known)
    wide = stdev(known) if len(known) > 1 else 0.0
    return f"{centre:.3g}" if wide == 0 else f"{centre:.3g} ± {wide:.2g}"
