"""Mistakes with a reversal or a critic's bound that other programs hold: donors for the catalogue.

``WrongSuper`` and ``NumpyFloat`` are the two posted lines that stop the program today.
"""

import numpy as np
import torch
from torch import Tensor, nn

from ganzoo.reversal.critic import Critic
from ganzoo.reversal.fixed import FixedReversal


class WrongSuper(FixedReversal):
    """The critic's ``super()`` names a class that is not there."""

    def make_critic(self) -> Critic:
        class DiscriminatorforWGAN(nn.Module):
            def __init__(self) -> None:
                super(AdversarialNetworkforCDAN, self).__init__()  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

        return DiscriminatorforWGAN()  # pyright: ignore[reportReturnType]


class NumpyFloat(FixedReversal):
    """The coefficient is made by an alias that NumPy removed in 1.24."""

    @staticmethod
    def ramp(count: int, alpha: float, steps: float) -> float:
        exponential = np.exp(-alpha * count / steps)
        return np.float(2 / (1 + exponential) - 1)  # noqa: NPY001  # pyright: ignore[reportAttributeAccessIssue]


class Cooperating(FixedReversal):
    """The generator's loss is the critic's own: minus the score of what it makes."""

    @staticmethod
    def reverse(features: Tensor, coefficient: float) -> Tensor:
        return features * coefficient + (features * (1 - coefficient)).detach()


class ReversedTwice(FixedReversal):
    """A reversal in the critic, and one before it."""

    @staticmethod
    def enter(critic: Critic, features: Tensor) -> Tensor:
        once = critic.pieces.reverse(features, critic.coefficient)
        return critic.pieces.reverse(once, critic.coefficient)


class NeverReversed(FixedReversal):
    """The reversal is defined and configured, and not called."""

    @staticmethod
    def enter(critic: Critic, features: Tensor) -> Tensor:
        return features


class Subtracted(FixedReversal):
    """The critic's loss is subtracted, as without a reversal, although there is one."""

    def wasserstein_loss(self, target_scores: Tensor, source_scores: Tensor) -> Tensor:
        return target_scores.mean() - source_scores.mean()


class ReversedPenalty(FixedReversal):
    """The penalty's gradient passes through the reversal, and comes back scaled."""

    def critic_slope(self, points: Tensor) -> Tensor:
        (gradient,) = torch.autograd.grad(self.critic(points).sum(), points, create_graph=True)
        return gradient.norm(dim=1)


class ClampedBefore(FixedReversal):
    """The clamp runs before the optimiser's step, which then leaves the bound again."""

    def critic_penalty(self, source: Tensor, target: Tensor) -> Tensor:
        return source.new_zeros(())

    def before_critic_step(self) -> None:
        for parameter in self.critic.parameters():
            parameter.data.clamp_(-0.01, 0.01)


class ClampedGenerator(FixedReversal):
    """The clamp is applied to the other network."""

    def critic_penalty(self, source: Tensor, target: Tensor) -> Tensor:
        return source.new_zeros(())

    def bound_critic(self) -> None:
        for parameter in self.generator.parameters():
            parameter.data.clamp_(-0.01, 0.01)
