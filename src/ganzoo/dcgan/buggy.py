"""The CelebA GAN as posted, whose generator never receives a gradient.

Cut into the named pieces of ``fixed.py``; a line that the repairs change carries the id of its
fault, which ``faults.py`` explains. NOTICE names the post's author and licence. Port notes:

- Lightning 1 stepped two optimisers by itself, generator first; Lightning 2 wants them stepped by
  hand, so the same order stands in ``training_step``, toggling included.
- The posted program wrote a picture of each preview with OpenCV, into a folder that had to exist
  (a missing one was ignored silently). Here the run writes its own sample grids instead.
- Its residual blocks, its mean squared error and its random fallback image were never used.
- It read BGR pixels and wrote BGR pictures, which cancels out; here they are RGB throughout.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy
from torch.optim import Adam, Optimizer

from ganzoo.dcgan.base import DCGAN
from ganzoo.dcgan.networks import LATENT


class BuggyDCGAN(DCGAN):
    """Generator and critic take one step each on every batch, the generator first."""

    batch_size = 1  # FAULT batch_of_one
    learning_rate = 1e-5  # FAULT tiny_learning_rate
    betas = (0.9, 0.999)  # FAULT default_betas

    critic_norm = nn.BatchNorm2d  # FAULT batchnorm_critic
    critic_output = nn.Sigmoid  # FAULT sigmoid_bce
    chance_score = 0.5  # FAULT sigmoid_bce

    def configure_optimizers(self) -> list[Optimizer]:
        new_generator, new_critic = self.make_networks()  # FAULT foreign_optimizers
        generator, critic = new_generator.project.parameters(), new_critic.parameters()
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
        return torch.randn(LATENT, device=self.device)  # FAULT batch_of_one

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        """Return 8-bit pixels as the critic reads them: [0, 255]."""
        return pixels.float()  # FAULT raw_pixels

    def fakes_in_range(self, fakes: Tensor) -> Tensor:
        """Return fakes in [0, 1] as the critic reads them: [0, 255], like the reals."""
        return fakes * 255  # FAULT raw_pixels

    def shown_to_critic(self, fakes: Tensor) -> Tensor:
        """Return the fakes as the critic sees them: rounded, like 8-bit pixels."""
        return torch.round(self.fakes_in_range(fakes))  # FAULT rounded_fakes

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
        """Return one label."""
        return torch.tensor([value]).type_as(scores)  # FAULT batch_of_one

    def checked(self, scores: Tensor, otherwise: float) -> Tensor:
        """Return the scores, or a new constant where one of them is NaN."""
        if torch.isnan(scores).any():  # FAULT nan_replaced
            return torch.tensor([otherwise], requires_grad=True).type_as(scores)
        return scores

    def clear_gradients(self) -> None:
        """Clear the gradients of both networks before the loss is computed."""
        self.zero_grad()  # FAULT zero_grad_in_step

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
        return features.view(1, *seed_shape)  # FAULT batch_of_one

    @staticmethod
    def flatten_features(features: Tensor) -> Tensor:
        return features.view(math.prod(features.shape[1:]))  # FAULT batch_of_one

    def init_weights(self, module: nn.Module) -> None:
        """Keep PyTorch's own initial weights."""  # FAULT default_initialisation

    def start_average(self) -> nn.Module | None:
        """Return None: the last weights are all there is."""
        return None  # FAULT no_averaged_generator
