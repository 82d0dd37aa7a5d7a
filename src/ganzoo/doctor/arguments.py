"""What a watch is given, brought to one form; and quiet around what it looks at."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from torch.optim import Optimizer

Networks = nn.Module | Sequence[nn.Module] | None


def several(networks: Networks) -> list[nn.Module]:
    """Return networks as a list."""
    if networks is None:
        return []
    if isinstance(networks, nn.Module) and not isinstance(networks, nn.ModuleList):
        return [networks]
    return list(networks)  # pyright: ignore[reportArgumentType]


def listed(optimizers: Any) -> list[Any]:
    """Return optimisers as a list."""
    return [optimizers] if isinstance(optimizers, Optimizer) else list(optimizers)


def own(optimizer: Any) -> Optimizer:
    """Return torch's optimiser itself, from a wrapper that has it."""
    inner = getattr(optimizer, "optimizer", optimizer)
    if not isinstance(inner, Optimizer):
        raise TypeError(f"optimizers are torch's, not {type(optimizer).__name__}")
    return inner


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep the random states as they are, whatever is looked at."""
    devices = list(range(torch.cuda.device_count())) if torch.cuda.is_initialized() else []
    with torch.random.fork_rng(devices=devices):
        yield
