"""Remarks of libraries that do not concern a ganzoo run."""

import logging
import warnings

REMARKS = (
    ".*does not have many workers.*",
    ".*The `srun` command is available.*",
    ".*Tensor Cores.*",
    ".*GPU available but not used.*",
    ".*exists and is not empty.*",
    ".*isinstance\\(treespec.*",  # Lightning 2.6 on torch 2.14
)


def calm() -> None:
    """Silence Lightning's tips and hints; its errors and other warnings stay."""
    for name in ("pytorch_lightning", "lightning.pytorch", "lightning.fabric", "lightning_fabric"):
        logging.getLogger(name).setLevel(logging.ERROR)
    for remark in REMARKS:
        warnings.filterwarnings("ignore", message=remark)
