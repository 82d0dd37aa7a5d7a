"""The article's first GAN repaired: each difference from ``buggy.py`` is one of its faults.

Images are float (N, C, H, W) in [-1, 1]; the critic's scores are logits (N, 1).
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.optim import Adam, Optimizer
from torchmetrics.image.fid import FrechetInceptionDistance

from ganzoo.mlp_gan.base import MLPGAN


class FixedMLPGAN(MLPGAN):
    """The critic takes its steps on a batch first, then the generator."""

    generator_rate = 2e-4
    critic_rate = 2e-4
    critic_turns = 1
    generator_turns = 1
    betas = (0.5, 0.999)  # Radford et al. 2016, section 4
    rate_stages = (1.0, 1.0, 1.0)
    leak = 0.2
    smoothing = 0.0
    generator_norm = nn.BatchNorm1d
    generator_output = nn.Tanh
    critic_output = nn.Identity
    chance_score = 0.0

    def configure_optimizers(self) -> list[Optimizer]:
        generator, critic = self.generator.parameters(), self.critic.parameters()
        return [
            Adam(generator, lr=self.generator_rate, betas=self.betas),
            Adam(critic, lr=self.critic_rate, betas=self.betas),
        ]

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.reals_in_range(batch[0])
        generator_optimizer, critic_optimizer = self.both_optimizers()
        self.set_rates()
        fakes, critic_loss, generator_loss = reals, *reals.new_zeros(2)

        for _ in range(self.critic_turns):
            fakes = self.generate(self.draw_latents(len(reals)))
            critic_loss = self.critic_loss(reals, fakes.detach())
            critic_optimizer.zero_grad()
            self.manual_backward(critic_loss)
            self.before_critic_step()
            critic_optimizer.step()
            self.after_critic_step()

        for turn in range(self.generator_turns):
            fakes = self.fakes_of_turn(fakes, turn)
            generator_loss = self.generator_loss(fakes)
            generator_optimizer.zero_grad()
            self.manual_backward(generator_loss)
            self.before_generator_step()
            self.keep_norm(batch_idx)
            generator_optimizer.step()
            self.generator_steps += 1
        self.keep_losses(generator_loss, critic_loss)

    def fakes_of_turn(self, fakes: Tensor, turn: int) -> Tensor:
        """Return fakes of this turn: the critic's last ones at first, then new ones."""
        return fakes if turn == 0 else self.generate(self.draw_latents(len(fakes)))

    def reals_shown(self, reals: Tensor) -> Tensor:
        """Return the reals as the critic sees them: unchanged, like the fakes."""
        return reals

    def critic_loss(self, reals: Tensor, fakes: Tensor) -> Tensor:
        """Return the sum of the losses on reals and on fakes that carry no gradient."""
        real_scores = self.critic(self.reals_shown(reals))
        real_loss = self.adversarial_loss(real_scores, self.target(real_scores, 1 - self.smoothing))
        fake_scores = self.critic(fakes)
        fake_loss = self.adversarial_loss(fake_scores, self.target(fake_scores, 0.0))
        self.keep_scores(real_scores, fake_scores)
        return real_loss + fake_loss

    def generator_loss(self, fakes: Tensor) -> Tensor:
        """Return the non-saturating loss (Goodfellow et al. 2014, section 3)."""
        scores = self.critic(fakes)
        return self.adversarial_loss(scores, self.target(scores, 1.0))

    def adversarial_loss(self, scores: Tensor, targets: Tensor) -> Tensor:
        """Return the cross-entropy of logits."""
        return binary_cross_entropy_with_logits(scores, targets)

    def target(self, scores: Tensor, value: float) -> Tensor:
        """Return a label for each score, of the scores' shape."""
        return torch.full_like(scores, value)

    def before_critic_step(self) -> None:
        """Leave the critic's gradient as it is."""

    def after_critic_step(self) -> None:
        """Leave the critic's weights as they are."""

    def before_generator_step(self) -> None:
        """Leave the generator's gradient as it is."""

    def gradient_norm(self, network: nn.Module) -> Tensor:
        """Return the norm of the whole gradient, a scalar."""
        return nn.utils.get_total_norm([p.grad for p in network.parameters() if p.grad is not None])

    def metric_of(self, feature: int | nn.Module) -> FrechetInceptionDistance:
        """Return a metric of torchmetrics for ``frechet``, on 8-bit images."""
        return FrechetInceptionDistance(feature)

    def before_scoring(self, metric: FrechetInceptionDistance) -> None:
        """Forget what a metric has seen."""
        metric.reset()

    def for_metric(self, images: Tensor) -> Tensor:
        """Return images as the metric reads them: uint8 (N, 3, H, W)."""
        return self.to_uint8(images).expand(-1, 3, -1, -1)
