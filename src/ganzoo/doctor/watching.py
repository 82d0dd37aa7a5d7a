"""Watches a training loop as it is: what is hooked, when a span is examined, what is reported."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

from ganzoo.doctor.arguments import Networks, listed, own, several, undisturbed
from ganzoo.doctor.crashes import explained
from ganzoo.doctor.examination import examined, first_look
from ganzoo.doctor.findings import DoctorError, Finding, Report
from ganzoo.doctor.history import History
from ganzoo.doctor.hooks import watch_module
from ganzoo.doctor.numbers import located
from ganzoo.doctor.recorder import Recorder, parameters_of
from ganzoo.doctor.roles import Discovery
from ganzoo.doctor.span import Call

EARLY = frozenset({0, 1, 2, 3, 6, 12, 24, 48})  # rounds; a fault of the code shows at once
LONGEST_ROUND = 12  # steps; a critic's usual five and more
MEASURED_ROUNDS = 3  # in which the size of steps is measured


class Watch:
    """A context manager around an unchanged training loop.

    A round ends when every optimiser has stepped. The first rounds are examined, then one in
    ``every``: on an examined round the calls of torch's functions are kept, with the user's lines,
    and looked at when it ends. Nothing that is looked at changes the training: the random state,
    the weights, the buffers and the gradients stay as they are, to the bit.

    Args:
        generator: the network, or several; None: found by what the critic is shown.
        critic: the network or several that score; None: found.
        optimizers: those of the networks; others that step within the loop are found.
        on_error: "record", or "raise" at the first finding of severity "error".
        every: rounds from one examined round to the next, after the first.

    Attributes:
        findings: what was found so far.
    """

    def __init__(
        self,
        generator: Networks = None,
        critic: Networks = None,
        optimizers: Iterable[Any] | Any = (),
        on_error: Literal["record", "raise"] = "record",
        every: int = 100,
    ) -> None:
        if on_error not in ("record", "raise"):
            raise ValueError(f"on_error is 'record' or 'raise', not {on_error!r}")
        self.generators, self.critics = several(generator), several(critic)
        self.optimizers = [own(o) for o in listed(optimizers)]
        self.optimizers = list(dict.fromkeys(self.optimizers))
        self.given_optimizers = bool(self.optimizers)
        self.on_error, self.every = on_error, every
        self.recorder = Recorder()
        self.discovery = None if self.generators and self.critics else Discovery()
        self.history = History()
        self.findings: list[Finding] = []
        self.steps, self.rounds = 0, 0
        self.stepped: dict[int, int] = {}
        self.total: dict[int, int] = {}
        self.last_critic: tuple[list[Tensor], list[Tensor]] = ([], [])
        self.broke = False
        self.handles: list[Any] = []
        self.part_handles: dict[int, list[Any]] = {}
        self.undo: list[Callable[[], None]] = []

    def __enter__(self) -> "Watch":
        self.handles = [
            register_optimizer_step_pre_hook(self.before_step),
            register_optimizer_step_post_hook(self.after_step),
        ]
        self.watch_networks()
        self.replace(torch.autograd, "backward", self.backward)
        self.replace(Optimizer, "zero_grad", self.zero_grad)
        self.add(first_look(self))
        self.recorder.start(self.steps)
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        self.finish(error)

    def finish(self, error: BaseException | None = None) -> None:
        """Look at what has not been looked at yet, and take all hooks away."""
        if not self.handles:
            return
        span = self.recorder.stop() if self.recorder.on else None
        for handle in self.handles:
            handle.remove()
        self.handles = []
        for undo in reversed(self.undo):
            undo()
        self.undo = []
        if error is not None:
            self.add(explained(self, error), quiet=True)
        if span is not None and (span.calls or span.steps):
            self.examine(span, quiet=True)
        self.add(self.history.closing(self), quiet=True)
        self.recorder.trace.forget()

    def watch_networks(self) -> None:
        """Hook the networks whose role is known, or every module until the roles are found."""
        if self.discovery is not None:
            self.handles += self.discovery.hooks(self.recorder, self.roles)
            return
        for role, modules in self.roles().items():
            for module in modules:
                for part in module.modules():  # a method may call the parts without their whole
                    self.part_handles.setdefault(id(module), [])
                    self.part_handles[id(module)] += watch_module(
                        part, self.recorder.entered, self.after_of(role, module)
                    )
                self.handles += self.part_handles[id(module)]

    def roles(self) -> dict[str, list[nn.Module]]:
        """Return the networks by role."""
        return {"generator": self.generators, "critic": self.critics}

    def after_of(self, role: str, whole: nn.Module) -> Callable[..., None]:
        """Return what follows a forward of a network of some role, or of a part of it."""

        def after(module: nn.Module, args: Any, kwargs: Any, output: Any) -> None:
            self.recorder.left(module, role, args, kwargs, output, whole)
            if (
                module is whole
                and role == "critic"
                and self.steps % 10 == 0
                and isinstance(output, Tensor)
            ):
                given = [a.detach() for a in args if isinstance(a, Tensor)]
                self.last_critic = (given, [output.detach()])

        return after

    def replace(self, owner: Any, name: str, by: Callable[..., Any]) -> None:
        """Put a function of this watch around one of torch's, until the end."""
        original = getattr(owner, name)

        def around(*args: Any, **kwargs: Any) -> Any:
            return by(original, *args, **kwargs)

        setattr(owner, name, around)
        self.undo.append(lambda: setattr(owner, name, original))

    def tracked(self) -> dict[int, Tensor]:
        """Return the parameters of all networks and optimisers by identity."""
        networks = [p for m in (*self.generators, *self.critics) for p in m.parameters()]
        held = [p for optimizer in self.optimizers for p in parameters_of(optimizer)]
        return {id(p): p for p in (*networks, *held)}

    def backward(
        self, original: Callable[..., Any], tensors: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Walk backwards, and keep what led there."""
        roots = [tensors] if isinstance(tensors, Tensor) else list(tensors)
        weights = args[0] if args else kwargs.get("grad_tensors")
        if self.recorder.on:
            weights = [weights] if isinstance(weights, Tensor) else weights
            self.recorder.backward(roots, weights, self.tracked())
        if not self.broke and (self.recorder.on or roots[0].device.type == "cpu"):
            self.broke = any(not torch.isfinite(root.detach()).all() for root in roots)
            if self.broke:
                self.add(located(self))
        return original(tensors, *args, **kwargs)

    def zero_grad(
        self, original: Callable[..., Any], optimizer: Optimizer, set_to_none: bool = True
    ) -> None:
        """Clear gradients, and keep which of them were held by someone else."""
        if self.recorder.on:
            self.recorder.clearing(optimizer, set_to_none)
        original(optimizer, set_to_none=set_to_none)

    def before_step(self, optimizer: Optimizer, args: Any, kwargs: Any) -> Any:
        """Look at the gradients before a step; behind the closure, where the step has one."""
        closure = kwargs.get("closure") or (args[0] if args and callable(args[0]) else None)
        if optimizer not in self.optimizers:
            self.optimizers.append(optimizer)
        if not self.recorder.on:
            return None
        index = self.optimizers.index(optimizer)
        measure = self.rounds < MEASURED_ROUNDS
        if closure is None:
            self.recorder.stepping(index, self.steps, optimizer, measure)
            return None

        def closed() -> Any:
            found = closure()
            self.recorder.stepping(index, self.steps, optimizer, measure)
            return found

        if "closure" in kwargs:
            return args, {**kwargs, "closure": closed}
        return (closed, *args[1:]), kwargs

    def after_step(self, optimizer: Optimizer, args: Any, kwargs: Any) -> None:
        """Count a step; end the round when every optimiser has stepped."""
        index = self.optimizers.index(optimizer)
        self.steps += 1
        self.stepped[index] = self.stepped.get(index, 0) + 1
        self.total[index] = self.total.get(index, 0) + 1
        if self.recorder.on:
            self.recorder.stepped()
        awaited = {i for i in range(len(self.optimizers)) if not self.rounds or i in self.total}
        whole = awaited <= set(self.stepped)
        if whole or sum(self.stepped.values()) >= LONGEST_ROUND:
            self.end_round()

    def end_round(self) -> None:
        """Examine the round that ends, if it was kept, and decide about the next."""
        self.stepped = {}
        self.rounds += 1
        joined = self.rounds == 1  # the first two are one span: what is not cleared shows
        if self.recorder.on and not joined:
            self.examine(self.recorder.stop())
        if not joined and (self.rounds in EARLY or self.rounds % self.every == 0):
            self.recorder.start(self.steps)

    def examine(self, span: Any, quiet: bool = False) -> None:
        """Look at a span, and let go of it."""
        if self.discovery is not None:
            self.discover(span.calls)
        self.drop_parts(span)
        with undisturbed():
            self.add(examined(self, span), quiet)
        self.recorder.trace.forget()
        self.recorder.span = type(span)()

    def drop_parts(self, span: Any) -> None:
        """Leave out calls of parts, and their hooks, where their whole is called, too."""
        for module in (*self.generators, *self.critics):
            if not any(call.module is module for call in span.calls):
                continue
            parts = {id(part) for part in module.modules()} - {id(module)}
            span.calls = [c for c in span.calls if id(c.module) not in parts]
            handles = self.part_handles.pop(id(module), [])
            for handle in handles[2:]:
                handle.remove()
            self.handles = [h for h in self.handles if h not in handles[2:]]

    def discover(self, calls: list[Call]) -> None:
        """Find the roles; from then on only these networks are hooked."""
        assert self.discovery is not None
        generators, critics = self.discovery.roles(calls, self.recorder.trace)
        if not (generators and critics):
            return
        self.generators, self.critics = generators, critics
        if self.handles:
            for handle in self.discovery.handles:
                handle.remove()
            self.handles = [h for h in self.handles if h not in self.discovery.handles]
            self.discovery = None
            self.watch_networks()
            self.add(first_look(self))

    def add(self, findings: Iterable[Finding], quiet: bool = False) -> None:
        """Keep findings; raise the first error where that was asked for."""
        known = {(f.code, f.role, f.place) for f in self.findings}
        new = [f for f in findings if (f.code, f.role, f.place) not in known]
        self.findings += new
        errors = [f for f in new if f.severity == "error"]
        if errors and self.on_error == "raise" and not quiet:
            raise DoctorError(str(errors[0]))

    def report(self) -> Report:
        """Return what was found so far, the gravest first."""
        return Report(self.findings, self.steps)

    def write(self, path: str | Path) -> None:
        """Write ``findings.json``."""
        self.report().write(Path(path))


watch = Watch
