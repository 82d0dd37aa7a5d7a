"""The posted critic and its game.

Port notes, for what the post leaves out:


- The class named in ``super()`` is another one (``wrong_super``), and ``np.float`` is gone from
  NumPy (``numpy_float``): with either the post does not start, so the port runs without them.
- The loop is not shown. Both optimisers step after one backward pass, as a reversal is meant to be
  used, and the source side is scored first, then the target side.
- The post says that weights are clamped and that RMSprop is used. Clamped to 0.01, a critic of its
  size cannot reach the printed losses: |W| is at most 2e-6 times the features' length, times the
  hidden width squared, times the largest feature. So the clamp had no effect here: its result is
  thrown away. And RMSprop runs at its default rate of 1e-2.
"""

import math

import torch
from torch import Tensor
from torch.optim import Optimizer, RMSprop

from ganzoo.reversal.base import ReversalProgram
from ganzoo.reversal.critic import Critic


class BuggyReversal(ReversalProgram):
    """One loss trains both networks through a hook on the critic's input."""

    learning_rate = 1e-2  # FAULT default_rmsprop_rate
    critic_steps = 1  # FAULT one_critic_step
    critic_dropout = 0.2  # FAULT critic_dropout
    first_count = 0  # FAULT first_coefficient_zero
    ramp_alpha = 1.0
    ramp_steps = 15

    def configure_optimizers(self) -> list[Optimizer]:
        generator, critic = self.generator.parameters(), self.critic.parameters()
        return [  # FAULT default_rmsprop_rate
            RMSprop(generator, lr=self.learning_rate),
            RMSprop(critic, lr=self.learning_rate),
        ]

    @staticmethod
    def ramp(count: int, alpha: float, steps: float) -> float:
        """Return the posted coefficient, which is tanh(alpha * count / (2 * steps))."""
        return 2 / (1 + math.exp(-alpha * count / steps)) - 1

    def set_coefficient(self) -> None:
        """Leave the coefficient to the critic's forwards."""  # FAULT schedule_counts_forwards

    @staticmethod
    def count_forward(critic: Critic) -> None:
        """Move the coefficient on by one for every training forward."""
        if critic.training:  # FAULT schedule_counts_forwards
            critic.forwards = min(critic.forwards + 1, critic.pieces.last_count)
        critic.coefficient = critic.pieces.weight * critic.pieces.ramp(critic.forwards)

    @staticmethod
    def reverse(features: Tensor, coefficient: float) -> Tensor:
        """Return a copy of the features whose gradient a hook reverses."""
        features = features * 1.0  # FAULT hook_needs_grad
        features.register_hook(lambda gradient: -coefficient * gradient.clone())
        return features

    @staticmethod
    def enter(critic: Critic, features: Tensor) -> Tensor:
        """Return the features with the reversal behind them."""
        return critic.pieces.reverse(features, critic.coefficient)

    @staticmethod
    def leave(critic: Critic, hidden: Tensor) -> Tensor:
        """Return the hidden layer's output as it is."""
        return hidden

    def both_scores(self, target: Tensor, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return the scores of both sides, from a forward for each."""
        source_scores = self.critic(source)  # FAULT schedule_counts_forwards
        return self.critic(target), source_scores

    def wasserstein_loss(self, target_scores: Tensor, source_scores: Tensor) -> Tensor:
        """Return the loss that the critic minimises: minus its estimate of the distance."""
        return source_scores.mean() - target_scores.mean()

    def critic_penalty(self, source: Tensor, target: Tensor) -> Tensor:
        """Return no penalty: the clamp is meant to bound the critic."""
        return source.new_zeros(())  # FAULT clamp_not_in_place

    def critic_slope(self, points: Tensor) -> Tensor:
        """Return the norm (N,) of the critic's gradient at points (N, d), without a reversal."""
        (gradient,) = torch.autograd.grad(
            self.critic.score(points).sum(), points, create_graph=True
        )
        return gradient.norm(dim=1)

    def before_critic_step(self) -> None:
        """Leave the critic as it is."""

    def bound_critic(self) -> None:
        """Clamp copies of the critic's weights to [-0.01, 0.01]."""
        for parameter in self.critic.parameters():
            parameter.data.clamp(-0.01, 0.01)  # FAULT clamp_not_in_place
