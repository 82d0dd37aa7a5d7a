"""Gradient reversal: the identity forwards, minus a coefficient times the gradient backwards.

Source: Ganin and Lempitsky, Unsupervised Domain Adaptation by Backpropagation, 2015, section 3.1.
"""

from typing import Any

import torch
from torch import Tensor, nn


class GradientReversal(torch.autograd.Function):
    """The identity, whose derivative is replaced by ``-coefficient``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(features: Tensor, coefficient: float) -> Tensor:
        return features.clone()  # a view of a leaf would need a gradient even under no_grad

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, float], output: Tensor) -> None:
        ctx.coefficient = inputs[1]

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return -ctx.coefficient * gradients[0], None


def reverse(features: Tensor, coefficient: float = 1.0) -> Tensor:
    """Return the features as they are; gradients that pass back are multiplied by -coefficient.

    Unlike a hook it needs no gradient on its input, so that it also runs on detached features and
    under ``no_grad``.

    Args:
        features: any shape and floating dtype.
        coefficient: how strongly what lies before is trained against what lies behind.
    """
    return GradientReversal.apply(features, coefficient)  # pyright: ignore[reportReturnType]


class ReverseGradient(nn.Module):
    """``reverse`` as a layer, for a model of one's own.

    Attributes:
        coefficient: set it between steps from a schedule that counts steps, not forwards.
    """

    def __init__(self, coefficient: float = 1.0) -> None:
        super().__init__()
        self.coefficient = coefficient

    def forward(self, features: Tensor) -> Tensor:
        return reverse(features, self.coefficient)

    def extra_repr(self) -> str:
        return f"coefficient={self.coefficient:g}"
