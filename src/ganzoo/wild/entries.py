"""How a fault seen elsewhere is written down."""

from collections.abc import Callable
from typing import Any, Literal

from ganzoo.catalogue import Fault

GITHUB = "https://github.com/"


def seen(
    id: str,
    symptom: str,
    cause: str,
    source: str,
    donor: type,
    takes: str,
    oracle: Callable[[Any], None],
    reports: str,
    kind: Literal["silent", "crash"] = "silent",
) -> Fault[Any]:
    """Return a fault of origin "wild", from what ``Fault`` holds.

    ``takes`` are the donor's names, with spaces between; so are ``reports``, public threads such as
    ``caogang/wgan-gp#25``.
    """
    links = tuple(GITHUB + report.replace("#", "/issues/") for report in reports.split())
    return Fault(
        id, "wild", kind, symptom, cause, source, tuple(takes.split()), donor, oracle, links
    )
