"""What is kept of an examined span of training: forwards, backwards, clears and steps, in order."""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(eq=False)
class Call:
    """One forward of a network.

    Attributes:
        module: the network.
        role: "generator", "critic", or "" where it is not known yet.
        args, kwargs: as they were given.
        inputs: the floating tensors among them.
        outputs: the floating tensors of the result.
        training: whether it was in train mode.
        grad: whether gradients were recorded.
        random: the CPU's random state before it.
        order: its place among all events.
        where: the user's line.
        trainable: whether a parameter required a gradient at that time.
        changed: plain numbers among the module's attributes that it changed.
    """

    module: nn.Module
    role: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    inputs: list[Tensor]
    outputs: list[Tensor]
    training: bool
    grad: bool
    random: Tensor
    order: int
    where: str
    trainable: bool = True
    changed: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Backward:
    """One walk backwards.

    Attributes:
        roots: the losses.
        slopes: the gradient of the losses by the outputs of critics' calls, by the call's order.
        reached: identities of the leaves that the graph reaches.
        scores_reach: of those, the ones that it reaches through each critic call's scores.
        alive: likewise, not counting paths through operations with a derivative of zero.
        zeros: operations with a derivative of zero in the graph: name and line.
        reversal: gradient at the critic's input, and at the generator's output, by call order.
    """

    roots: list[Tensor]
    order: int
    where: str
    values: list[float]
    slopes: dict[int, list[Tensor | None]] = field(default_factory=dict)
    reached: set[int] = field(default_factory=set)
    scores_reach: dict[int, set[int]] = field(default_factory=dict)
    alive: dict[int, set[int]] = field(default_factory=dict)
    zeros: list[tuple[str, str]] = field(default_factory=list)
    reversal: dict[int, list[Tensor | None]] = field(default_factory=dict)


@dataclass(eq=False)
class Step:
    """One step of an optimiser, as its gradients were right before it.

    Attributes:
        index: of the optimiser.
        sources: for each parameter's identity, the orders of the backwards in its gradient.
        none, zero, frozen, broken: identities of parameters whose gradient is None, exactly 0,
            that need none, that is not finite.
        norm: of the whole gradient.
        moved: largest change of one weight by the step.
    """

    index: int
    order: int
    number: int
    sources: dict[int, tuple[int, ...]] = field(default_factory=dict)
    none: set[int] = field(default_factory=set)
    zero: set[int] = field(default_factory=set)
    frozen: set[int] = field(default_factory=set)
    broken: set[int] = field(default_factory=set)
    norm: float = 0.0
    moved: float = 0.0


@dataclass(eq=False)
class Span:
    """Everything that was kept between two moments of training."""

    calls: list[Call] = field(default_factory=list)
    backwards: list[Backward] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    kept_grads: list[tuple[int, Tensor]] = field(default_factory=list)  # cleared in place, order
    first_step: int = 0

    def of(self, role: str) -> list[Call]:
        """Return the calls of one role."""
        return [call for call in self.calls if call.role == role]


def floats_in(value: Any) -> list[Tensor]:
    """Return the floating tensors of a value, also within lists, tuples and dictionaries."""
    if isinstance(value, Tensor):
        return [value] if value.is_floating_point() else []
    if isinstance(value, list | tuple):
        return [t for item in value for t in floats_in(item)]
    if isinstance(value, dict):
        return [t for item in value.values() for t in floats_in(item)]
    return []


def plain_numbers(module: nn.Module) -> dict[str, float]:
    """Return the plain numbers among a module's attributes, and its submodules'."""
    return {
        f"{name}.{key}".lstrip("."): value
        for name, part in module.named_modules()
        for key, value in vars(part).items()
        if isinstance(value, int | float) and not isinstance(value, bool) and key[:1] != "_"
    }


def is_finite(tensor: Tensor) -> bool:
    """Return whether every number of a tensor is finite."""
    return bool(torch.isfinite(tensor).all())
