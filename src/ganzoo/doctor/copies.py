"""Copies of networks, to try things on."""

import copy

from torch import nn


def copied(module: nn.Module) -> nn.Module | None:
    """Return a copy of a network without hooks of the doctor; None where it cannot be copied."""
    module = getattr(module, "_orig_mod", module)
    module = getattr(module, "module", module) if "Parallel" in type(module).__name__ else module
    try:
        return copy.deepcopy(module)
    except (RuntimeError, TypeError, NotImplementedError):  # a tensor of a graph as attribute
        return None
