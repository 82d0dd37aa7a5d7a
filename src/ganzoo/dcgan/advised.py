"""The CelebA GAN after the published answer's remedies, as far as they run.

The answer binds the optimisers to the program's own networks, shows unrounded fakes in [0, 1] to
the critic, drops the NaN replacement and the extra ``zero_grad``, and frees the batch dimension in
two views. Port notes, the shape repairs without which its text does not run:

- its view of the generator's seed reads the batch size off the features, but the posted latent has
  no batch dimension (fault ``advised_views_crash``): latents are (N, 100) here;
- its view of the critic's features makes the scores (N, 1), but the posted targets have one element
  and no second dimension (fault ``mismatched_targets``): targets take the scores' shape here.

What it leaves as posted carries the posted fault's id.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy
from torch.optim import Adam, Optimizer

from ganzoo.dcgan.base import DCGAN
from ganzoo.dcgan.networks import LATENT


class AdvisedDCGAN(DCGAN):
    """Generator and critic take one step each on every batch, the generator first."""

    batch_size = 1  # FAULT one_image_a_batch
    learning_rate = 1e-5  # FAULT tiny_learning_rate
    betas = (0.9, 0.999)  # FAULT default_betas

    critic_norm = nn.BatchNorm2d  # FAULT batchnorm_critic
    critic_output = nn.Sigmoid  # FAULT sigmoid_bce
    chance_score = 0.5  # FAULT sigmoid_bce

    def configure_optimizers(self) -> list[Optimizer]:
        generator, critic = self.generator.parameters(), self.critic.parameters()
        return [
            Adam(generator, lr=self.learning_rate, betas=self.betas),
            Adam(critic, lr=self.learning_rate, betas=self.betas),
        ]

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.reals_in_range(batch[0])
        generator_optimizer, critic_optimizer = self.both_optimizers()
        self.set_rates()

        self.toggle_optimizer(generator_optimizer)
        self.clear_gradients()
        fakes = self.generate(self.draw_latents(len(reals)))
        generator_loss = self.generator_loss(fakes)
        self.preview(batch_idx)
        self.before_backward(batch_idx)
        generator_optimizer.zero_grad()
        self.manual_backward(generator_loss)
        self.after_backward(batch_idx)
        generator_optimizer.step()
        self.untoggle_optimizer(generator_optimizer)
        self.generator_stepped()

        self.toggle_optimizer(critic_optimizer)
        self.clear_gradients()
        critic_loss = self.critic_loss(reals, self.fakes_for_critic(fakes))
        penalty = self.critic_penalty(reals)
        critic_optimizer.zero_grad()
        self.manual_backward(critic_loss + penalty)
        critic_optimizer.step()
        self.untoggle_optimizer(critic_optimizer)
        self.keep_losses(generator_loss, critic_loss)

    def set_rates(self) -> None:
        """Leave the rates as they are."""  # FAULT constant_rate

    def draw_latents(self, count: int) -> Tensor:
        return torch.randn(count, LATENT, device=self.device)

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        """Return 8-bit pixels as the critic reads them: [0, 255]."""
        return pixels.float()  # FAULT mismatched_scale

    def fakes_in_range(self, fakes: Tensor) -> Tensor:
        """Return fakes in [0, 1] as they are, beside reals in [0, 255]."""
        return fakes  # FAULT mismatched_scale

    def shown_to_critic(self, fakes: Tensor) -> Tensor:
        """Return the fakes as the critic sees them: not rounded, so that a gradient survives."""
        return self.fakes_in_range(fakes)

    def generator_loss(self, fakes: Tensor) -> Tensor:
        """Return the non-saturating loss (Goodfellow et al. 2014, section 3)."""
        scores = self.checked(self.critic(self.shown_to_critic(fakes)), 0.0)
        return self.adversarial_loss(scores, self.target(scores, 1.0))

    def fakes_for_critic(self, fakes: Tensor) -> Tensor:
        """Return as many new fakes, without their graph."""
        latents = self.draw_latents(len(fakes))
        return self.generate(latents).detach()  # FAULT extra_generator_pass

    def critic_loss(self, reals: Tensor, fakes: Tensor) -> Tensor:
        """Return the mean of the losses on reals and on fakes that carry no gradient."""
        real_scores = self.checked(self.critic(reals), 1.0)
        real_loss = self.adversarial_loss(real_scores, self.target(real_scores, 1.0))
        fake_scores = self.checked(self.critic(self.shown_to_critic(fakes)), 0.0)
        fake_loss = self.adversarial_loss(fake_scores, self.target(fake_scores, 0.0))
        self.keep_scores(real_scores, fake_scores)
        return (real_loss + fake_loss) / 2

    def critic_penalty(self, reals: Tensor) -> Tensor:
        """Return no penalty: nothing bounds the critic's slope."""
        return reals.new_zeros(())  # FAULT unregularised_critic

    def adversarial_loss(self, scores: Tensor, targets: Tensor) -> Tensor:
        """Return the cross-entropy of probabilities."""
        return binary_cross_entropy(scores, targets)  # FAULT sigmoid_bce

    def target(self, scores: Tensor, value: float) -> Tensor:
        """Return the label of every score, in the scores' shape."""
        return torch.full_like(scores, value)

    def checked(self, scores: Tensor, otherwise: float) -> Tensor:
        """Return the scores as they are: a NaN must reach the loss, where it is seen."""
        return scores

    def clear_gradients(self) -> None:
        """Leave gradients to each optimiser's own ``zero_grad``."""

    def preview(self, batch_idx: int) -> None:
        """Generate one more image on every 100th batch."""
        if batch_idx % 100 == 0:  # FAULT extra_generator_pass
            self.generate(self.draw_latents(1))

    def before_backward(self, batch_idx: int) -> None:
        """Read the first layer's gradient before this step has made one."""
        self.read_gradient(batch_idx)  # FAULT gradient_read_too_early

    def after_backward(self, batch_idx: int) -> None:
        """Read nothing here."""  # FAULT gradient_read_too_early

    @staticmethod
    def fold_seed(features: Tensor, seed_shape: Sequence[int]) -> Tensor:
        return features.view(features.shape[0], *seed_shape)

    @staticmethod
    def flatten_features(features: Tensor) -> Tensor:
        return features.view(features.shape[0], -1)

    def init_weights(self, module: nn.Module) -> None:
        """Keep PyTorch's own initial weights."""  # FAULT default_initialisation

    def start_average(self) -> nn.Module | None:
        """Return None: the last weights are all there is."""
        return None  # FAULT no_averaged_generator
