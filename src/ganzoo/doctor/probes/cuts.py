"""Whether what the critic says of the fakes reaches the generator's weights, and what stops it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from torch import Tensor

from ganzoo.doctor.findings import Finding, found
from ganzoo.doctor.trace import Op

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene, Side
    from ganzoo.doctor.span import Backward

NO_GRADIENT = {
    "detach": "detach",
    "detach_": "detach_",
    "data": ".data",
    "numpy": ".numpy()",
    "from_numpy": "from_numpy",
    "as_tensor": "as_tensor",
}
SELECTIONS = ("argmax", "argmin", "argsort", "one_hot", "multinomial", "bernoulli", "topk")
COMPARISONS = ("gt", "lt", "ge", "le", "eq", "ne", "__gt__", "__lt__", "__ge__", "__le__")


def cuts(scene: "Scene") -> Iterator[Finding]:
    """Yield graphs that end, or carry zeros only, between the scores of fakes and the generator."""
    steps, walks = scene.steps_of("generator"), scene.losses_of("generator")
    if not steps:
        return
    # as it was at the steps: toggled networks are frozen in between
    own = set(scene.own["generator"]) - set.intersection(*(step.frozen for step in steps))
    if not own:
        return
    yield from dead_output(scene)
    for walk in walks:
        for side in scene.of("fake"):
            if walk.slopes.get(side.call.order) is None or after_all(scene, side, own):
                continue
            reach = walk.scores_reach.get(side.call.order, set())
            alive = walk.alive.get(side.call.order, set())
            if not reach & own:
                yield from cut(scene, walk, side)
            elif not alive & own:
                yield from flat(scene, walk)


def after_all(scene: "Scene", side: "Side", own: set[int]) -> bool:
    """Return whether a critic's call belongs to its own step, beside one that reaches."""
    walks = scene.losses_of("generator")
    return any(
        walk.alive.get(other.call.order, set()) & own
        for walk in walks
        for other in scene.of("fake")
        if other.call.module is side.call.module
    )


def dead_output(scene: "Scene") -> Iterator[Finding]:
    """Yield a generator whose output needs no gradient though its weights do."""
    for call in scene.span.of("generator"):
        if not call.grad or not call.outputs or any(t.requires_grad for t in call.outputs):
            continue
        if call.trainable:
            op = cause_of(scene, call.outputs[0])
            yield found(
                "graph_cut_nondifferentiable",
                role="generator",
                place=op.where if op else call.where,
                step=scene.span.first_step + 1,
                operation=op.name.strip("_") if op else "unknown",
                tensors_without_a_path=len(list(call.module.parameters())),
            )
            return


def cut(scene: "Scene", walk: "Backward", side: "Side") -> Iterator[Finding]:
    """Yield the place where the graph from a fake's score ends."""
    shown: Any = next((t for t in side.call.inputs if scene.is_fake(t)), side.call.inputs[0])
    if any(
        c.grad and c.trainable and not c.outputs[0].requires_grad
        for c in scene.span.of("generator")
    ):
        return  # said by dead_output
    op = cause_of(scene, shown)
    selecting = op is not None and op.name in (*SELECTIONS, *COMPARISONS)
    code = "graph_cut_nondifferentiable" if selecting else "graph_cut_generator_loss"
    step = next((s for s in scene.steps_of("generator") if s.order > walk.order), None)
    own = scene.own["generator"]
    none = len([k for k in own if step and (k in step.none or k in step.zero)])
    yield found(
        code,
        role="generator",
        place=op.where if op else side.call.where,
        step=scene.span.first_step + 1,
        operation=NO_GRADIENT.get(op.name, op.name) if op else "unknown",
        gradients_missing_at_the_step=none,
        of=len(own),
        loss_at=walk.where,
    )


def cause_of(scene: "Scene", tensor: Any) -> Op | None:
    """Return the call behind which a tensor that was made of gradients no longer has any."""
    last = None
    for op in scene.trace.ancestors(tensor):
        needed = any(isinstance(t, Tensor) and t.requires_grad for t in op.inputs)
        lost = not any(isinstance(t, Tensor) and t.requires_grad for t in op.outputs)
        if needed and lost:
            return op
        if op.name in NO_GRADIENT and last is None:
            last = op
    return last


def flat(scene: "Scene", walk: "Backward") -> Iterator[Finding]:
    """Yield the operation whose derivative is zero on the only way to the generator."""
    step = next((s for s in scene.steps_of("generator") if s.order > walk.order), None)
    name, where = walk.zeros[0] if walk.zeros else ("unknown", "")
    own = scene.own["generator"]
    yield found(
        "zero_derivative",
        role="generator",
        place=where or walk.where,
        step=scene.span.first_step + 1,
        operation=f"{name} at {where}" if where else name,
        gradients_exactly_zero=len([k for k in own if step and k in step.zero]),
        of=len(own),
    )
