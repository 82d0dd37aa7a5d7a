"""Pages that show a run, several runs side by side, or a sweep over faults: one file each."""

from ganzoo.report.pages import write_report, write_side_by_side, write_sweep

__all__ = ["write_report", "write_side_by_side", "write_sweep"]
