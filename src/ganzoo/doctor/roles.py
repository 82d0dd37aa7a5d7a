"""Who generates and who scores, where nobody says so: found by who makes what the other reads."""

import re
import sys
from collections.abc import Callable
from typing import Any

from torch import nn
from torch.nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)

from ganzoo.doctor.graph import nodes_of, start_of
from ganzoo.doctor.recorder import Recorder
from ganzoo.doctor.span import Call, floats_in
from ganzoo.doctor.trace import Trace

CRITIC_NAMES = re.compile(
    r"(^|_)(d|d\d|net_?d|dis|disc\w*|critic\w*|adv\w*|domain\w*|dom\w*)($|_|\d)", re.IGNORECASE
)
WRAPPERS = ("DistributedDataParallel", "DataParallel")


class Discovery:
    """Hooks every module until two of them show by their calls which role they have."""

    def __init__(self) -> None:
        self.depth: list[nn.Module] = []
        self.handles: list[Any] = []
        self.names: dict[int, str] = {}

    def hooks(
        self, recorder: Recorder, known: Callable[[], dict[str, list[nn.Module]]]
    ) -> list[Any]:
        """Return handles of hooks on all modules' forwards; outermost calls are kept."""

        def role_of(module: nn.Module) -> str:
            return next((role for role, ms in known().items() if module in ms), "")

        def before(module: nn.Module, args: Any) -> None:
            if not transparent(module):
                self.depth.append(module)
                if len(self.depth) == 1:
                    recorder.entered(module, args, {})

        def after(module: nn.Module, args: Any, kwargs: Any, output: Any) -> None:
            if transparent(module) or not self.depth:
                return
            while self.depth and self.depth.pop() is not module:
                pass  # one that ended by an exception
            if not self.depth:
                recorder.left(module, role_of(module), args, kwargs, output)
                self.name(module)

        self.handles = [
            register_module_forward_pre_hook(before),
            register_module_forward_hook(after, with_kwargs=True, always_call=False),
        ]
        return list(self.handles)

    def name(self, module: nn.Module) -> None:
        """Keep what the caller calls a module."""
        if id(module) in self.names:
            return
        frame = sys._getframe(1)
        while frame is not None:
            for scope in (frame.f_locals, frame.f_globals):
                for key, value in list(scope.items()):
                    if value is module:
                        self.names[id(module)] = key
                        return
                    if key == "self" and isinstance(value, nn.Module) and value is not module:
                        children = {id(m): n for n, m in value.named_children()}
                        if id(module) in children:
                            self.names[id(module)] = children[id(module)]
                            return
            frame = frame.f_back

    def roles(self, calls: list[Call], trace: Trace) -> tuple[list[nn.Module], list[nn.Module]]:
        """Return generators and critics, and give the calls their roles; empty if not clear."""
        modules = list(dict.fromkeys(c.module for c in calls if trainable(c.module)))
        reads = {
            (a, b)
            for a in modules
            for b in modules
            if a is not b and feeds(calls_of(calls, a), calls_of(calls, b), trace)
        }
        critics = [m for m in modules if any(b is m for _, b in reads)]
        critics = [m for m in critics if not any(a is m for a, _ in reads)]
        named = [m for m in critics if CRITIC_NAMES.search(self.names.get(id(m), ""))]
        if len(critics) > 1 and named:
            critics = named
        generators = [m for m in modules if any(a is m and b in critics for a, b in reads)]
        for call in calls:
            call.role = (
                "critic"
                if call.module in critics
                else "generator"
                if call.module in generators
                else call.role
            )
        return generators, critics


def transparent(module: nn.Module) -> bool:
    """Return whether a module only hands on to another, whose call is the one that counts."""
    return type(module).__name__ in WRAPPERS or hasattr(module, "training_step")


def trainable(module: nn.Module) -> bool:
    """Return whether a module has parameters, frozen or not."""
    return any(True for _ in module.parameters())


def calls_of(calls: list[Call], module: nn.Module) -> list[Call]:
    """Return the calls of one module."""
    return [call for call in calls if call.module is module]


def feeds(makers: list[Call], readers: list[Call], trace: Trace) -> bool:
    """Return whether something that one module made is read by the other."""
    made = {id(t) for call in makers for t in call.outputs}
    nodes = {t.grad_fn for call in makers for t in call.outputs if t.grad_fn is not None}
    for call in readers:
        for tensor in floats_in([list(call.args), call.kwargs]):
            if trace.leads_to(made, tensor):
                return True
            if nodes.intersection(nodes_of(start_of(tensor))):
                return True
    return False
