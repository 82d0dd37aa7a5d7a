"""What reals and fakes look like where the critic reads them: ranges, constants, scales, labels."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ganzoo.doctor.copies import copied
from ganzoo.doctor.findings import Finding, found

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene

LARGE = 20.0  # of what the critic reads; pixels up to 255 are far beyond
ONE_SCALE = 10.0


def supports(scene: "Scene") -> Iterator[Finding]:
    """Yield differences in support that give a fake away, and inputs of unequal scale."""
    reals = [side for side in scene.of("real") if side.shown.is_floating_point()]
    fakes = scene.of("fake")
    step = scene.span.first_step + 1
    broken = [side for side in reals if not side.shown.isfinite().all()]
    if broken:
        lost = int((~broken[0].shown.isfinite()).sum())
        yield found(
            "nan_in_data",
            role="critic",
            place=broken[0].call.where,
            step=step,
            numbers_not_finite=lost,
            of=broken[0].shown.numel(),
        )
        return
    if reals and fakes and not one_of_several(scene):
        yield from compared(scene, [s.shown for s in reals], fakes[-1].shown)
        yield from noise(scene)
    yield from scales(scene)
    yield from labels(scene)
    yield from repeated(scene)


def one_of_several(scene: "Scene") -> bool:
    """Return whether the critic reads more than one tensor, such as an image and a condition."""
    return any(len(c.inputs) > 1 for c in scene.span.of("critic"))


def compared(scene: "Scene", reals: list[Tensor], fake: Tensor) -> Iterator[Finding]:
    """Yield ranges that the generator cannot reach or the reals leave out, and constants."""
    step = scene.span.first_step + 1
    low = min(float(r.min()) for r in reals)
    high = max(float(r.max()) for r in reals)
    scene.watch.history.seen_reals(low, high)
    low, high = scene.watch.history.real_range
    reach = reachable(scene, fake)
    if reach is None:
        if any(c.outputs for c in scene.span.of("generator")) and high - low <= 2.01:
            yield from open_output(scene, low, high)
    else:
        least, most = reach
        wide = most - least
        beyond = max(least - low, high - most) / wide
        empty = max((low - least), (most - high)) / wide
        # latents hardly ever reach the ends; half of the range is more than chance leaves out
        if beyond > 0.2 or empty > 0.45:
            yield found(
                "range_mismatch",
                role="critic",
                step=step,
                reals=(low, high),
                generator_reaches=(least, most),
            )
    stacked = torch.cat([r.flatten(1) for r in reals])
    if stacked.shape[1] >= 16 and len(stacked) >= 8:
        still = (stacked == stacked[0]).all(0)
        inside = still & (stacked[0] > low + 0.2 * (high - low))
        inside &= stacked[0] < high - 0.2 * (high - low)
        moving = fake.flatten(1).std(0) > 0 if len(fake) > 1 else torch.ones_like(inside)
        count = int((inside & moving).sum()) if moving.shape == inside.shape else 0
        if count >= 0.02 * stacked.shape[1] and not still.all():
            yield found(
                "trivial_real_fake_tell",
                role="critic",
                step=step,
                constant_positions=count,
                of=stacked.shape[1],
                value=float(stacked[0][inside][0]),
                reals=(low, high),
            )


def open_output(scene: "Scene", low: float, high: float) -> Iterator[Finding]:
    """Yield a generator whose output no activation bounds, beside data that are bounded."""
    call = scene.span.of("generator")[-1]
    if call.outputs[0].ndim == 4 and scene.watch.history.due(call):
        yield found("unbounded_generator", role="generator", step=scene.step, reals=(low, high))


def reachable(scene: "Scene", fake: Tensor) -> tuple[float, float] | None:
    """Return the range of the generator's last activation where the critic reads; None if open."""
    history = scene.watch.history
    if history.reach is None:
        history.reach = (activation_range(scene),)
    (bounds,) = history.reach
    if bounds is None:
        return None
    found_map = scene.affine(fake)
    if found_map is None:
        return None
    _, scale, shift = found_map
    ends = sorted((bounds[0] * scale + shift, bounds[1] * scale + shift))
    return ends[0], ends[1]


def activation_range(scene: "Scene") -> tuple[float, float] | None:
    """Return the least and largest output of a generator's copy with huge weights; None if open."""
    calls = [c for c in scene.span.of("generator") if c.inputs and c.outputs]
    if not calls:
        return None
    call = calls[-1]
    module = copied(call.module)
    if module is None:
        return None
    values = []
    with torch.no_grad():
        for factor in (30.0, -30.0, 30.0):
            for parameter in module.parameters():
                parameter.mul_(factor)
            try:
                out = module(*call.args, **call.kwargs)
            except (RuntimeError, ValueError, TypeError):
                return None
            if not isinstance(out, Tensor) or not out.isfinite().all():
                return None
            values += [float(out.min()), float(out.max())]
    low, high = min(values), max(values)
    return (low, high) if high - low <= 2.0 + 1e-6 and high > low and abs(low) <= 1 + 1e-6 else None


def noise(scene: "Scene") -> Iterator[Finding]:
    """Yield noise that is added on the way to the critic on one side only."""
    noisy = {}
    for kind in ("real", "fake"):
        noisy[kind] = [
            op
            for side in scene.of(kind)
            for op in scene.trace.ancestors(side.call.inputs[0])
            if op.name in ("randn_like", "rand_like") and not made_before_generator(scene, op)
        ]
    if noisy["real"] and not noisy["fake"]:
        yield found(
            "noise_on_one_side",
            role="critic",
            place=noisy["real"][0].where,
            step=scene.span.first_step + 1,
            operation=noisy["real"][0].name,
            side="real",
        )


def made_before_generator(scene: "Scene", op: object) -> bool:
    """Return whether a call's result goes into a generator rather than beside its output."""
    return any(
        op is one
        for c in scene.span.of("generator")
        for t in c.inputs
        for one in scene.trace.ancestors(t)
    )


def scales(scene: "Scene") -> Iterator[Finding]:
    """Yield inputs of one network that differ in scale, and inputs far from a unit."""
    step = scene.span.first_step + 1
    role, every = "generator", scene.span.of("generator")
    kinds = {(id(c.module), c.inputs[0].shape[1:]) for c in every if c.inputs}
    for module, shape in kinds:
        calls = [
            c
            for c in every
            if c.inputs and id(c.module) == module and c.inputs[0].shape[1:] == shape
        ]
        spans = [
            (float(c.inputs[0].detach().std()), c)
            for c in calls
            if c.inputs[0].numel() > 1 and c.grad
        ]
        spans = [(s, c) for s, c in spans if s > 0]
        images = [c for c in calls if c.inputs and c.inputs[0].ndim == 4]
        largest_image = max((float(c.inputs[0].detach().abs().max()) for c in images), default=0.0)
        if largest_image > LARGE and len(images) == len(calls):
            yield found("unscaled_input", role=role, step=step, largest=largest_image)
        if len(spans) > 1:
            (least, _), (most, call) = min(spans, key=first), max(spans, key=first)
            if most > ONE_SCALE * least:
                yield found(
                    "domain_scale_mismatch",
                    role=role,
                    place=call.where,
                    step=step,
                    deviations=(least, most),
                    times=most / least,
                )
    shown = {kind: [s.shown for s in scene.of(kind)] for kind in ("real", "fake")}
    largest = {k: max((float(t.abs().max()) for t in v), default=0.0) for k, v in shown.items()}
    if largest["real"] > LARGE and scene.span.of("critic")[0].inputs[0].ndim >= 2:
        mismatch = largest["fake"] * ONE_SCALE < largest["real"] and largest["fake"] <= 1.01
        code = "domain_scale_mismatch" if mismatch else "unscaled_input"
        yield found(
            code,
            role="critic",
            step=step,
            largest_real=largest["real"],
            largest_fake=largest["fake"],
        )


def first(pair: tuple[float, object]) -> float:
    """Return the first of two."""
    return pair[0]


def labels(scene: "Scene") -> Iterator[Finding]:
    """Yield labels of a classifier that are all one."""
    for op in scene.trace.ops:
        if op.name in ("cross_entropy", "nll_loss") and len(op.inputs) > 1:
            target = op.inputs[1]
            if isinstance(target, Tensor) and not target.is_floating_point() and len(target) >= 16:
                scores = op.inputs[0]
                if scores.shape[-1] > 2 or scores.ndim > 1:
                    scene.watch.history.labels(op.where, target)
    for where, value in scene.watch.history.constant_labels():
        yield found(
            "constant_condition",
            place=where,
            step=scene.step,
            label=value,
            examined_batches=scene.watch.history.label_batches[where],
        )


def repeated(scene: "Scene") -> Iterator[Finding]:
    """Yield latents that are the same in several rounds, while the reals change."""
    calls = [c for c in scene.span.of("generator") if c.grad and c.inputs]
    reals = [s.shown for s in scene.of("real")]
    if calls and reals and scene.watch.history.same_noise(calls, reals[-1]):
        yield found(
            "fixed_noise",
            role="generator",
            place=calls[-1].where,
            step=scene.step,
            examined_rounds_with_equal_latents=scene.watch.history.equal_rounds,
        )
