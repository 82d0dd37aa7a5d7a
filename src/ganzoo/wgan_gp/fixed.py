"""The WGAN with a gradient penalty: each difference from ``buggy.py`` is one fault.

Images are float in [-1, 1], (N, C, H, W) or flat (N, C * H * W); scores are (N, 1), unbounded.
Source: Gulrajani et al. 2017, algorithm 1.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.optim import Adam, Optimizer

from ganzoo.wgan_gp.base import WGANGP


class FixedWGANGP(WGANGP):
    """The critic takes a step on every batch, the generator on every fifth."""

    betas = (0.0, 0.9)  # written as floats: torch refuses the paper's integer beside one
    generator_output = nn.Tanh
    critic_output = nn.Identity

    def configure_optimizers(self) -> list[Optimizer]:
        generator, critic = self.generator.parameters(), self.critic.parameters()
        return [
            Adam(generator, lr=self.learning_rate, betas=self.betas),
            Adam(critic, lr=self.learning_rate, betas=self.betas),
        ]

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.last_reals = self.shaped(self.reals_in_range(batch[0]))
        generator_optimizer, critic_optimizer = self.both_optimizers()

        fakes = self.shaped(self.generate(self.draw_latents(len(reals))))
        critic_loss = self.critic_loss(reals, fakes.detach())
        penalty = self.critic_penalty(reals, fakes)
        critic_optimizer.zero_grad()
        self.manual_backward(critic_loss + penalty)
        critic_optimizer.step()

        if self.batches_seen % self.critic_steps == 0:
            self.toggle_optimizer(generator_optimizer)
            fakes = self.shaped(self.generate(self.draw_latents(len(reals))))
            generator_loss = self.generator_loss(fakes)
            generator_optimizer.zero_grad()
            self.manual_backward(generator_loss)
            generator_optimizer.step()
            self.untoggle_optimizer(generator_optimizer)
            self.generator_steps += 1
            self.keep_losses(generator_loss, critic_loss)

    def critic_norm(self, features: int) -> nn.Module:
        """Return what stands before the critic's activations: nothing couples the images."""
        return nn.Identity()

    def critic_loss(self, reals: Tensor, fakes: Tensor) -> Tensor:
        """Return minus the critic's estimate of the Wasserstein distance."""
        return self.critic(fakes).mean() - self.critic(reals).mean()

    def generator_loss(self, fakes: Tensor) -> Tensor:
        """Return minus the mean score of fakes."""
        return -self.critic(fakes).mean()

    def critic_penalty(self, reals: Tensor, fakes: Tensor) -> Tensor:
        """Return how far the critic's slope is from 1 between the two sides, weighted."""
        reals, fakes = self.ends(*self.paired(reals, fakes))
        points = torch.lerp(reals, fakes, self.share(reals)).requires_grad_()
        return self.penalty_weight * (self.slope(points) - 1).square().mean()

    def paired(self, reals: Tensor, fakes: Tensor) -> tuple[Tensor, Tensor]:
        """Return as many of both sides as the smaller one has."""
        count = min(len(reals), len(fakes))
        return reals[:count], fakes[:count]

    def ends(self, reals: Tensor, fakes: Tensor) -> tuple[Tensor, Tensor]:
        """Return both sides without the generator's graph, which the penalty does not train."""
        return reals.detach(), fakes.detach()

    def share(self, images: Tensor) -> Tensor:
        """Return one number in [0, 1) for each image, to be broadcast over its pixels."""
        shape = (len(images), *[1] * (images.ndim - 1))
        return torch.rand(shape, dtype=images.dtype, device=images.device)

    def slope(self, points: Tensor) -> Tensor:
        """Return the norm of the critic's gradient at each point."""
        scores = self.critic(points)
        (gradient,) = torch.autograd.grad(scores.sum(), points, create_graph=True)
        return self.norm(gradient)

    def norm(self, gradient: Tensor) -> Tensor:
        """Return the norm (N,) of each image's gradient, over all pixels; safe to derive at 0."""
        return gradient.flatten(1).norm(dim=1)
