"""Whether a gradient penalty draws each sample's slope to its target, where it should."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from ganzoo.doctor.findings import Finding, found
from ganzoo.doctor.graph import leaves_of, nodes_of, start_of
from ganzoo.doctor.probes.points import between
from ganzoo.doctor.scene import listed
from ganzoo.doctor.slopes import audited
from ganzoo.doctor.trace import Op

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene

HARMLESS = (
    "view",
    "reshape",
    "flatten",
    "pow",
    "__pow__",
    "square",
    "sum",
    "mul",
    "__mul__",
    "sqrt",
    "contiguous",
    "squeeze",
    "mean",
    "permute",
    "transpose",
    "norm",
)


class Penalty:
    """One derivation of a critic's scores by a tensor, and what is then made of it.

    Attributes:
        points: what the scores are derived by.
        slope: the gradient at each of them.
        call: the critic's forward on the points; None where it was not called as a whole.
        line: where it stands.
    """

    def __init__(self, scene: "Scene", op: Op, args: tuple[Any, ...]) -> None:
        self.op, self.line = op, op.where
        self.sources = listed(args[0] if args else op.settings.get("outputs"))
        self.points: Tensor = listed(args[1] if len(args) > 1 else op.settings.get("inputs"))[0]
        self.slope: Tensor = op.outputs[0]
        behind = nodes_of(node for t in self.sources for node in start_of(t))
        calls = [
            c
            for c in scene.span.of("critic")
            if any(t.grad_fn in behind for t in c.outputs if t.grad_fn is not None)
        ]
        self.calls = calls
        self.call = next((c for c in calls if any(t is self.points for t in c.inputs)), None)
        own = set(scene.own["critic"])
        self.of_critic = bool(calls) or bool(own & set(leaves_of(behind)))

    def used(self, scene: "Scene") -> bool:
        """Return whether the slope is part of a loss that is walked backwards."""
        return any(
            scene.trace.leads_to({id(self.slope)}, root)
            for walk in scene.span.backwards
            for root in walk.roots
        )


def penalties(scene: "Scene") -> Iterator[Finding]:
    """Yield what is wrong with the penalties on a critic's slope."""
    own = scene.own["critic"]
    for op, args, second in scene.trace.grads:
        penalty = Penalty(scene, op, args)
        weights = id(penalty.points) in own
        if weights or not penalty.of_critic or not isinstance(penalty.slope, Tensor):
            continue
        if penalty.slope.ndim < 2 or not penalty.used(scene):
            continue
        scene.watch.history.penalised = True
        if not penalty.slope.requires_grad:
            yield found(
                "gp_no_second_order",
                role="critic",
                place=penalty.line,
                step=scene.span.first_step + 1,
                create_graph=second,
            )
            continue
        yield from shape_of(scene, penalty)
        yield from between(scene, penalty)
        yield from space(scene, penalty)
        yield from normalised(scene)
        if scene.made_nodes.intersection(nodes_of(start_of(penalty.points))):
            yield found(
                "undetached_penalty",
                role="critic",
                place=penalty.line,
                step=scene.span.first_step + 1,
            )


def shape_of(scene: "Scene", penalty: Penalty) -> Iterator[Finding]:
    """Yield a norm that is not one of each sample."""
    count = len(penalty.slope)
    made = [
        op
        for op in scene.trace.ops
        if op.order > penalty.op.order
        and op.inputs
        and scene.trace.leads_to({id(penalty.slope)}, op.inputs[0])
    ]
    roots = [
        op
        for op in made
        if op.name in ("norm", "linalg_norm", "linalg_vector_norm", "vector_norm", "sqrt")
        or (op.name in ("pow", "__pow__") and 0.5 in op.numbers)
    ]
    step = scene.span.first_step + 1
    for op in roots:
        out = op.outputs[0]
        safe = {o.name for o in between_ops(scene, op, penalty.slope)} <= set(HARMLESS)
        if op.name not in ("norm", "linalg_norm", "linalg_vector_norm", "vector_norm") and safe:
            yield found(
                "gp_sqrt_at_zero", role="critic", place=op.where, step=step, operation=op.name
            )
        if out.ndim == 0 and count > 1:
            yield found(
                "gp_norm_over_batch",
                role="critic",
                place=op.where,
                step=step,
                samples=count,
                norms=1,
            )
        elif out.numel() > count:
            each = float(penalty.slope.detach().flatten(1).norm(dim=1).mean())
            seen = float(out.detach().abs().mean())
            yield found(
                "gp_wrong_norm_axis",
                role="critic",
                place=op.where,
                step=step,
                samples=count,
                norms=out.numel(),
                slope_per_sample=each,
                norm_in_the_penalty=seen,
            )
        return


def between_ops(scene: "Scene", op: Op, source: Tensor) -> list[Op]:
    """Return the calls between a tensor and what one call reads of it."""
    found_ops, waiting = [], list(op.parents)
    while waiting:
        one = waiting.pop()
        if any(t is source for t in one.outputs) or one in found_ops:
            continue
        if any(scene.trace.leads_to({id(source)}, t) for t in one.inputs):
            found_ops.append(one)
            waiting += one.parents
    return found_ops


def space(scene: "Scene", penalty: Penalty) -> Iterator[Finding]:
    """Yield a slope that is not the critic's by what it is shown."""
    step = scene.span.first_step + 1
    if penalty.call is None:
        for call in penalty.calls:
            shown = call.inputs[0].detach().double()
            points = penalty.points.detach().double()
            if shown.shape == points.shape and scene.trace.leads_to(
                {id(penalty.points)}, call.inputs[0]
            ):
                scale = float((shown * points).sum() / points.square().sum().clamp_min(1e-30))
                if abs(scale - 1) > 0.01:
                    yield found(
                        "gp_wrong_space",
                        role="critic",
                        place=penalty.line,
                        step=step,
                        critic_reads_the_points_times=scale,
                    )
        return
    if not scene.watch.history.due(penalty.call):
        return
    ones = torch.ones_like(penalty.call.outputs[0])
    ratios = audited(penalty.call, ones)
    entry = None if ratios is None else ratios[1]
    if entry is not None and abs(entry - 1) > 0.1:
        yield found(
            "gp_wrong_space",
            role="critic",
            place=penalty.line,
            step=step,
            slope_by_autograd_over_that_by_perturbation=entry,
        )


def normalised(scene: "Scene") -> Iterator[Finding]:
    """Yield a critic whose scores of single samples depend on the batch."""
    for module in scene.critics:
        layers = [
            name
            for name, part in module.named_modules()
            if isinstance(part, nn.modules.batchnorm._BatchNorm) and part.training
        ]
        if layers:
            yield found(
                "bn_in_gp_critic",
                role="critic",
                place=layers[0],
                step=scene.step,
                layers_with_batch_statistics=len(layers),
            )
