"""Whether the critic's output has the range that its loss reads."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ganzoo.doctor.copies import copied
from ganzoo.doctor.findings import Finding, found
from ganzoo.doctor.probes.signs import sides_slopes

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene
    from ganzoo.doctor.span import Call
    from ganzoo.doctor.trace import Op

WILD = (1.0, 30.0, -30.0, 1e3, -1e3)


def outputs(scene: "Scene") -> Iterator[Finding]:
    """Yield critics that are bounded under a loss of unbounded scores, and the other way round."""
    for module in scene.critics:
        calls = [c for c in scene.span.of("critic") if c.module is module and c.inputs]
        if not calls:
            continue
        reach = wild_range(calls[0])
        if reach is None:
            continue
        low, high = reach
        bounded = high - low <= 2.0 + 1e-6 and low >= -1 - 1e-6 and high <= 1 + 1e-6
        probabilities = bounded and low >= 0
        kind = loss_kind(scene, probabilities)
        evidence = {"scores_on_wild_inputs": (low, high), "loss": kind}
        place = type(module).__name__
        step = scene.span.first_step + 1
        if bounded and kind == "linear":
            yield found("bounded_critic_output", role="critic", place=place, step=step, **evidence)
        elif probabilities and kind == "logits":
            yield found("output_loss_mismatch", role="critic", place=place, step=step, **evidence)
        elif probabilities and kind == "probabilities":
            yield found("sigmoid_bce_saturation", role="critic", place=place, step=step, **evidence)
        yield from logarithms(scene, low, high)
    yield from saturating(scene)


def logarithms(scene: "Scene", low: float, high: float) -> Iterator[Finding]:
    """Yield a logarithm of a raw score, or of a probability that may be exactly 0."""
    outs = {id(t) for call in scene.span.of("critic") for t in call.outputs}
    for op in scene.trace.ops:
        if op.name not in ("log", "log2", "log10", "log_"):
            continue
        step = scene.span.first_step + 1
        if any(id(t) in outs for t in op.inputs) and low < 0:
            yield found(
                "log_of_unbounded_score",
                role="generator",
                place=op.where,
                step=step,
                operation=op.name,
                lowest_score=low,
            )
            return
        names = {one.name for one in op.parents} | {o.name for p in op.parents for o in p.parents}
        probable = low == 0 or high == 1 or "sigmoid" in names
        if probable and scene.trace.leads_to(outs, op.inputs[0]) and bare(op):
            yield found(
                "log_of_zero",
                role="critic",
                place=op.where,
                step=step,
                scores_on_wild_inputs=(low, high),
            )
            return


def bare(op: "Op") -> bool:
    """Return whether nothing keeps a logarithm's argument away from 0."""
    names = {one.name for one in op.parents}
    small = [n for one in op.parents for n in one.numbers if 0 < abs(n) < 0.01]
    return not small and not names & {"clamp", "clip", "clamp_min", "maximum"}


def saturating(scene: "Scene") -> Iterator[Finding]:
    """Yield a generator's loss that is flat where the critic calls a sample fake."""
    scores, slopes = sides_slopes(scene, scene.losses_of("generator"), "fake")
    if scores is None or slopes is None or len(scores) < 3 or not slopes.any():
        return
    logistic = torch.sigmoid(scores)
    size = slopes.abs()
    # d log(1 - sigmoid(s)) / ds is -sigmoid(s): it fades as the score falls
    factor = float((size * logistic).sum() / logistic.square().sum())
    alike = float((size - factor * logistic).abs().max()) < 1e-3 * float(size.max())
    spread = float(logistic.max() - logistic.min())
    if alike and spread > 1e-3 and bool((slopes < 0).all()):
        yield found(
            "saturating_loss",
            role="generator",
            step=scene.step,
            smallest_slope=float(size.min() / size.max()),
        )


def loss_kind(scene: "Scene", probabilities: bool) -> str:
    """Return "linear", "logits", "probabilities" or "other", as the critic's loss treats scores.

    By functions that name it, else by the slopes: constant where the loss is linear, a sigmoid
    of the score where it takes logits.
    """
    outs = {id(t) for call in scene.span.of("critic") for t in call.outputs}
    for op in scene.trace.ops:
        if op.inputs and any(scene.trace.leads_to(outs, t) for t in op.inputs[:1]):
            if op.name == "binary_cross_entropy_with_logits":
                return "logits"
            if op.name == "binary_cross_entropy":
                return "probabilities"
            if op.name in ("mse_loss", "l1_loss", "cross_entropy"):
                return "other"
    kinds = []
    for kind in ("real", "fake"):
        scores, slopes = sides_slopes(scene, scene.losses_of("critic"), kind)
        if scores is None or slopes is None or not slopes.any():
            continue
        size = slopes.abs() / slopes.abs().max()
        active = size[size > 0]
        if float(active.min()) > 1 - 1e-4 and len(size) > 1 and float(scores.std()) > 1e-7:
            kinds.append("linear")
            continue
        chance = torch.sigmoid(scores if kind == "fake" else -scores)
        alike = float((size - chance / chance.max()).abs().max()) < 1e-3
        kinds.append("logits" if alike else "other")
    if kinds and all(kind == kinds[0] for kind in kinds):
        return kinds[0]
    return (
        "probabilities" if probabilities and "log" in {o.name for o in scene.trace.ops} else "other"
    )


def wild_range(call: "Call") -> tuple[float, float] | None:
    """Return the least and the largest score of a copy on inputs far outside; None if unknown."""
    module = copied(call.module)
    if module is None:
        return None
    given: list[Tensor] = []
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.mul_(30)  # for a critic that normalises its input; a sigmoid stays one
        for factor in WILD:
            args = [a.detach() * factor if floating(a) else a for a in call.args]
            kwargs = {k: v.detach() * factor if floating(v) else v for k, v in call.kwargs.items()}
            try:
                out = module(*args, **kwargs)
            except (RuntimeError, ValueError, TypeError, IndexError):
                return None
            scores = out if isinstance(out, Tensor) else next(iter_tensors(out), None)
            if scores is not None:
                given.append(scores.detach().double().flatten())
    values = torch.cat(given) if given else torch.zeros(0)
    values = values[values.isfinite()]
    return (float(values.min()), float(values.max())) if len(values) else None


def iter_tensors(value: object) -> Iterator[Tensor]:
    """Yield the tensors of a list or tuple."""
    if isinstance(value, list | tuple):
        for item in value:
            if isinstance(item, Tensor) and item.is_floating_point():
                yield item


def floating(value: object) -> bool:
    """Return whether a value is a floating tensor."""
    return isinstance(value, Tensor) and value.is_floating_point()
