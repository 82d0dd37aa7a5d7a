"""Hooks that neither travel with a copy of the module nor into a file."""

from collections.abc import Callable
from typing import Any

from torch import nn


class Hook:
    """Calls a function, until it is copied or pickled: a copy does nothing.

    A copy of a watched network, such as an average, is another network.
    """

    def __init__(self, call: Callable[..., Any] | None = None) -> None:
        self.call = call

    def __call__(self, *args: Any) -> Any:
        return None if self.call is None else self.call(*args)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Hook":
        return Hook()

    def __reduce__(self) -> tuple[type["Hook"], tuple[()]]:
        return Hook, ()


def watch_module(
    module: nn.Module, before: Callable[..., Any], after: Callable[..., Any]
) -> list[Any]:
    """Return the handles of hooks around a module's forward; both get its keywords, too."""
    return [
        module.register_forward_pre_hook(Hook(before), with_kwargs=True),
        module.register_forward_hook(Hook(after), with_kwargs=True),
    ]
