"""The CelebA GAN that learns: each difference from ``buggy.py`` is one fault of ``faults.py``.

Both files hold the same names in the same order, so that a diff shows the repairs and nothing
else. Pixels are uint8 (N, 3, H, W); fakes leave the generator in [0, 1]; the critic reads
[-1, 1] and returns one logit an image, (N, 1).
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.optim import Adam, Optimizer
from torch.optim.swa_utils import AveragedModel

from ganzoo.averaging import MovingAverage
from ganzoo.dcgan.base import DCGAN
from ganzoo.dcgan.networks import LATENT, variance_preserving_weights


class FixedDCGAN(DCGAN):
    """Generator and critic take one step each on every batch, the generator first."""

    batch_size = 8  # of equally many images it learns more, by more steps, than 16 or 32
    learning_rate = 1e-3
    betas = (0.0, 0.9)  # no momentum: the critic's gradient turns from step to step

    critic_norm = nn.Identity  # R1 regularises instead
    critic_output = nn.Identity
    chance_score = 0.0  # a logit

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
        """Lower both rates to nothing over the second half of ``anneal_steps`` (0: never)."""
        if self.anneal_steps:
            left = 2 * (1 - self.generator_steps / self.anneal_steps)
            for optimizer in self.both_optimizers():
                for group in optimizer.param_groups:
                    group["lr"] = self.learning_rate * min(1.0, max(0.02, left))

    def draw_latents(self, count: int) -> Tensor:
        return torch.randn(count, LATENT, device=self.device)

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        """Return 8-bit pixels as the critic reads them: [-1, 1]."""
        return pixels.float() / 127.5 - 1

    def fakes_in_range(self, fakes: Tensor) -> Tensor:
        """Return fakes in [0, 1] as the critic reads them: [-1, 1], like the reals."""
        return fakes * 2 - 1

    def shown_to_critic(self, fakes: Tensor) -> Tensor:
        """Return the fakes as the critic sees them: not rounded, so that a gradient survives."""
        return self.fakes_in_range(fakes)

    def generator_loss(self, fakes: Tensor) -> Tensor:
        """Return the non-saturating loss (Goodfellow et al. 2014, section 3)."""
        scores = self.checked(self.critic(self.shown_to_critic(fakes)), 0.0)
        return self.adversarial_loss(scores, self.target(scores, 1.0))

    def fakes_for_critic(self, fakes: Tensor) -> Tensor:
        """Return the generator step's fakes once more, without their graph."""
        return fakes.detach()

    def critic_loss(self, reals: Tensor, fakes: Tensor) -> Tensor:
        """Return the mean of the losses on reals and on fakes that carry no gradient."""
        real_scores = self.checked(self.critic(reals), 1.0)
        real_loss = self.adversarial_loss(real_scores, self.target(real_scores, 1.0))
        fake_scores = self.checked(self.critic(self.shown_to_critic(fakes)), 0.0)
        fake_loss = self.adversarial_loss(fake_scores, self.target(fake_scores, 0.0))
        self.keep_scores(real_scores, fake_scores)
        return (real_loss + fake_loss) / 2

    def critic_penalty(self, reals: Tensor) -> Tensor:
        """Return R1, half the squared slope at reals (Mescheder et al. 2018), every 16th step."""
        if (self.batches_seen - 1) % self.penalty_interval:
            return reals.new_zeros(())
        reals = reals.detach().requires_grad_()
        (slope,) = torch.autograd.grad(self.critic(reals).sum(), reals, create_graph=True)
        squared = slope.square().flatten(1).sum(1).mean()
        return self.penalty_weight / 2 * self.penalty_interval * squared

    def adversarial_loss(self, scores: Tensor, targets: Tensor) -> Tensor:
        """Return the cross-entropy of logits, which keeps its slope where a sigmoid is flat."""
        return binary_cross_entropy_with_logits(scores, targets)

    def target(self, scores: Tensor, value: float) -> Tensor:
        """Return the label of every score, in the scores' shape."""
        return torch.full_like(scores, value)

    def checked(self, scores: Tensor, otherwise: float) -> Tensor:
        """Return the scores as they are: a NaN must reach the loss, where it is seen."""
        return scores

    def clear_gradients(self) -> None:
        """Leave gradients to each optimiser's own ``zero_grad``."""

    def preview(self, batch_idx: int) -> None:
        """Draw nothing: samples are made outside the step, at fixed latents."""

    def before_backward(self, batch_idx: int) -> None:
        """Read no gradient here: this step has not made one yet."""

    def after_backward(self, batch_idx: int) -> None:
        """Read the first layer's gradient where it is complete and not yet used."""
        self.read_gradient(batch_idx)

    @staticmethod
    def fold_seed(features: Tensor, seed_shape: Sequence[int]) -> Tensor:
        return features.view(features.shape[0], *seed_shape)

    @staticmethod
    def flatten_features(features: Tensor) -> Tensor:
        return features.view(features.shape[0], -1)

    def init_weights(self, module: nn.Module) -> None:
        variance_preserving_weights(module)

    def start_average(self) -> nn.Module | None:
        """Return a copy that follows the generator, buffers too (Yazici et al. 2019)."""
        average = MovingAverage(self.average_decay)
        return AveragedModel(self.generator, multi_avg_fn=average, use_buffers=True)
