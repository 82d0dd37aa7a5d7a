"""What is made of several runs when the last of them is done."""

import logging
from pathlib import Path
from typing import Any

from hydra.experimental.callback import Callback
from omegaconf import DictConfig

from ganzoo.ablation import write_table

MOST_COLUMNS = 6  # runs that stand side by side on one page

log = logging.getLogger(__name__)


class WritePages(Callback):
    """Writes the table and the page of a sweep over faults, or a page of few runs side by side."""

    def on_multirun_end(self, config: DictConfig, **_kwargs: Any) -> None:
        """Write the pages into the sweep's folder; one that fails costs no result."""
        folder = Path(config.hydra.sweep.dir)
        try:
            path = pages_of(folder)
        except Exception as error:  # noqa: BLE001 - the runs are done, and their results lie there
            log.warning("%s: no page of these runs: %s", folder, error)
            return
        if path is not None:
            print(f"all of them on one page: {path}")  # noqa: T201


def pages_of(folder: Path) -> Path | None:
    """Write what a folder of several runs can be made into; return the page, or None.

    Raises:
        ValueError: there are too many runs for one page.
        FileNotFoundError: there are none.
    """
    from ganzoo.report import write_side_by_side, write_sweep

    cells = sorted(path.parent for path in folder.rglob("results.json"))
    if not cells:
        raise FileNotFoundError(f"{folder}: no results.json below it")
    if any(cell.parent.parent == folder for cell in cells):  # by fault, then by seed
        write_table(folder)
        return write_sweep(folder)
    if len(cells) < 2:
        return None
    if len(cells) > MOST_COLUMNS:
        raise ValueError(f"{len(cells)} runs are too many for one page: give some of them")
    return write_side_by_side(cells, folder / "report.html")
