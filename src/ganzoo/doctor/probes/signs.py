"""What each loss wants of the critic's scores: whether the players oppose each other."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ganzoo.doctor.findings import Finding, found
from ganzoo.doctor.probes.gradients import rows_of

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene
    from ganzoo.doctor.span import Backward

FAR = 1.5  # stands for "as high as can be", and for every target beyond
ELEMENTWISE = (
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "mse_loss",
    "l1_loss",
    "cross_entropy",
    "nll_loss",
    "soft_margin_loss",
    "smooth_l1_loss",
)


def signs(scene: "Scene") -> Iterator[Finding]:
    """Yield losses that ask the same where they should ask the opposite."""
    critic, generator = scene.losses_of("critic"), scene.losses_of("generator")
    shared = {w.order for w in critic} & {w.order for w in generator}
    fake = target_of(scene, critic, "fake")
    real = target_of(scene, critic, "real")
    if fake is not None and real is not None and abs(fake - real) < 0.05 and fake != 0:
        walk = critic[0]
        yield found(
            "label_typo",
            role="critic",
            place=walk.where,
            step=scene.span.first_step + 1,
            wanted_of_reals=real,
            wanted_of_fakes=fake,
        )
    elif not shared:
        own = target_of(scene, generator, "fake")
        if fake is not None and own is not None:
            other = real if real is not None else -fake
            if abs(own - fake) + 0.05 < abs(own - other):
                yield found(
                    "generator_cooperates",
                    role="generator",
                    place=generator[0].where,
                    step=scene.span.first_step + 1,
                    critic_wants_of_fakes=fake,
                    of_reals=other,
                    generator_wants_of_fakes=own,
                )
    yield from flat_where_lost(scene, generator)
    yield from trained_to_lose(scene, critic)


def target_of(scene: "Scene", walks: "list[Backward]", kind: str) -> float | None:
    """Return the score that losses want on one side; +-1.5 for as far as can be; None if unclear.

    Where slopes rise in proportion to the scores, as a squared loss has it, the target is where
    the line crosses zero; else the sign of the slopes says the direction.
    """
    scores, slopes = sides_slopes(scene, walks, kind)
    if slopes is None or scores is None or not slopes.any():
        return None
    spread = scores.var(unbiased=False)
    if len(scores) > 2 and spread > 1e-12 * (1 + scores.square().mean()):
        centred = scores - scores.mean()
        steep = float((centred * (slopes - slopes.mean())).sum() / centred.square().sum())
        left = slopes - slopes.mean() - steep * centred
        straight = float(left.square().sum()) <= 1e-4 * float(
            (slopes - slopes.mean()).square().sum()
        )
        if steep > 0 and straight:
            crossing = float(scores.mean() - slopes.mean() / steep)
            return max(-FAR, min(FAR, crossing))
    total, size = float(slopes.sum()), float(slopes.abs().sum())
    return None if abs(total) < 0.5 * size else (-FAR if total > 0 else FAR)


def sides_slopes(
    scene: "Scene", walks: "list[Backward]", kind: str
) -> tuple[Tensor | None, Tensor | None]:
    """Return the scores of one side and the losses' slopes by them, flat; None if none arrive."""
    scores, slopes = [], []
    for walk in walks:
        for side in scene.of(kind):
            pairs = zip(side.call.outputs, walk.slopes.get(side.call.order, []), strict=False)
            for out, slope in pairs:
                if slope is not None and slope.isfinite().all():
                    scores.append(rows_of(out.detach(), side.rows).double().flatten())
                    slopes.append(rows_of(slope, side.rows).double().flatten())
    if not slopes:
        return None, None
    return torch.cat(scores), torch.cat(slopes)


def flat_where_lost(scene: "Scene", walks: "list[Backward]") -> Iterator[Finding]:
    """Yield a generator's loss that has no slope at all for some of the fakes."""
    scores, slopes = sides_slopes(scene, walks, "fake")
    if scores is None or slopes is None:
        return
    level = slopes == 0
    clipping = [
        op
        for op in scene.trace.ops
        if op.name in ("relu", "clamp", "clip", "threshold", "relu_", "clamp_min", "maximum")
        and any(reads_score(scene, t, walks) for t in op.inputs)
    ]
    # a critic's own hinge is flat where it is right, and is no concern of the generator's loss
    if level.any() and clipping and float(scores[level].abs().max()) < 50:
        yield found(
            "hinge_generator_relu",
            role="generator",
            place=clipping[-1].where,
            step=scene.span.first_step + 1,
            fakes_without_a_slope=int(level.sum()),
            of=len(level),
            operation=clipping[-1].name,
        )


def reads_score(scene: "Scene", tensor: object, walks: "list[Backward]") -> bool:
    """Return whether a tensor is made of a fake's score that the walks start behind."""
    outs = {
        id(t)
        for walk in walks
        for side in scene.of("fake")
        if side.call.order in walk.slopes
        for t in side.call.outputs
    }
    return scene.trace.leads_to(outs, tensor)


def trained_to_lose(scene: "Scene", walks: "list[Backward]") -> Iterator[Finding]:
    """Yield a critic whose step raises an elementwise loss of its own scores."""
    outs = {id(t) for call in scene.span.of("critic") for t in call.outputs}
    for walk in walks:
        for op in scene.trace.ops:
            if op.name not in ELEMENTWISE or op.order > walk.order or not op.outputs:
                continue
            loss = op.outputs[0]
            if not (isinstance(loss, Tensor) and scene.trace.leads_to(outs, op.inputs[0])):
                continue
            sign = coefficient(scene, walk, loss)
            if sign is not None and sign < 0:
                yield found(
                    "adversary_trained_to_lose",
                    role="critic",
                    place=op.where,
                    step=scene.span.first_step + 1,
                    loss=op.name,
                    factor_in_the_total=sign,
                )


def coefficient(scene: "Scene", walk: "Backward", loss: Tensor) -> float | None:
    """Return the factor with which a loss stands in a total, by the calls in between."""
    factors: dict[int, float] = {id(loss): 1.0}
    for op in scene.trace.ops:
        known = [(i, factors[id(t)]) for i, t in enumerate(op.inputs) if id(t) in factors]
        if not known or op.order > walk.order or not op.outputs:
            continue
        place, factor = known[0]
        name = op.name.strip("_")
        if (
            name in ("neg", "negative")
            or (name in ("sub", "subtract") and place == 1)
            or (name == "rsub" and place == 0)
        ):
            factor = -factor
        elif name in ("mul", "rmul", "multiply", "div", "truediv"):
            other = op.numbers
            factor *= (other[0] if name != "div" else 1 / other[0]) if other and other[0] else 1.0
        elif name not in ("add", "radd", "iadd", "sum", "mean", "view", "reshape", "squeeze"):
            continue
        for out in op.outputs:
            factors.setdefault(id(out), factor)
    return next((factors[id(root)] for root in walk.roots if id(root) in factors), None)
