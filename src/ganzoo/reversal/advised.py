"""The game after the published answer's five remedies, as written.

1. The critic's ``super()`` names its own class (as the port of the post has it already).
2. The reversal moves from the critic's input to the input of its last layer.
3. The loss stays: the one that the answer writes for a critic whose source side is real is the
   posted one, though it calls the posted sign wrong. Its loss for the generator, without a
   reversal, is the fault ``cooperating_signs``.
4. The weights are clamped in place after each step.
5. The coefficient grows more slowly.

What it leaves as posted carries the posted fault's id.
"""

import math

import torch
from torch import Tensor
from torch.optim import Optimizer, RMSprop

from ganzoo.reversal.base import ReversalProgram
from ganzoo.reversal.critic import Critic


class AdvisedReversal(ReversalProgram):
    """One loss trains both networks through a hook before the critic's last layer."""

    learning_rate = 1e-2  # FAULT default_rmsprop_rate
    critic_steps = 1  # FAULT one_critic_step
    critic_dropout = 0.2  # FAULT critic_dropout
    first_count = 0  # FAULT first_coefficient_zero
    ramp_alpha = 0.5  # FAULT slower_schedule
    ramp_steps = 100  # FAULT slower_schedule

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
        """Return the features as they are."""
        return features  # FAULT reversal_before_last_layer

    @staticmethod
    def leave(critic: Critic, hidden: Tensor) -> Tensor:
        """Return the hidden layer's output with the reversal behind it."""
        return critic.pieces.reverse(hidden, critic.coefficient)  # FAULT reversal_before_last_layer

    def both_scores(self, target: Tensor, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return the scores of both sides, from a forward for each."""
        source_scores = self.critic(source)  # FAULT schedule_counts_forwards
        return self.critic(target), source_scores

    def wasserstein_loss(self, target_scores: Tensor, source_scores: Tensor) -> Tensor:
        """Return the loss that the critic minimises: minus its estimate of the distance."""
        return source_scores.mean() - target_scores.mean()

    def critic_penalty(self, source: Tensor, target: Tensor) -> Tensor:
        """Return no penalty: the clamp bounds the critic."""
        return source.new_zeros(())  # FAULT weight_clipping

    def critic_slope(self, points: Tensor) -> Tensor:
        """Return the norm (N,) of the critic's gradient at points (N, d), without a reversal."""
        (gradient,) = torch.autograd.grad(
            self.critic.score(points).sum(), points, create_graph=True
        )
        return gradient.norm(dim=1)

    def before_critic_step(self) -> None:
        """Leave the critic as it is."""

    def bound_critic(self) -> None:
        """Clamp the critic's weights to [-0.01, 0.01]."""
        for parameter in self.critic.parameters():
            parameter.data.clamp_(-0.01, 0.01)  # FAULT weight_clipping
