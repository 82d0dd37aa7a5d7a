"""What bounds a critic whose loss is linear in its scores, and whether it does."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torch import Tensor, nn

from ganzoo.doctor.findings import Finding, found
from ganzoo.doctor.probes.outputs import loss_kind

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene
    from ganzoo.doctor.trace import Op

CLIPS = ("clamp", "clip", "clamp_", "clip_")
UNBOUNDED_FOR = 8  # critic steps without a bound
TIGHT = 0.011  # Arjovsky et al. 2017 clip at 0.01, under a loss that takes scores as they are
NEXT_TO_NOTHING = 1e-3  # of a score


def bounds(scene: "Scene") -> Iterator[Finding]:
    """Yield bounds on weights that do not bound, and critics without any."""
    clips = [
        (op, role)
        for op in scene.trace.ops
        if op.name in CLIPS
        for role in scene.own
        if clipped(scene, role, op)
    ]
    step = scene.span.first_step + 1
    history = scene.watch.history
    for op, role in clips:
        if op.name in ("clamp", "clip") and not kept(scene, op):
            yield found(
                "clip_not_in_place", role=role, place=op.where, step=step, operation=op.name
            )
            return
    on_critic = [op for op, role in clips if role == "critic"]
    on_generator = [op for op, role in clips if role == "generator"]
    linear = loss_kind(scene, False) == "linear"
    if on_critic:
        history.penalised = True
        yield from timing(scene, on_critic, linear)
    if not linear:
        return
    history.linear_steps += len(scene.steps_of("critic"))
    if on_generator and not on_critic:
        yield found("clip_wrong_network", role="generator", place=on_generator[0].where, step=step)
    dropouts = [
        m
        for c in scene.critics
        for m in c.modules()
        if isinstance(m, nn.modules.dropout._DropoutNd) and m.p > 0 and m.training
    ]
    if dropouts:
        yield found(
            "dropout_in_critic",
            role="critic",
            step=scene.step,
            layers=len(dropouts),
            probability=float(dropouts[0].p),
        )
    if history.penalised or normalised(scene) or history.moved_by_others(scene):
        return
    if history.linear_steps >= UNBOUNDED_FOR:
        yield found(
            "lipschitz_constraint_missing",
            role="critic",
            step=step,
            critic_steps_without_a_bound=history.linear_steps,
        )


def timing(scene: "Scene", clips: "list[Op]", linear: bool) -> Iterator[Finding]:
    """Yield clips that come between a forward and the step, and say how tight others are."""
    steps = scene.steps_of("critic")
    forwards = [c.order for c in scene.span.of("critic")]
    late = 0
    for op in clips:
        behind = [s.order for s in steps if s.order < op.order]
        since = max(behind, default=-1)
        forwarded = any(since < order < op.order for order in forwards)
        ahead = any(s.order > op.order for s in steps)
        walked = any(since < b.order < op.order for b in scene.span.backwards)
        late += forwarded and ahead and walked
    if late and late == sum(any(s.order > op.order for s in steps) for op in clips):
        yield found(
            "clip_before_step",
            role="critic",
            place=clips[0].where,
            step=scene.span.first_step + 1,
            clips_between_forward_and_step=late,
        )
        return
    weights = [p for _, p in scene.own["critic"].values()]
    bound = max(float(p.detach().abs().max()) for p in weights if p.numel())
    shown = [t for c in scene.span.of("critic") for t in c.outputs]
    spread = max((float(t.detach().abs().max()) for t in shown), default=1.0)
    tight = bound <= TIGHT and (not linear or spread < NEXT_TO_NOTHING)
    code = "clip_too_tight" if tight else "clipped_weights"
    yield found(
        code,
        role="critic",
        place=clips[0].where,
        step=scene.span.first_step + 1,
        largest_weight=bound,
        largest_score=spread,
    )


def clipped(scene: "Scene", role: str, op: "Op") -> bool:
    """Return whether a call clips a parameter of a role, itself or by its data."""
    if not op.inputs or not isinstance(op.inputs[0], Tensor):
        return False
    given = op.inputs[0]
    places = {p.data_ptr(): p for _, p in scene.own[role].values()}
    owner = places.get(given.data_ptr())
    return owner is not None and owner.numel() == given.numel()


def kept(scene: "Scene", op: "Op") -> bool:
    """Return whether a clamped copy is used by anything later."""
    made = {id(t) for t in op.outputs}
    return any(
        later.order > op.order and any(id(t) in made for t in later.inputs)
        for later in scene.trace.ops
    )


def normalised(scene: "Scene") -> bool:
    """Return whether the critic's weights are spectrally normalised."""
    names = [n for c in scene.critics for n, _ in (*c.named_parameters(), *c.named_buffers())]
    return any("parametrizations" in n or n.endswith(("weight_orig", "weight_u")) for n in names)
