"""What made what: the calls of torch's functions on the examined steps, with the user's lines."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from numpy import ndarray
from torch import Tensor
from torch.overrides import TorchFunctionMode

from ganzoo.doctor.places import user_line

GETTERS = {
    torch.Tensor.data.__get__: "data",  # pyright: ignore[reportAttributeAccessIssue]
    torch.Tensor.T.__get__: "T",  # pyright: ignore[reportAttributeAccessIssue]
    torch.Tensor.mT.__get__: "mT",  # pyright: ignore[reportAttributeAccessIssue]
}
SET_DATA = torch.Tensor.data.__set__  # pyright: ignore[reportAttributeAccessIssue]
GRAD = torch.autograd.grad
CUTS = ("detach", "data", "numpy", "argmax", "argsort", "one_hot", "from_numpy", "tensor")


class Op:
    """One call: its name, what it read and made, and where it stands.

    Attributes:
        name: of torch's function, such as "round".
        inputs: the tensors and arrays among its arguments, also those within lists.
        outputs: likewise of its result.
        parents: the calls that made the inputs, as they were at that time.
        where: the user's file and line.
        order: of the event among all of the span.
        numbers: plain numbers among its positional arguments.
        settings: its keywords.
    """

    __slots__ = ("inputs", "name", "numbers", "order", "outputs", "parents", "settings", "where")

    def __init__(
        self, name: str, inputs: list[Any], outputs: list[Any], parents: list["Op"], order: int
    ) -> None:
        self.name, self.inputs, self.outputs, self.parents = name, inputs, outputs, parents
        self.order = order
        self.where = ""
        self.numbers: tuple[Any, ...] = ()
        self.settings: dict[str, Any] = {}


def tensors_in(value: Any) -> Iterator[Any]:
    """Yield the tensors and arrays of a value, also within lists, tuples and dictionaries."""
    if isinstance(value, Tensor | ndarray):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item)


class Trace(TorchFunctionMode):
    """Records the calls of torch's functions while it is entered and not muted.

    It holds on to every tensor that it saw, so that identities stay unique, until ``forget``.

    Args:
        clock: returns the order of the next event.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__()
        self.clock = clock
        self.muted = False
        self.ops: list[Op] = []
        self.made: dict[int, Op] = {}
        self.grads: list[tuple[Op, tuple[Any, ...], bool]] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if self.muted:
            return func(*args, **kwargs)
        found = func(*args, **kwargs)
        name = getattr(func, "__name__", "")
        if name == "__get__":
            name = GETTERS.get(func, "")
        elif func == SET_DATA:
            name = "data="
        if name and (isinstance(found, Tensor | ndarray | tuple | list) or name == "data="):
            self.record(func, name, args, kwargs, found)
        return found

    def record(self, func: Any, name: str, args: Any, kwargs: Any, found: Any) -> None:
        """Keep one call."""
        outputs = list(tensors_in(found))
        if not outputs and name != "data=":
            return
        inputs = [*tensors_in(args), *tensors_in(kwargs)]
        op = self.add(name, inputs, outputs)
        op.where = user_line()
        op.numbers = tuple(a for a in args if isinstance(a, int | float))
        op.settings = kwargs
        if func is GRAD:
            self.grads.append((op, args, bool(kwargs.get("create_graph", args[4:5] == (True,)))))

    def add(self, name: str, inputs: list[Any], outputs: list[Any]) -> Op:
        """Return a new call, from now on known as the maker of its outputs."""
        parents = [self.made[id(t)] for t in inputs if id(t) in self.made]
        op = Op(name, inputs, outputs, parents, self.clock())
        self.ops.append(op)
        for tensor in outputs:
            self.made[id(tensor)] = op
        return op

    def forget(self) -> None:
        """Let go of everything."""
        self.ops, self.made, self.grads = [], {}, []

    def ancestors(self, tensor: Any) -> Iterator[Op]:
        """Yield the calls that a tensor was made by, the last first, and those before them."""
        first = self.made.get(id(tensor))
        waiting, seen = [first] if first else [], set()
        while waiting:
            op = waiting.pop(0)
            if id(op) not in seen:
                seen.add(id(op))
                yield op
                waiting += op.parents

    def leads_to(self, sources: set[int], tensor: Any) -> bool:
        """Return whether a tensor was made, through whatever calls, of one of the sources.

        Args:
            sources: identities of tensors.
            tensor: or array.
        """
        if id(tensor) in sources:
            return True
        return any(id(t) in sources for op in self.ancestors(tensor) for t in op.inputs)
