"""Training curves as ``metrics.csv``: appended row by row, and continued by a resumed run."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytorch_lightning.loggers import Logger
from pytorch_lightning.utilities import rank_zero_only


class CSVRows(Logger):
    """Appends a row of numbers for each logged step.

    Lightning's own CSV logger deletes the file that it finds, and with it the first half of a
    resumed run. ``step`` counts the generator's steps, since Lightning's own count depends on how
    often the critic is stepped.

    Args:
        save_dir: the run folder.
    """

    def __init__(self, save_dir: str | Path) -> None:
        super().__init__()
        self.path = Path(save_dir) / "metrics.csv"
        self.columns: list[str] = []

    @property
    def name(self) -> str:
        return "csv"

    @property
    def version(self) -> str:
        return ""

    @property
    def save_dir(self) -> str:
        return str(self.path.parent)

    def continue_after(self, step: int) -> None:
        """Drop the rows after ``step``, which a resumed run writes again."""
        if self.path.exists():
            with self.path.open(newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.rewrite([row for row in rows if row["step"] and int(row["step"]) <= step])

    @rank_zero_only
    def log_hyperparams(self, *args: Any, **kwargs: Any) -> None:
        """Log nothing: the run folder holds the whole configuration."""

    @rank_zero_only
    def log_metrics(self, metrics: Mapping[str, float], step: int | None = None) -> None:
        row = {"step": step, **{k: v for k, v in metrics.items() if k != "epoch"}}
        if not set(row) <= set(self.columns):
            rows: list[dict[str, Any]] = []
            if self.path.exists():
                with self.path.open(newline="", encoding="utf-8") as file:
                    rows = list(csv.DictReader(file))
            self.columns += [column for column in row if column not in self.columns]
            self.rewrite(rows)
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, self.columns).writerow(row)

    def rewrite(self, rows: list[dict[str, Any]]) -> None:
        """Write the file anew, whole or not at all."""
        for row in rows:
            self.columns += [column for column in row if column not in self.columns]
        part = self.path.with_suffix(".part")
        with part.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self.columns)
            writer.writeheader()
            writer.writerows(rows)
        part.replace(self.path)
