"""What takes more than one examined round to see."""

import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from ganzoo.doctor.findings import Finding, found

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene
    from ganzoo.doctor.span import Call
    from ganzoo.doctor.watching import Watch

NEVER = {"critic": 20, "generator": 150}  # steps of the others; some critics get a head start
STEADY_ROUNDS = 3
COLLAPSED = 5e-3  # spread of fakes, as a share of the reals'
SETTLED = 200  # optimiser steps


class History:
    """Keeps small numbers from examined rounds.

    Attributes:
        penalised: whether a penalty or a clip was ever seen.
        linear_steps: critic steps under a linear loss.
        reach: the range of the generator's last activation, once it was looked at.
        real_range: of all reals that were examined.
    """

    def __init__(self) -> None:
        self.penalised = False
        self.linear_steps = 0
        self.reach: tuple[tuple[float, float] | None] | None = None
        self.real_range = (float("inf"), -float("inf"))
        self.label_values: dict[str, set[int]] = {}
        self.label_batches: dict[str, int] = {}
        self.noise: list[Tensor] = []
        self.reals: Tensor | None = None
        self.equal_rounds = 0
        self.weights: dict[int, Tensor] = {}
        self.buffers: list[tuple[nn.Module, nn.Module, dict[str, Tensor], dict[str, Tensor]]] = []
        self.unused: dict[str, set[int]] = {}
        self.diversity: list[float] = []
        self.kept = 0

    def due(self, call: "Call") -> bool:
        """Return whether a costly look at a call is due: on the first rounds, then rarely."""
        return self.kept < 2 or self.kept % 8 == 0

    def seen_reals(self, low: float, high: float) -> None:
        """Widen the range of the reals."""
        self.real_range = (min(self.real_range[0], low), max(self.real_range[1], high))

    def labels(self, where: str, target: Tensor) -> None:
        """Keep which labels a loss got."""
        self.label_values.setdefault(where, set()).update(target.unique()[:5].tolist())
        self.label_batches[where] = self.label_batches.get(where, 0) + 1

    def constant_labels(self) -> Iterator[tuple[str, int]]:
        """Yield the losses that got one label in several batches."""
        for where, values in self.label_values.items():
            if len(values) == 1 and self.label_batches[where] >= STEADY_ROUNDS:
                yield where, next(iter(values))

    def same_noise(self, calls: "list[Call]", reals: Tensor) -> bool:
        """Return whether latents were the same in several rounds, with other reals."""
        noise = [t.detach().clone() for t in calls[-1].inputs]
        same = len(noise) == len(self.noise) and all(
            a.shape == b.shape and torch.equal(a, b) for a, b in zip(noise, self.noise, strict=True)
        )
        other = (
            self.reals is None
            or self.reals.shape != reals.shape
            or not torch.equal(self.reals, reals)
        )
        self.equal_rounds = self.equal_rounds + 1 if same and other else 0
        self.noise, self.reals = noise, reals.detach().clone()
        return self.equal_rounds >= STEADY_ROUNDS - 1

    def moved_by_others(self, scene: "Scene") -> bool:
        """Return whether all of the critic's tensors end at one value, as clipped ones do."""
        weights = [p.detach() for _, p in scene.own["critic"].values() if p.numel() > 1]
        tops = [float(w.abs().max()) for w in weights]
        return len(tops) > 1 and max(tops) - min(tops) < 1e-6 * max(tops)

    def keep(self, scene: "Scene") -> None:
        """Keep what later rounds are compared with."""
        self.kept += 1
        for role, own in scene.own.items():
            steps = scene.steps_of(role)
            if steps:
                none = {k for k in own if all(k in s.none for s in steps if k in s.sources)}
                none &= set().union(*(set(s.sources) for s in steps))
                earlier = self.unused.get(role)
                self.unused[role] = none if earlier is None else earlier & none
        self.keep_copies(scene)
        fakes, reals = scene.of("fake"), scene.of("real")
        if fakes and reals and len(fakes[-1].shown) > 3:
            spread = [
                float(s.shown.float().flatten(1).std(0).mean()) for s in (fakes[-1], reals[-1])
            ]
            if spread[1] > 0 and scene.step >= SETTLED:
                self.diversity.append(spread[0] / spread[1])

    def keep_copies(self, scene: "Scene") -> None:
        """Keep the generators' averaged copies as they are, once, to see later what moved."""
        if self.buffers or self.kept != 2:
            return
        for network in scene.generators:
            if not dict(network.named_buffers()):
                continue
            for twin in twins_of(network):
                self.buffers.append((network, twin, state(network), state(twin)))

    def closing(self, watch: "Watch") -> list[Finding]:
        """Return what is only known at the end."""
        if not (watch.generators and watch.critics):
            return []
        return [*self.idle(watch), *self.averages(watch), *self.left_out(watch), *self.alike(watch)]

    def idle(self, watch: "Watch") -> Iterator[Finding]:
        """Yield networks whose optimiser never steps while the others do."""
        for role, modules in (("critic", watch.critics), ("generator", watch.generators)):
            own = {id(p) for m in modules for p in m.parameters()}
            users = [
                i
                for i, o in enumerate(watch.optimizers)
                if any(id(p) in own for g in o.param_groups for p in g["params"])
            ]
            others = sum(n for i, n in watch.total.items() if i not in users)
            if not any(watch.total.get(i) for i in users) and others >= NEVER[role]:
                yield found(
                    "adversary_never_trained",
                    role=role,
                    step=watch.steps,
                    own_steps=0,
                    steps_of_the_others=others,
                )

    def averages(self, watch: "Watch") -> Iterator[Finding]:
        """Yield averaged copies whose buffers stayed while their parameters followed."""
        for network, twin, before, twin_before in self.buffers:
            now, twin_now = state(network), state(twin)
            names = {n for n, _ in network.named_parameters()}
            followed = any(not torch.equal(twin_now[n], twin_before[n]) for n in names)
            moved = [n for n in now if n not in names and not torch.equal(now[n], before[n])]
            still = [n for n in moved if torch.equal(twin_now[n], twin_before[n])]
            if followed and moved and len(still) == len(moved):
                yield found(
                    "ema_buffers_frozen",
                    role="generator",
                    place=still[0],
                    step=watch.steps,
                    buffers_that_stay=len(still),
                    of=len(moved),
                )

    def left_out(self, watch: "Watch") -> Iterator[Finding]:
        """Yield parameters that never get a gradient."""
        for role, modules in (("generator", watch.generators), ("critic", watch.critics)):
            names = {id(p): n for m in modules for n, p in m.named_parameters()}
            unused = self.unused.get(role, set())
            if self.kept >= STEADY_ROUNDS and unused and len(unused) < len(names):
                yield found(
                    "ddp_unused_params",
                    role=role,
                    place=names[next(iter(unused))],
                    step=watch.steps,
                    tensors_without_a_gradient=len(unused),
                    of=len(names),
                )

    def alike(self, watch: "Watch") -> Iterator[Finding]:
        """Yield a generator whose samples are all but equal."""
        if len(self.diversity) >= 2 and max(self.diversity[-2:]) < COLLAPSED:
            yield found(
                "mode_collapse",
                role="generator",
                step=watch.steps,
                spread_over_that_of_reals=self.diversity[-1],
            )


def state(network: nn.Module) -> dict[str, Tensor]:
    """Return copies of a network's parameters and buffers."""
    pairs = (*network.named_parameters(), *network.named_buffers())
    return {name: tensor.detach().clone() for name, tensor in pairs}


def twins_of(network: nn.Module) -> list[nn.Module]:
    """Return other networks in memory with the same parameters and buffers, such as averages."""
    shapes = {n: t.shape for n, t in (*network.named_parameters(), *network.named_buffers())}
    found_twins: list[nn.Module] = []
    for thing in gc.get_objects():
        if type(thing) is not type(network) or thing is network:
            continue
        twin: Any = thing
        own = {n: t.shape for n, t in (*twin.named_parameters(), *twin.named_buffers())}
        if own == shapes:
            found_twins.append(twin)
    return found_twins
