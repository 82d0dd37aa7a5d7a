"""Elementwise operations between scores and labels whose shapes broadcast."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torch import Tensor

from ganzoo.doctor.findings import Finding, found

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene

LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy_with_logits")
ARITHMETIC = (
    "sub",
    "subtract",
    "mul",
    "multiply",
    "__sub__",
    "__rsub__",
    "__mul__",
    "__rmul__",
    "rsub",
    "add",
    "maximum",
    "minimum",
    "lerp",
)


def shapes(scene: "Scene") -> Iterator[Finding]:
    """Yield operations that compare every score with every label."""
    outs = {id(t) for call in scene.span.of("critic") for t in call.outputs}
    before = min((c.order for c in scene.span.of("critic")), default=0)
    for op in scene.trace.ops:
        if op.order < before or op.name not in (*LOSSES, *ARITHMETIC) or len(op.inputs) < 2:
            continue
        one, two = op.inputs[:2]
        if not (isinstance(one, Tensor) and isinstance(two, Tensor) and crossed(one, two)):
            continue
        scores, labels = (one, two) if scene.trace.leads_to(outs, one) else (two, one)
        if not scene.trace.leads_to(outs, scores):
            continue
        harmless = same_along(labels)
        yield found(
            "label_shape_broadcast",
            severity="note" if harmless else "error",
            role="critic",
            place=op.where,
            step=scene.span.first_step + 1,
            operation=op.name,
            scores=tuple(scores.shape),
            labels=tuple(labels.shape),
            labels_are_one_number=harmless,
        )
        if not harmless:
            return


def crossed(one: Tensor, two: Tensor) -> bool:
    """Return whether two shapes broadcast to one that is larger than both."""
    if one.shape == two.shape or min(one.numel(), two.numel()) < 2:
        return False
    longer = max(one.ndim, two.ndim)
    shapes = [(1,) * (longer - t.ndim) + tuple(t.shape) for t in (one, two)]
    product = 1
    for a, b in zip(*shapes, strict=True):
        if a != b and 1 not in (a, b):
            return False
        product *= max(a, b)
    return product > max(one.numel(), two.numel())


def same_along(labels: Tensor) -> bool:
    """Return whether labels are one number, so that the broadcast changes nothing."""
    return bool((labels == labels.flatten()[0]).all())
