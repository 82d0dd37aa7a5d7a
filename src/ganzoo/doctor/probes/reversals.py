"""Whether one loss that trains two networks reaches the first of them with its sign turned."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ganzoo.doctor.findings import Finding, found
from ganzoo.doctor.probes.gradients import wanted
from ganzoo.doctor.slopes import audited

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene
    from ganzoo.doctor.span import Backward, Call

CLEAR = 1e-4  # of the whole gradient; less is a reversal that is off


def reversals(scene: "Scene") -> Iterator[Finding]:
    """Yield reversals that are missing, doubled, or within the critic."""
    critic = {w.order: w for w in scene.losses_of("critic")}
    shared = [w for w in scene.losses_of("generator") if w.order in critic]
    own = set(scene.own["generator"])
    wants = {wanted(scene, walk) for walk in critic.values()}
    if {1, -1} <= wants:  # two losses in one step: told by the gradients
        shared = []
    for walk in critic.values():
        for call in scene.span.of("critic"):
            slopes = walk.slopes.get(call.order)
            if slopes is None or slopes[0] is None or not scene.watch.history.due(call):
                continue
            played = walk in shared and bool(walk.scores_reach.get(call.order, set()) & own)
            yield from one_call(scene, walk, call, slopes[0], played)
            break


def one_call(
    scene: "Scene", walk: "Backward", call: "Call", slopes: Tensor, played: bool
) -> Iterator[Finding]:
    """Yield what the derivatives of one call say.

    Args:
        scene: the span.
        walk: through the call.
        call: of the critic.
        slopes: of the loss by its scores.
        played: whether the same walk trains what made the critic's input.
    """
    ratios = audited(call, slopes)
    if ratios is None:
        return
    layers, entry = ratios
    turned = [name for name, ratio in layers.items() if ratio < -CLEAR]
    kept = [name for name, ratio in layers.items() if ratio > CLEAR]
    step = scene.span.first_step + 1
    if turned and kept:
        yield found(
            "reversal_inside_critic",
            role="critic",
            place=call.where,
            step=step,
            derivative_over_the_true_one={n: round(layers[n], 3) for n in (*turned, *kept)},
        )
        return
    if not played:
        return
    outside = factor_outside(scene, walk, call)
    if entry is None or outside is None:
        return
    factor = entry * outside
    if factor > CLEAR:
        yield found(
            "grl_not_reversing",
            role="generator",
            place=call.where,
            step=step,
            factor_on_the_gradient=factor,
            a_reversal_has="a negative one",
            loss_at=walk.where,
        )
    elif abs(factor) <= CLEAR:
        yield found("reversal_off", role="generator", place=call.where, step=step, factor=factor)


def factor_outside(scene: "Scene", walk: "Backward", call: "Call") -> float | None:
    """Return what the gradient is multiplied by between the critic's input and the generator.

    Where the critic's input is the generator's output up to scale and shift, row for row, an
    honest gradient is known; else None.
    """
    gradients, tensors = walk.reversal.get(call.order), walk.reversal.get(-1 - call.order)
    if not gradients or not tensors:
        return None
    made = {id(t) for c in scene.span.of("generator") for t in c.outputs}
    shown = [(t, g) for t, g in zip(tensors, gradients, strict=True) if id(t) not in made]
    sources = [(t, g) for t, g in zip(tensors, gradients, strict=True) if id(t) in made]
    if not shown and sources:  # the critic reads the generator's own output
        return 1.0
    for source, gradient in sources:
        for target, arriving in shown:
            if source is None or target is None or gradient is None or arriving is None:
                continue
            for rows in windows(len(target), len(source)):
                part, theirs = target.detach()[rows], arriving.detach()[rows]
                if part.numel() != source.numel():
                    continue
                scale = scale_between(source.detach(), part)
                if scale is None:
                    continue
                honest = scale * theirs.double().flatten()
                size = float(honest.square().sum())
                if size == 0:
                    return 0.0
                return float((gradient.double().flatten() * honest).sum()) / size
    return None


def windows(longer: int, shorter: int) -> list[slice]:
    """Return where a block of rows may lie in another: at its start, at its end, in between."""
    starts = dict.fromkeys((0, longer - shorter, *range(0, longer - shorter + 1, max(1, shorter))))
    return [slice(start, start + shorter) for start in starts if start >= 0]


def scale_between(source: Tensor, target: Tensor) -> float | None:
    """Return the factor that makes one tensor of another, up to a shift; None if none does."""
    x, y = source.double().flatten(), target.double().flatten()
    x, y = x - x.mean(), y - y.mean()
    size = float(x.square().sum())
    if size == 0:
        return None
    scale = float((x * y).sum()) / size
    left = float((y - scale * x).norm())
    return scale if scale and left < 1e-4 * float(torch.linalg.vector_norm(y)) else None
