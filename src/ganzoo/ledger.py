"""The claims of all posts, each judged by its experiment, as a page and as data."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from ganzoo.build import claims
from ganzoo.results import write_json, write_text

TITLES = {
    "dcgan": "The CelebA GAN whose generator's gradient is always 0",
    "wgan": "The WGAN critic behind a gradient reversal, on images",
    "adapt": "The same critic, in domain adaptation",
    "mlp_gan": "The first GAN with five pitfalls",
    "wgan_gp": "The article's gradient penalty",
}
INTRODUCTION = (
    "Made by `python -m ganzoo claims=all`; do not edit. Each verdict comes from an experiment "
    'that was run for this page: `ganzoo.claims("dcgan")["rounding_cuts_the_graph"].check()`. The '
    "measured numbers stand in `claims.json`."
)
BY = {"post": "said", "answer": "advised"}


def write_ledger(families: Iterable[str], folder: Path) -> list[dict[str, Any]]:
    """Return a row for each claim, judged now; ``claims.md`` and ``claims.json`` hold them.

    An experiment that fails is a row with its error, and does not stop the rest.
    """
    due = [(family, claim) for family in families for claim in claims(family).values()]
    console = Console(stderr=True)
    rows = [
        {"family": family} | claim.judged()
        for family, claim in track(due, "checking claims", console=console)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "claims.json", rows)
    write_text(folder / "claims.md", page(rows))
    return rows


def page(rows: list[dict[str, Any]]) -> str:
    """Return the ledger as a page of Markdown."""
    parts = [
        "# What was claimed, and what is true",
        "",
        INTRODUCTION,
        "",
        f"{counted(rows)}.",
    ]
    for family in dict.fromkeys(row["family"] for row in rows):
        parts += ["", f"## {TITLES.get(family, family)} (`{family}`)", ""]
        parts += ["| verdict | claim | what was measured |", "|---|---|---|"]
        for row in rows:
            if row["family"] == family:
                said = f"{cell(row['statement'])} ({BY[row['by']]}: `{row['id']}`)"
                parts.append(f"| **{row['verdict']}** | {said} | {cell(row['reason'])} |")
    return "\n".join(parts) + "\n"


def cell(text: str) -> str:
    """Return a text as a cell of a table holds it."""
    return " ".join(text.replace("|", "\\|").split())


def counted(rows: list[dict[str, Any]]) -> str:
    """Return how many claims got which verdict."""
    found: dict[str, int] = {}
    for row in rows:
        found[row["verdict"]] = found.get(row["verdict"], 0) + 1
    listed = ", ".join(f"{count} {verdict}" for verdict, count in sorted(found.items()))
    return f"{len(rows)} claims: {listed}"
