"""The article's first GAN after its remedies, in the combination that it calls the best.

Betas of (0.5, 0.999), Tanh and pixels in [-1, 1] are right. What the article credits beside them
carries a fault's id, and so does what it leaves as it was. Port notes:

- The article's smoothed labels have the wrong shape for its own critic (``label_shape``): here they
  have the scores' shape.
- Its FID snippet is refused by the metric, since images are float (``fid_float``), and a grey image
  has one channel (``fid_grey``): the metric is told to convert, and channels are repeated.
- "The first 50 epochs" are a third of the training here.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy
from torch.optim import Adam, Optimizer
from torchmetrics.image.fid import FrechetInceptionDistance

from ganzoo.mlp_gan.base import MLPGAN


class AdvisedMLPGAN(MLPGAN):
    """The critic takes its steps on a batch first, then the generator."""

    generator_rate = 2e-4
    critic_rate = 2e-4
    critic_turns = 1
    generator_turns = 1
    betas = (0.5, 0.999)  # Radford et al. 2016, section 4
    rate_stages = (0.5, 1.0, 1.5)  # FAULT rising_rates
    leak = 0.1  # FAULT smaller_leak
    smoothing = 0.1  # FAULT smoothing_as_balance
    generator_norm = nn.Identity  # FAULT unnormalised_generator
    generator_output = nn.Tanh
    critic_output = nn.Sigmoid  # FAULT sigmoid_bce
    chance_score = 0.5  # FAULT sigmoid_bce

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
        """Return the cross-entropy of probabilities."""
        return binary_cross_entropy(scores, targets)  # FAULT sigmoid_bce

    def target(self, scores: Tensor, value: float) -> Tensor:
        """Return a label for each score, of the scores' shape."""
        return torch.full_like(scores, value)

    def before_critic_step(self) -> None:
        """Clip the critic's gradient, which the article calls clipping its weights."""
        nn.utils.clip_grad_norm_(  # FAULT gradient_clip_as_weight_clip
            self.critic.parameters(), 0.05
        )

    def after_critic_step(self) -> None:
        """Leave the critic's weights as they are."""

    def before_generator_step(self) -> None:
        """Clip the generator's gradient."""
        nn.utils.clip_grad_norm_(self.generator.parameters(), 1.0)  # FAULT clip_hides_nan

    def gradient_norm(self, network: nn.Module) -> Tensor:
        """Return what the article's monitor prints: each parameter replaces the one before."""
        total = torch.zeros(())
        for parameter in network.parameters():
            if parameter.grad is not None:
                total = parameter.grad.norm(2) ** 2  # FAULT norm_of_last_parameter
        return total**0.5

    def metric_of(self, feature: int | nn.Module) -> FrechetInceptionDistance:
        """Return a metric of torchmetrics for ``frechet``, which converts images."""
        return FrechetInceptionDistance(feature, normalize=True)  # FAULT fid_range

    def before_scoring(self, metric: FrechetInceptionDistance) -> None:
        """Go on with what a metric has seen."""  # FAULT fid_not_reset

    def for_metric(self, images: Tensor) -> Tensor:
        """Return images as they are, float in [-1, 1]."""
        return images.expand(-1, 3, -1, -1)  # FAULT fid_range
