"""Walks over autograd's graphs."""

from collections.abc import Iterable
from typing import Any

from torch import Tensor

# their derivative is zero wherever it exists
ZERO_DERIVATIVE = ("Round", "Floor", "Ceil", "Trunc", "Sign", "Heaviside", "Frexp", "BitwiseNot")


def has_zero_derivative(node: Any) -> bool:
    """Return whether a node's operation is flat almost everywhere."""
    name = node.name()
    return any(name.startswith(f"{op}Backward") for op in ZERO_DERIVATIVE)


def nodes_of(starts: Iterable[Any], skip_zeros: bool = False) -> dict[Any, None]:
    """Return the nodes that starts lead to, themselves included.

    Args:
        starts: nodes, or None.
        skip_zeros: do not pass operations that have a derivative of zero.
    """
    seen: dict[Any, None] = {}
    waiting = [node for node in starts if node is not None]
    while waiting:
        node = waiting.pop()
        if node in seen or (skip_zeros and has_zero_derivative(node)):
            continue
        seen[node] = None
        waiting += [after for after, _ in node.next_functions if after is not None]
    return seen


def leaves_of(nodes: Iterable[Any]) -> dict[int, Tensor]:
    """Return the leaf tensors that nodes hand gradients to, by identity."""
    found = {}
    for node in nodes:
        variable = getattr(node, "variable", None)
        if variable is not None:
            found[id(variable)] = variable
    return found


def start_of(tensor: Tensor) -> list[Any]:
    """Return the node that a tensor's gradient arrives at; empty for a leaf."""
    return [] if tensor.grad_fn is None else [tensor.grad_fn]
