"""The catalogue of all faults, as data and as pages: what each is, its lines, what it does."""

import ast
import difflib
import inspect
import json
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ganzoo.build import FAMILIES, family_of
from ganzoo.catalogue import Fault
from ganzoo.results import write_json, write_text

ORIGINS = {"post": "the post", "answer": "its answer", "wild": "public reports"}
INTRODUCTION = (
    "Made by `python -m ganzoo faults=write`; do not edit. Each fault can be switched on or off "
    "alone: `python -m ganzoo model=fixed_dcgan model.faults.rounded_fakes=true`. Its oracle looks "
    "at a program before training, and sees this fault and no other (`tests/`). The rates are "
    "those of the short sweeps `experiment=add_one_...` over five seeds: how often the family's "
    "symptom shows, and how often the program still trains: the generator moves, no loss breaks, "
    "and samples come closer to the reals, where the fixed program comes that far in as many steps."
)


# pairs that share a mechanism: who names the one where the other is has found it
ACCEPTED = (
    {"batch_of_one", "one_image_a_batch"},
    {"raw_pixels", "mismatched_scale"},
    {"foreign_optimizers", "optimizer_before_layers"},
    {"sigmoid_bce", "log_of_zero"},
    {"label_shape", "label_broadcast"},
    {"per_pixel_penalty", "penalty_norm_over_batch"},
    {"cooperating_signs", "reversal_never_called"},
    {"weight_clipping", "clamp_before_step", "clamp_not_in_place"},
    {"range_mismatch", "reals_in_unit_range"},
    {"cooperating_generator", "negated_generator_loss"},
)


def entries(measured: Path | None = None) -> list[dict[str, Any]]:
    """Return every fault of every family, ready for JSON.

    Args:
        measured: folder of ``add_one_{family}.json``, the tables of the ablation sweeps.
    """
    found = []
    for family in FAMILIES:
        path = None if measured is None else measured / f"add_one_{family}.json"
        rows = json.loads(path.read_text("utf-8"))["rows"] if path and path.is_file() else {}
        catalogue = family_of(family).FAULTS
        found += [
            entry(family, fault, catalogue.fixed, rows.get(id)) for id, fault in catalogue.items()
        ]
    return found


def entry(
    family: str, fault: Fault[Any], fixed: type, row: dict[str, Any] | None
) -> dict[str, Any]:
    """Return one fault, with what a sweep measured of it where there is one."""
    found: dict[str, Any] = {
        name: getattr(fault, name)
        for name in ("id", "origin", "kind", "symptom", "cause", "source")
    }
    found |= {"family": family, "takes": list(fault.takes), "reports": list(fault.reports)}
    found["detectable_at_step"] = 0  # every oracle looks at the program as it is built
    found["accepted_alternatives"] = sorted(
        {other for group in ACCEPTED if fault.id in group for other in group} - {fault.id}
    )
    found["diff"] = difference(fixed, fault.donor, fault.takes)
    if row is not None:
        known = [value for value in row["symptom"] if value is not None]
        found["symptom_rate"] = sum(known) / len(known) if known else None
        found["trains_rate"] = sum(row["trains"]) / len(row["trains"])
        found["distance_against_none"] = row["against_none"]
        found["seeds"] = row["seeds"]
        found["stopped_by"] = row["errors"]
    return found


def difference(fixed: type, donor: type, names: Iterable[str]) -> str:
    """Return the lines of some names in two classes' files, as a unified diff."""
    old, new = [], []
    for name in names:
        old += [*source_of(fixed, name), ""]
        new += [*source_of(donor, name), ""]
    lines = list(difflib.unified_diff(old, new, n=99, lineterm=""))[3:]  # without a head
    return "\n".join(line.rstrip() for line in lines).rstrip()


def source_of(cls: type, name: str) -> list[str]:
    """Return the lines by which a class, or the nearest of its bases, defines a name."""
    for owner in cls.__mro__:
        if name not in vars(owner) or owner.__module__.partition(".")[0] != "ganzoo":
            continue
        text = Path(inspect.getfile(owner)).read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and node.name == owner.__name__:
                for part in node.body:
                    if name in names_of(part):
                        return textwrap.dedent(whole(part, text)).splitlines()
    return []


def names_of(node: ast.stmt) -> list[str]:
    """Return the names that a statement of a class's body defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def whole(node: ast.stmt, text: str) -> str:
    """Return a statement's lines, decorators included."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(d.lineno for d in decorators)])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def seen_by(family: str, id: str) -> list[str] | None:
    """Return the faults whose oracles see something in a program that has one fault alone.

    None where the fault stops a program from being made, so that only its own oracle can be asked.
    """
    from ganzoo.trial import seeded_program

    catalogue = family_of(family).FAULTS
    try:
        program = seeded_program(catalogue.graft([id]))
    except (NameError, AttributeError, RuntimeError, ValueError):
        return None
    return [other for other, fault in catalogue.items() if fault.seen_in(program)]


def write_pages(folder: Path, measured: Path | None) -> int:
    """Write ``faults.json``, ``faults.md`` and a page for each family; return how many faults."""
    found = entries(measured)
    for one in found:
        one["oracles_that_see_it"] = seen_by(one["family"], one["id"])
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "faults.json", found)
    write_text(folder / "faults.md", index(found))
    for family in FAMILIES:
        own = [one for one in found if one["family"] == family]
        write_text(folder / f"faults_{family}.md", family_page(family, own))
    return len(found)


def index(found: list[dict[str, Any]]) -> str:
    """Return the page of all faults."""
    distinct = len({one["id"] for one in found})
    lines = ["# Faults", "", INTRODUCTION, "", f"{distinct} faults in {len(FAMILIES)} families."]
    lines += ["", "| family | fault | from | kind | what one sees | symptom | still trains |"]
    lines.append("|" + "---|" * 7)
    for one in found:
        link = f"[`{one['id']}`](faults_{one['family']}.md#{one['id']})"
        cells = [one["family"], link, ORIGINS[one["origin"]], one["kind"], one["symptom"]]
        lines.append(f"| {' | '.join([*cells, *rates(one)])} |")
    return "\n".join(lines) + "\n"


def print_list() -> None:
    """Print every fault in a table."""
    table = Table("family", "fault", "from", "kind", "what one sees")
    for one in entries():
        table.add_row(one["family"], one["id"], one["origin"], one["kind"], one["symptom"])
    Console().print(table)


def rates(one: dict[str, Any]) -> tuple[str, str]:
    """Return how often the symptom shows and how often the program still trains."""
    values = one.get("symptom_rate"), one.get("trains_rate")
    symptom, trains = ("-" if value is None else f"{value:.0%}" for value in values)
    return symptom, trains


def family_page(family: str, found: list[dict[str, Any]]) -> str:
    """Return the page of one family: each fault with its lines."""
    lines = [f"# Faults of `{family}`", "", "[All faults](faults.md)"]
    for one in found:
        symptom, trains = rates(one)
        lines += ["", f"## {one['id']}", "", f"{one['symptom']} {one['cause']}", ""]
        lines.append(
            f"From {ORIGINS[one['origin']]}, {one['kind']}. What is right: {one['source']}."
        )
        if one["reports"]:
            lines.append("Reported in " + ", ".join(f"<{link}>" for link in one["reports"]) + ".")
        if symptom != "-" or trains != "-":
            lines.append(f"Symptom {symptom}, still trains {trains}.")
        for error in one.get("stopped_by", []):
            lines.append(f"Stopped by `{' '.join(error.split())[:160]}`.")
        lines += ["", "```diff", one["diff"], "```"]
    return "\n".join(lines) + "\n"
