"""Which parameters the optimisers hold, and at which rates."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from torch.optim import Adam, AdamW

from ganzoo.doctor.findings import Finding, found
from ganzoo.doctor.recorder import parameters_of

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene

MOMENTUM = 0.9
TINY_RATE = 5e-5  # of Adam; RMSprop's 5e-5 in Arjovsky et al. 2017 is usual
FASTER = 50.0  # Heusel et al. 2017 take 4 times the rate, Gulrajani et al. 2017 five steps


def holdings(scene: "Scene") -> Iterator[Finding]:
    """Yield what optimisers hold beside the networks, twice, or not at all."""
    if not scene.span.steps:
        return
    reached = {key for walk in scene.span.backwards for key in walk.reached}
    held = set().union(*scene.held)
    step = scene.span.first_step + 1
    for index, ids in enumerate(scene.held):
        foreign = [key for key in ids if key not in scene.names and key not in reached]
        stepped = any(s.index == index for s in scene.span.steps)
        if foreign and stepped:
            mine = len(ids) - len(foreign)
            yield found(
                "optimizer_wrong_params",
                place=f"optimizer {index}",
                step=step,
                tensors_held=len(ids),
                of_no_network_in_use=len(foreign),
                of_the_networks=mine,
            )
    for role, own in scene.own.items():
        missing = [n for key, (n, _) in own.items() if key not in held and key in reached]
        if missing and (held & set(own) or scene.watch.given_optimizers):
            yield found(
                "params_not_in_any_optimizer",
                role=role,
                place=shortened(missing),
                step=step,
                tensors_in_no_optimizer=len(missing),
                of=len(own),
            )
    yield from twice(scene, step)


def twice(scene: "Scene", step: int) -> Iterator[Finding]:
    """Yield parameters that two optimisers hold, or one holds twice."""
    for index, optimizer in enumerate(scene.watch.optimizers):
        counts = Counter(id(p) for p in parameters_of(optimizer))
        double = [scene.names.get(key, "?") for key, n in counts.items() if n > 1]
        if double:
            yield found(
                "params_in_two_optimizers",
                place=shortened(double),
                step=step,
                held_twice_by=f"optimizer {index}",
                tensors=len(double),
            )
    for (i, one), (j, two) in combinations(enumerate(scene.held), 2):
        shared = one & two
        if not shared:
            continue
        used_again = any(
            set(a.sources.get(key, ())) & set(b.sources.get(key, ()))
            for a in scene.span.steps
            if a.index == i
            for b in scene.span.steps
            if b.index == j
            for key in shared
        )
        yield found(
            "params_in_two_optimizers",
            severity="error" if used_again else "note",
            place=shortened([scene.names.get(key, "?") for key in shared]),
            step=step,
            optimizers=f"{i} and {j}",
            tensors=len(shared),
            one_gradient_used_twice=used_again,
        )


def settings(scene: "Scene") -> Iterator[Finding]:
    """Yield rates and momenta that are worth a thought."""
    rates: dict[str, float] = {}
    shared = scene.users_of("critic") == scene.users_of("generator")  # one loss, and no game of two
    for role in scene.own:
        for index in scene.users_of(role):
            optimizer = scene.watch.optimizers[index]
            group = optimizer.param_groups[0]
            rate = rates[role] = float(group["lr"])
            adam = isinstance(optimizer, Adam | AdamW)
            if adam and not shared and float(group["betas"][0]) >= MOMENTUM:
                yield found("momentum", role=role, step=scene.step, beta=float(group["betas"][0]))
            if adam and 0 < rate < TINY_RATE:
                yield found("tiny_rate", role=role, step=scene.step, rate=rate)
    turns = [len(scene.steps_of(role)) for role in ("critic", "generator")]
    if min(turns) and len(rates) == 2 and rates["generator"] and not shared:
        faster = rates["critic"] / rates["generator"] * turns[0] / turns[1]
        if faster > FASTER:
            yield found(
                "critic_overtrained",
                role="critic",
                step=scene.step,
                times_as_fast=faster,
                critic_rate=rates["critic"],
                generator_rate=rates["generator"],
                critic_steps_for_each_of_the_generator=turns[0] / turns[1],
            )


def shortened(names: list[str]) -> str:
    """Return the first names, and how many more there are."""
    head = ", ".join(names[:3])
    return head if len(names) <= 3 else f"{head} and {len(names) - 3} more"
