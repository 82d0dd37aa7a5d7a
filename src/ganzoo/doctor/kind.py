"""What is said of every finding of a kind."""

from typing import Literal, NamedTuple


class Kind(NamedTuple):
    """What is said of every finding of a kind.

    Attributes:
        severity: unless the probe knows better.
        cause: why what was measured is so.
        remedy: what to do.
        faults: ids of the catalogue with this mechanism.
    """

    severity: Literal["error", "warning", "note"]
    cause: str
    remedy: str
    faults: tuple[str, ...] = ()
