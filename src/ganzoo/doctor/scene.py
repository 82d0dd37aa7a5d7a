"""A span, read: whose parameters, which loss, which scores are of reals and which of fakes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from ganzoo.doctor.graph import nodes_of, start_of
from ganzoo.doctor.recorder import parameters_of
from ganzoo.doctor.span import Backward, Call, Span, Step
from ganzoo.doctor.trace import Op, Trace

if TYPE_CHECKING:
    from ganzoo.doctor.watching import Watch


@dataclass(eq=False)
class Side:
    """What a critic was shown in one call, or in some rows of it.

    Attributes:
        kind: "real", "fake", or "between" for the points of a penalty.
        rows: of the call's input and output.
    """

    call: Call
    kind: str
    rows: slice

    @property
    def shown(self) -> Tensor:
        """The critic's input on these rows."""
        return self.call.inputs[0].detach()[self.rows]


class Scene:
    """What the probes ask of a span.

    Attributes:
        names: of the parameters, by identity.
        held: for each optimiser, the identities of what it holds.
        sides: what the critics were shown.
    """

    def __init__(self, watch: "Watch", span: Span) -> None:
        self.watch, self.span = watch, span
        self.trace: Trace = watch.recorder.trace
        self.generators, self.critics = watch.generators, watch.critics
        self.networks = {"generator": self.generators, "critic": self.critics}
        self.own = {role: parameters(ms) for role, ms in self.networks.items()}
        self.names = {k: n for ps in self.own.values() for k, (n, _) in ps.items()}
        self.held = [{id(p) for p in parameters_of(o)} for o in watch.optimizers]
        self.made = {id(t) for call in span.of("generator") for t in call.outputs}
        self.made_nodes = {
            t.grad_fn for c in span.of("generator") for t in c.outputs if t.grad_fn is not None
        }
        self.sides = [side for call in span.of("critic") for side in self.sides_of(call)]

    @property
    def step(self) -> int:
        """Optimiser steps taken so far."""
        return self.watch.steps

    def is_fake(self, tensor: Tensor) -> bool:
        """Return whether a tensor was made of something that a generator made."""
        if self.trace.leads_to(self.made, tensor):
            return True
        nodes = nodes_of(start_of(tensor))
        if self.made_nodes.intersection(nodes):
            return True
        # what passed a function that the trace does not see, such as an autograd.Function
        return any(
            isinstance(t, Tensor) and self.made_nodes.intersection(nodes_of(start_of(t)))
            for op in self.trace.ancestors(tensor)
            for t in op.inputs
        )

    def sides_of(self, call: Call) -> list[Side]:
        """Return what a critic was shown in a call, row by row where a cat joined the two sides."""
        if not call.inputs or call.inputs[0].ndim == 0:
            return []
        shown = call.inputs[0]
        pieces = self.pieces(shown)
        if pieces:
            kinds = ["fake" if self.is_fake(piece) else "real" for piece in pieces]
            if len(set(kinds)) == 2:
                found, at = [], 0
                for piece, kind in zip(pieces, kinds, strict=True):
                    found.append(Side(call, kind, slice(at, at + len(piece))))
                    at += len(piece)
                return found
        fake = any(self.is_fake(t) for t in call.inputs)
        kind = "fake" if fake else "real"
        if fake and self.grads_of(call) and not self.equals_a_fake(shown):
            kind = "between"
        return [Side(call, kind, slice(None))]

    def pieces(self, tensor: Tensor) -> list[Tensor]:
        """Return what a tensor was joined of along its rows; empty if it was not."""
        op = self.trace.made.get(id(tensor))
        while op is not None and op.name in ("view", "reshape", "flatten", "detach") and op.parents:
            op = op.parents[0]
        if op is None or op.name not in ("cat", "concat", "concatenate"):
            return []
        rows = op.settings.get("dim", op.numbers[0] if op.numbers else 0) == 0
        return [t for t in op.inputs if isinstance(t, Tensor)] if rows else []

    def equals_a_fake(self, shown: Tensor) -> bool:
        """Return whether a critic's input is a generator's output, as far as its values say."""
        for call in self.span.of("generator"):
            for out in call.outputs:
                same = out.numel() == shown.numel()
                if same and torch.equal(out.detach().flatten(), shown.detach().flatten()):
                    return True
        return self.affine(shown) is not None

    def affine(self, shown: Tensor) -> tuple[Tensor, float, float] | None:
        """Return a generator's output, and the scale and shift to the critic's input."""
        flat = shown.detach().double().flatten()
        for call in reversed(self.span.of("generator")):
            for out in call.outputs:
                if out.numel() != flat.numel() or out.numel() < 2:
                    continue
                values = out.detach().double().flatten()
                centred = values - values.mean()
                spread = float(centred.square().sum())
                if spread == 0 or not (flat.isfinite().all() and values.isfinite().all()):
                    continue
                scale = float((centred * (flat - flat.mean())).sum()) / spread
                shift = float(flat.mean() - scale * values.mean())
                left = flat - (scale * values + shift)
                if scale and float(left.abs().max()) < 1e-4 * abs(scale) * max(
                    1e-6, float(values.std())
                ) + 1e-6 * float(flat.abs().max()):
                    return out, scale, shift
        return None

    def grads_of(self, call: Call) -> list[Op]:
        """Return the calls of autograd.grad that derive this call's scores by its input."""
        outs = {t.grad_fn for t in call.outputs if t.grad_fn is not None}
        shown = {id(t) for t in call.inputs}
        found = []
        for op, args, _ in self.trace.grads:
            sources = listed(args[0] if args else op.settings.get("outputs"))
            wanted = listed(args[1] if len(args) > 1 else op.settings.get("inputs"))
            if outs.intersection(nodes_of(n for t in sources for n in start_of(t))) and (
                any(id(t) in shown for t in wanted)
            ):
                found.append(op)
        return found

    def of(self, kind: str) -> list[Side]:
        """Return the sides of one kind."""
        return [side for side in self.sides if side.kind == kind]

    def users_of(self, role: str) -> list[int]:
        """Return the indices of the optimisers that hold parameters of a role."""
        own = set(self.own[role])
        return [i for i, held in enumerate(self.held) if held & own]

    def steps_of(self, role: str) -> list[Step]:
        """Return the steps of optimisers that hold parameters of a role."""
        users = self.users_of(role)
        return [step for step in self.span.steps if step.index in users]

    def losses_of(self, role: str) -> list[Backward]:
        """Return the walks backwards that the steps of a role use.

        Those whose gradients are in the step's own parameters of that role; where a graph is cut so
        that there are none, the last walk before the step and behind any other step.
        """
        found: dict[int, Backward] = {}
        own = set(self.own[role])
        for step in self.steps_of(role):
            used = {o for key, orders in step.sources.items() if key in own for o in orders}
            walks = [b for b in self.span.backwards if b.order in used]
            if not walks:
                earlier = [s.order for s in self.span.steps if s.order < step.order]
                since = max(earlier, default=-1)
                walks = [b for b in self.span.backwards if b.order < step.order]
                walks = [b for b in walks if since < b.order][-1:] or walks[-1:]
            found |= {b.order: b for b in walks}
        return list(found.values())


def parameters(modules: list[nn.Module]) -> dict[int, tuple[str, Tensor]]:
    """Return the parameters of networks by identity, with their names."""
    found: dict[int, tuple[str, Tensor]] = {}
    for number, module in enumerate(modules):
        prefix = f"{number}." if len(modules) > 1 else ""
        for name, parameter in module.named_parameters():
            found.setdefault(id(parameter), (prefix + name, parameter))
    return found


def listed(value: Any) -> list[Any]:
    """Return one thing or several as a list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]
