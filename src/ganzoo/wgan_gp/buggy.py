"""The WGAN with the article's gradient penalty, as printed.

Cut into the named pieces of ``fixed.py``; a line that the repairs change carries the id of its
fault, which ``faults.py`` explains. Port notes:

- The article prints the penalty alone, without the two operators that its page lost. Networks,
  losses, optimisers and the critic's five steps are those of the paper here, so that the penalty is
  all that differs; the article's own critic ends in a sigmoid (``sigmoid_critic``).
- Its random numbers have no device, which stops it on a GPU (``alpha_on_cpu``), and it fails on two
  sides of unequal size (``unequal_sides``): the port runs without these two.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.optim import Adam, Optimizer

from ganzoo.wgan_gp.base import WGANGP


class BuggyWGANGP(WGANGP):
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
        """Return both sides as they are."""
        return reals, fakes  # FAULT undetached_ends

    def share(self, images: Tensor) -> Tensor:
        """Return one number in [0, 1) for each image, to be broadcast over its pixels."""
        shape = (len(images), 1, 1, 1)  # FAULT flat_alpha_broadcast
        return torch.rand(shape, dtype=images.dtype, device=images.device)

    def slope(self, points: Tensor) -> Tensor:
        """Return the norm of the critic's gradient at each point."""
        scores = self.critic(points)
        (gradient,) = torch.autograd.grad(scores.sum(), points, create_graph=True)
        return self.norm(gradient)

    def norm(self, gradient: Tensor) -> Tensor:
        """Return the norm of the gradient over the second dimension."""
        return gradient.norm(2, dim=1)  # FAULT per_pixel_penalty
