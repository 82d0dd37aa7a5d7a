"""What a page needs of a run's folder."""

import base64
import csv
import io
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

FRAMES = 24  # grids in a page; of more, as many evenly spaced ones
WIDEST = 900  # pixels of a grid in a page


@dataclass(frozen=True)
class RunFolder:
    """A run as it lies on disk; what is missing is empty.

    Attributes:
        path: the folder.
        results: of ``results.json``.
        rows: of ``metrics.csv``: readings by name, with ``step``.
        grids: generator step and file of each sample grid, in order.
        config: the text of ``config.yaml``.
    """

    path: Path
    results: dict[str, Any]
    rows: list[dict[str, float]]
    grids: list[tuple[int, Path]]
    config: str

    @property
    def title(self) -> str:
        """What the run is of."""
        return str(self.results.get("model") or self.path.name)

    def series(self, name: str) -> tuple[list[float], list[float]]:
        """Return the steps at which a reading was kept, and its values."""
        found = [(row["step"], row[name]) for row in self.rows if name in row and "step" in row]
        return [step for step, _ in found], [value for _, value in found]


def read_run(folder: Path) -> RunFolder:
    """Return what lies in a run's folder.

    Raises:
        FileNotFoundError: there is no ``results.json``.
        ValueError: it is no JSON.
    """
    path = folder / "results.json"
    if not path.is_file():
        raise FileNotFoundError(f"{folder}: no results.json there; give the folder of a run")
    config = folder / "config.yaml"
    return RunFolder(
        folder,
        json.loads(path.read_text(encoding="utf-8")),
        read_rows(folder / "metrics.csv"),
        grids_of(folder / "samples"),
        config.read_text(encoding="utf-8") if config.is_file() else "",
    )


def read_rows(path: Path) -> list[dict[str, float]]:
    """Return the rows of a table of numbers; cells that are none are left out."""
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [
            {key: float(value) for key, value in row.items() if is_number(value)}
            for row in csv.DictReader(file)
        ]


def is_number(text: str | None) -> bool:
    """Return whether a cell holds a finite number."""
    try:
        return math.isfinite(float(text or ""))
    except ValueError:
        return False


def grids_of(folder: Path) -> list[tuple[int, Path]]:
    """Return step and file of the averaged generator's grids, or of the raw one's."""
    for kind in ("averaged", "raw"):
        found = [
            (int(match[1]), path)
            for path in sorted(folder.glob(f"{kind}_*.png"))
            if (match := re.fullmatch(rf"{kind}_(\d+)\.png", path.name))
        ]
        if found:
            return found
    return []


def thinned(items: list[Any], count: int = FRAMES) -> list[Any]:
    """Return at most ``count`` of some items, evenly spaced, first and last among them."""
    if len(items) <= count:
        return items
    return [items[round(k * (len(items) - 1) / (count - 1))] for k in range(count)]


def as_uri(path: Path) -> str:
    """Return an image as a data URI, re-encoded so that a page stays small."""
    with Image.open(path) as picture:
        image = picture.convert("RGB")
    if image.width > WIDEST:
        image = image.resize((WIDEST, round(image.height * WIDEST / image.width)))
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", quality=80, method=2)
    return "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode()
