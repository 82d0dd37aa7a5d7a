"""Keeps what happens on the examined steps; it computes next to nothing and judges nothing."""

import itertools
import sys
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.overrides import _get_current_function_mode_stack, _pop_mode

from ganzoo.doctor.graph import has_zero_derivative, leaves_of, nodes_of, start_of
from ganzoo.doctor.places import user_line
from ganzoo.doctor.span import (
    Backward,
    Call,
    Span,
    Step,
    floats_in,
    is_finite,
    plain_numbers,
)
from ganzoo.doctor.trace import Trace


class Recorder:
    """Fills a span while it is on.

    Attributes:
        on: whether events are kept.
        span: what was kept.
        trace: the calls of torch's functions.
    """

    def __init__(self) -> None:
        self.ticks = itertools.count()
        self.on = False
        self.span = Span()
        self.trace = Trace(lambda: next(self.ticks))
        self.open: list[tuple[nn.Module, Any]] = []
        self.sources: dict[int, tuple[int, ...]] = {}
        self.before_step: list[tuple[Tensor, Tensor]] = []

    def start(self, steps: int) -> None:
        """Begin a span."""
        self.span, self.on = Span(first_step=steps), True
        self.sources = {}
        self.trace.forget()
        self.trace.__enter__()

    def stop(self) -> Span:
        """End the span, and return it."""
        self.on = False
        self.open = []
        if self.trace in _get_current_function_mode_stack():
            stacked = []
            while (mode := _pop_mode()) is not self.trace:  # one that the user entered meanwhile
                stacked.append(mode)
            for mode in reversed(stacked):
                torch.overrides._push_mode(mode)
        return self.span

    def entered(self, module: nn.Module, args: Any, kwargs: Any) -> None:
        """Note that a network's forward begins."""
        if self.on and torch.is_inference_mode_enabled() is False:
            if hasattr(module, "_orig_mod"):  # a compiled one
                self.trace.muted = True
            trainable = any(p.requires_grad for p in module.parameters())
            self.open.append((module, (torch.get_rng_state(), plain_numbers(module), trainable)))

    def left(
        self,
        module: nn.Module,
        role: str,
        args: Any,
        kwargs: Any,
        output: Any,
        whole: nn.Module | None = None,
    ) -> None:
        """Keep a network's forward, unless it was part of another's."""
        if not self.on or not any(one is module for one, _ in self.open):
            return
        while self.open[-1][0] is not module:  # one that ended by an exception
            self.open.pop()
        _, (random, numbers, trainable) = self.open.pop()
        if whole is not None and any(is_part(module, outer) for outer, _ in self.open):
            return
        self.trace.muted = False
        outputs = floats_in(output)
        inputs = floats_in([list(args), kwargs])
        order = next(self.ticks)
        call = Call(
            module,
            role,
            args,
            kwargs,
            inputs,
            outputs,
            module.training,
            torch.is_grad_enabled(),
            random,
            order,
            user_line(sys._getframe(1)),
            trainable,
        )
        after = plain_numbers(module)
        call.changed = [key for key, value in numbers.items() if after.get(key) != value]
        self.span.calls.append(call)
        if not any(id(t) in self.trace.made for t in outputs):
            self.trace.add(f"forward of {type(module).__name__}", inputs, outputs)

    def backward(self, roots: Sequence[Tensor], weights: Any, tracked: dict[int, Tensor]) -> None:
        """Keep a walk backwards that is about to begin."""
        for key, parameter in tracked.items():
            if parameter.grad is None or not parameter.grad.any():
                self.sources[key] = ()
        event = Backward(
            list(roots),
            next(self.ticks),
            user_line(),
            [float(root.detach().float().mean()) for root in roots],
        )
        starts = [node for root in roots for node in start_of(root)]
        nodes = nodes_of(starts)
        event.reached = set(leaves_of(nodes))
        event.zeros = [(n.name(), self.line_of(n)) for n in nodes if has_zero_derivative(n)]
        self.read_slopes(event, nodes, weights)
        for key in event.reached:
            if key in tracked:
                self.sources[key] = (*self.sources.get(key, (-1,)), event.order)
        self.span.backwards.append(event)

    def read_slopes(self, event: Backward, nodes: dict[Any, None], weights: Any) -> None:
        """Read how the losses depend on what the critics said, and what lies behind the scores."""
        calls = [
            call
            for call in self.span.calls
            if call.role != "generator"  # or nobody knows yet
            and any(out.grad_fn is not None and out.grad_fn in nodes for out in call.outputs)
        ]
        outs = [out for call in calls for out in call.outputs if out.requires_grad]
        if not outs:
            return
        muted, self.trace.muted = self.trace.muted, True
        try:
            found = iter(
                torch.autograd.grad(
                    event.roots, outs, weights, retain_graph=True, allow_unused=True
                )
            )
        except RuntimeError:  # the real walk will stop at the same place
            return
        finally:
            self.trace.muted = muted
        for call in calls:
            event.slopes[call.order] = [
                next(found) if out.requires_grad else None for out in call.outputs
            ]
            starts = [node for out in call.outputs for node in start_of(out)]
            event.scores_reach[call.order] = set(leaves_of(nodes_of(starts)))
            alive = nodes_of(starts, skip_zeros=True)
            event.alive[call.order] = set(leaves_of(alive))
        self.read_reversal(event, calls)

    def read_reversal(self, event: Backward, calls: list[Call]) -> None:
        """Read what arrives at the critic's input, and before it at the generator's output."""
        made = [out for call in self.span.calls if call.role != "critic" for out in call.outputs]
        made = [out for out in made if out.requires_grad]
        for call in calls:
            slopes = event.slopes[call.order]
            pairs = [(o, s) for o, s in zip(call.outputs, slopes, strict=True) if s is not None]
            wanted = [t for t in call.inputs if t.requires_grad]
            behind = nodes_of(n for t in wanted for n in start_of(t))
            sources = [out for out in made if out.grad_fn in behind]
            if not (pairs and wanted and sources) or hasattr(call.module, "_orig_mod"):
                continue
            muted, self.trace.muted = self.trace.muted, True
            try:
                found = torch.autograd.grad(
                    [o for o, _ in pairs],
                    [*wanted, *sources],
                    [s for _, s in pairs],
                    retain_graph=True,
                    allow_unused=True,
                )
            except RuntimeError:
                continue
            finally:
                self.trace.muted = muted
            event.reversal[call.order] = [*found[: len(wanted)], *found[len(wanted) :]]
            event.reversal[-1 - call.order] = [*wanted, *sources]

    def line_of(self, node: Any) -> str:
        """Return the user's line at which an operation of a graph was called; "" if unknown."""
        for op in self.trace.ops:
            if any(isinstance(t, Tensor) and t.grad_fn is node for t in op.outputs):
                return op.where
        return ""

    def stepping(self, index: int, number: int, optimizer: Optimizer, measure: bool) -> None:
        """Keep the gradients that an optimiser's step is about to use."""
        self.trace.muted = True
        step = Step(index, next(self.ticks), number)
        norms = []
        for parameter in parameters_of(optimizer):
            key, gradient = id(parameter), parameter.grad
            if not parameter.requires_grad:
                step.frozen.add(key)
            if gradient is None:
                step.none.add(key)
            elif not is_finite(gradient.to_dense() if gradient.is_sparse else gradient):
                step.broken.add(key)
            else:
                norm = float(gradient.detach().float().norm())
                norms.append(norm)
                if norm == 0 and not gradient.any():
                    step.zero.add(key)
            step.sources[key] = self.sources.get(key, ())
        step.norm = sum(n * n for n in norms) ** 0.5
        if measure:
            self.before_step = [(p, p.detach().clone()) for p in parameters_of(optimizer)]
        self.span.steps.append(step)

    def stepped(self) -> None:
        """Keep what the step did."""
        self.trace.muted = False
        if self.span.steps and self.before_step:
            changes = [
                float((p.detach() - old).abs().max()) for p, old in self.before_step if old.numel()
            ]
            self.span.steps[-1].moved = max(changes, default=0.0)
        self.before_step = []

    def clearing(self, optimizer: Optimizer, set_to_none: bool) -> None:
        """Keep the gradients that are cleared in place while someone else holds them."""
        if set_to_none:
            return
        for parameter in parameters_of(optimizer):
            gradient = parameter.grad
            # held by the parameter, by ``gradient`` and by the call itself
            if gradient is not None and sys.getrefcount(gradient) > OWN_REFERENCES:
                self.span.kept_grads.append((next(self.ticks), gradient))


def is_part(module: nn.Module, outer: nn.Module) -> bool:
    """Return whether a module lies within another."""
    return any(part is module for part in outer.modules())


def parameters_of(optimizer: Optimizer) -> list[Tensor]:
    """Return the tensors that an optimiser holds."""
    return [p for group in optimizer.param_groups for p in group["params"]]


def own_references() -> int:
    """Return how often a gradient is referred to that nobody else holds."""
    parameter = torch.zeros(1, requires_grad=True)
    parameter.sum().backward()
    gradient = parameter.grad
    return sys.getrefcount(gradient)


OWN_REFERENCES = own_references()
