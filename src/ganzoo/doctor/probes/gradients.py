"""What is in the gradients that a step uses, and whose loss they come from."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torch import Tensor

from ganzoo.doctor.findings import Finding, found

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene
    from ganzoo.doctor.span import Backward, Step

LARGEST_MOVE = 0.05  # of one weight in a step; layers of a hundred inputs start within 0.1


def gradients(scene: "Scene") -> Iterator[Finding]:
    """Yield what is wrong with gradients at the steps."""
    for role in scene.own:
        for step in scene.steps_of(role):
            yield from at_step(scene, role, step)
    yield from kept(scene)


def at_step(scene: "Scene", role: str, step: "Step") -> Iterator[Finding]:
    """Yield what one step says of one role."""
    own = [key for key in scene.own[role] if key in scene.held[step.index]]
    if not own:
        return
    place, number = f"optimizer {step.index}", step.number + 1
    if all(key in step.frozen for key in own):
        yield found(
            "adversary_frozen", role=role, place=place, step=number, frozen_tensors=len(own)
        )
        return
    earlier = [s for s in scene.span.steps if s.index == step.index and s.order < step.order]
    old = [
        key
        for key in own
        if earlier
        and any(0 <= o < earlier[-1].order for o in step.sources.get(key, ()))
        and key not in step.none
    ]
    if old:
        yield found(
            "missing_zero_grad",
            role=role,
            place=place,
            step=number,
            tensors_with_gradients_of_earlier_steps=len(old),
            of=len(own),
        )
    else:
        yield from mixed(scene, role, step, own)
    walked = [b for b in scene.span.backwards if b.order < step.order]
    since = earlier[-1].order if earlier else -1
    lost = [
        key
        for key in own
        if key in step.none and any(key in b.reached for b in walked if b.order > since)
    ]
    alone = not any(own[0] in held for i, held in enumerate(scene.held) if i != step.index)
    if len(lost) == len(own) and alone:
        yield found(
            "gradient_cleared_before_step",
            role=role,
            place=place,
            step=number,
            tensors_without_a_gradient=len(lost),
            of=len(own),
        )
    if step.moved > LARGEST_MOVE:
        yield found(
            "step_too_large",
            role=role,
            place=place,
            step=number,
            largest_change=step.moved,
            rate=float(scene.watch.optimizers[step.index].param_groups[0]["lr"]),
        )


def mixed(scene: "Scene", role: str, step: "Step", own: list[int]) -> Iterator[Finding]:
    """Yield a step whose gradients come of two losses that want the opposite of a fake's score."""
    orders = {o for key in own for o in step.sources.get(key, ())}
    walks = [b for b in scene.span.backwards if b.order in orders]
    wants = {b.where + f" #{b.order}": wanted(scene, b) for b in walks}
    signs = {value for value in wants.values() if value}
    stolen = [
        b
        for b in walks
        if any(b.order < s.order < step.order and s.index != step.index for s in scene.span.steps)
    ]
    if len(walks) > 1 and len(signs) == 2 and (stolen or both_used(scene, walks)):
        lines = [b.where or "?" for b in walks]
        yield found(
            "stale_grads_cross_optimizer",
            role=role,
            place=f"optimizer {step.index}",
            step=step.number + 1,
            backwards_in_one_step=len(walks),
            at=lines,
        )


def both_used(scene: "Scene", walks: "list[Backward]") -> bool:
    """Return whether each of two losses is another role's own, too."""
    owners = [
        {role for role in scene.own for key in scene.own[role] if key in walk.reached}
        for walk in walks
    ]
    return all(len(roles) == 2 for roles in owners[:1])


def wanted(scene: "Scene", walk: "Backward") -> int:
    """Return the sign of a loss's slope by the scores of fakes; 0 where it has none, or no sign."""
    total, size = 0.0, 0.0
    for side in scene.of("fake"):
        for slope in walk.slopes.get(side.call.order, []):
            if slope is not None:
                part = rows_of(slope, side.rows).double()
                total += float(part.sum())
                size += float(part.abs().sum())
    return 0 if abs(total) <= 0.5 * size else (1 if total > 0 else -1)


def rows_of(tensor: Tensor, rows: slice) -> Tensor:
    """Return some rows of a tensor; all of a scalar."""
    return tensor[rows] if tensor.ndim else tensor


def kept(scene: "Scene") -> Iterator[Finding]:
    """Yield gradients that were kept by reference, cleared in place, and used."""
    used = {}
    for order, gradient in scene.span.kept_grads:
        for op in scene.trace.ops:
            if op.order > order and op.name != "backward" and any(t is gradient for t in op.inputs):
                used[id(gradient)] = op.where
    names = [name for own in scene.own.values() for _, (name, p) in own.items()]
    if used:
        yield found(
            "zero_grad_kills_saved_grads",
            place=next(iter(used.values())),
            step=scene.span.first_step + 1,
            kept_gradients=len(used),
            of=len(names),
        )
