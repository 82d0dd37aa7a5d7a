"""Derivatives by perturbation, of a copy of the critic, beside those that autograd gives."""

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from ganzoo.doctor.copies import copied

if TYPE_CHECKING:
    from ganzoo.doctor.span import Call

STEP = 1e-6  # of a unit direction, in double precision


def doubled(call: "Call") -> tuple[nn.Module, Tensor] | None:
    """Return a copy of a call's network in double precision, and its first input likewise."""
    module = copied(call.module)
    if module is None or len(call.args) != 1 or call.kwargs:
        return None
    given = call.args[0]
    if not isinstance(given, Tensor) or not given.is_floating_point():
        return None
    module.double().train(call.training)
    return module, given.detach().double()


def scored(module: nn.Module, given: Tensor, random: Tensor) -> Tensor:
    """Return a network's scores, with the random numbers that the call had."""
    torch.set_rng_state(random)
    out = module(given)
    return out if isinstance(out, Tensor) else next(t for t in out if isinstance(t, Tensor))


def audited(call: "Call", slopes: Tensor) -> tuple[dict[str, float], float | None] | None:
    """Return how autograd's derivatives compare with those by perturbation.

    Args:
        call: of a critic.
        slopes: of a loss by its scores, which say what is derived.

    Returns:
        For each parameter, and for the input, autograd's derivative along its own direction over
        the true one: 1 where they agree, -1 where it is reversed, 0 where none arrives. None
        where the critic cannot be copied; the input's ratio is None where nothing depends on it.
    """
    parts = doubled(call)
    if parts is None:
        return None
    module, given = parts
    given.requires_grad_()
    weights = slopes.detach().double()
    named = [(n, p) for n, p in module.named_parameters()]
    for _, parameter in named:
        parameter.requires_grad_()
    try:
        with torch.enable_grad():
            scores = scored(module, given, call.random)
            total = (scores * weights.reshape(scores.shape)).sum()
            tensors = [given, *(p for _, p in named)]
            found = torch.autograd.grad(total, tensors, allow_unused=True)
    except (RuntimeError, TypeError, ValueError):
        return None
    ratios: dict[str, float] = {}
    for (name, parameter), gradient in zip(named, found[1:], strict=True):
        ratio = ratio_of(module, given, call, weights, parameter, gradient)
        if ratio is not None:
            ratios[name] = ratio
    return ratios, ratio_of(module, given, call, weights, given, found[0])


def ratio_of(
    module: nn.Module,
    given: Tensor,
    call: "Call",
    weights: Tensor,
    tensor: Tensor,
    gradient: Tensor | None,
) -> float | None:
    """Return autograd's derivative over the true one along a tensor's gradient, or a random way."""
    size = 0.0 if gradient is None else float(gradient.norm())
    way = torch.randn_like(tensor) if size == 0 or gradient is None else gradient
    way = way / way.norm()
    values = []
    for sign in (1, -1):
        with torch.no_grad():
            tensor.add_(way, alpha=sign * STEP)
        with torch.enable_grad():  # a hook can only be put on a tensor that needs a gradient
            scores = scored(module, given, call.random)
        values.append(float((scores.detach() * weights.reshape(scores.shape)).sum()))
        with torch.no_grad():
            tensor.sub_(way, alpha=sign * STEP)
    true = (values[0] - values[1]) / (2 * STEP)
    scale = float(weights.abs().sum()) * max(
        1e-9, abs(values[0]) / max(1e-30, float(weights.abs().sum()))
    )
    if abs(true) < 1e-7 * scale and size < 1e-7 * scale:
        return None
    if size == 0:
        return 0.0
    return size / true if true else float("inf")
