"""The game repaired: each difference from ``buggy.py`` is one fault of ``faults.py``.

Features are float (N, d); scores are (N, 1). The critic minimises minus the Wasserstein estimate
plus a gradient penalty (Gulrajani et al. 2017); the reversal hands the generator the opposite.
"""

import math

import torch
from torch import Tensor
from torch.optim import Adam, Optimizer

from ganzoo import gradient_reversal
from ganzoo.reversal.base import ReversalProgram
from ganzoo.reversal.critic import Critic


class FixedReversal(ReversalProgram):
    """One loss trains both networks through a reversal on the critic's input."""

    learning_rate = 3e-4
    critic_steps = 4  # the generator follows a critic that is near its best
    critic_dropout = 0.0
    first_count = 1
    ramp_alpha = 1.0  # as posted: Adam and RMSprop take steps of one size whatever it is
    ramp_steps = 15

    def configure_optimizers(self) -> list[Optimizer]:
        generator, critic = self.generator.parameters(), self.critic.parameters()
        return [  # the paper writes the first beta as 0, which torch refuses beside a float
            Adam(generator, lr=self.learning_rate, betas=(0.0, 0.9)),
            Adam(critic, lr=self.learning_rate, betas=(0.0, 0.9)),
        ]

    @staticmethod
    def ramp(count: int, alpha: float, steps: float) -> float:
        """Return the posted coefficient, which is tanh(alpha * count / (2 * steps))."""
        return 2 / (1 + math.exp(-alpha * count / steps)) - 1

    def set_coefficient(self) -> None:
        """Set this step's coefficient from the generator steps done, which a checkpoint holds."""
        count = min(self.generator_steps + self.first_count, self.ramp_steps)
        self.critic.coefficient = self.reversal_weight * self.critic.pieces.ramp(count)

    @staticmethod
    def count_forward(critic: Critic) -> None:
        """Count nothing: forwards are not steps."""

    @staticmethod
    def reverse(features: Tensor, coefficient: float) -> Tensor:
        """Return the features with their gradient reversed, whether or not they need one."""
        return gradient_reversal.reverse(features, coefficient)

    @staticmethod
    def enter(critic: Critic, features: Tensor) -> Tensor:
        """Return the features with the reversal behind them."""
        return critic.pieces.reverse(features, critic.coefficient)

    @staticmethod
    def leave(critic: Critic, hidden: Tensor) -> Tensor:
        """Return the hidden layer's output as it is."""
        return hidden

    def both_scores(self, target: Tensor, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return the scores of both sides, from one forward."""
        target_scores, source_scores = self.critic(torch.cat([target, source])).split(
            [len(target), len(source)]
        )
        return target_scores, source_scores

    def wasserstein_loss(self, target_scores: Tensor, source_scores: Tensor) -> Tensor:
        """Return the loss that the critic minimises: minus its estimate of the distance."""
        return source_scores.mean() - target_scores.mean()

    def critic_penalty(self, source: Tensor, target: Tensor) -> Tensor:
        """Return how far the critic's slope is from 1 between the sides (Gulrajani et al. 2017)."""
        share = torch.rand(len(source), 1, dtype=source.dtype, device=source.device)
        points = torch.lerp(target, source, share).requires_grad_()
        return self.penalty_weight * (self.critic_slope(points) - 1).square().mean()

    def critic_slope(self, points: Tensor) -> Tensor:
        """Return the norm (N,) of the critic's gradient at points (N, d), without a reversal."""
        (gradient,) = torch.autograd.grad(
            self.critic.score(points).sum(), points, create_graph=True
        )
        return gradient.norm(dim=1)

    def before_critic_step(self) -> None:
        """Leave the critic as it is."""

    def bound_critic(self) -> None:
        """Leave the weights to the penalty."""
