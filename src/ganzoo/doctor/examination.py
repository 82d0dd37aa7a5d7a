"""Puts every probe to a span, and keeps a probe's own failure away from the training."""

import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ganzoo.doctor.findings import Finding
from ganzoo.doctor.probes import PROBES
from ganzoo.doctor.probes.holdings import holdings, settings
from ganzoo.doctor.scene import Scene
from ganzoo.doctor.span import Span

if TYPE_CHECKING:
    from ganzoo.doctor.watching import Watch

log = logging.getLogger("ganzoo.doctor")


def examined(watch: "Watch", span: Span) -> list[Finding]:
    """Return what all probes find in a span."""
    if not (watch.generators and watch.critics):
        return []
    scene = Scene(watch, span)
    found = []
    for probe in PROBES:
        found += guarded(probe, scene)
    watch.history.keep(scene)
    return found


def first_look(watch: "Watch") -> list[Finding]:
    """Return what the networks and optimisers say before any step."""
    if not (watch.generators and watch.critics and watch.optimizers):
        return []
    scene = Scene(watch, Span())
    return guarded(holdings, scene) + guarded(settings, scene)


def guarded(probe: Callable[[Scene], Iterator[Finding]], scene: Scene) -> list[Finding]:
    """Return a probe's findings; one that fails says so in the log, and stops nothing."""
    try:
        return list(probe(scene))
    except Exception:
        log.warning("the probe %s failed", probe.__name__, exc_info=True)
        return []
