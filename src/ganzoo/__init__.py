"""Reference GANs next to the failed programs that they correct, fault by fault."""

from typing import TYPE_CHECKING, Any

from ganzoo.build import build, claims, faults, models

if TYPE_CHECKING:
    from ganzoo.data import datamodule

__version__ = "0.1.0"
__all__ = ["build", "claims", "datamodule", "faults", "models"]


def __getattr__(name: str) -> Any:
    # torch takes seconds to import: it is imported when something that needs it is asked for
    if name == "datamodule":
        from ganzoo.data import datamodule

        return datamodule
    raise AttributeError(f"module 'ganzoo' has no attribute {name!r}")
