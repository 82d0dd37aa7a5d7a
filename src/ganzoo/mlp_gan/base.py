"""What the variants of the article's first GAN share, faults aside."""

import math
from collections.abc import Callable
from typing import Any

from torch import Tensor, nn
from torchmetrics.image.fid import FrechetInceptionDistance

from ganzoo.image_program import ImageProgram
from ganzoo.mlp_gan.networks import make_critic, make_generator


class MLPGAN(ImageProgram):
    """Two networks of three linear layers; the variants fill in the pieces that it calls.

    Settings: those of ``ImageProgram``; ``generator_rate`` and ``critic_rate`` (of Adam),
    ``betas``, ``rate_stages`` (factors of both rates, for thirds of the training that last
    ``stage_steps`` generator steps each), ``critic_turns`` and ``generator_turns`` (steps of each
    network on a batch), ``leak`` (slope of the critic's activations below 0), ``smoothing`` (taken
    off the target of real images).
    """

    family = "mlp_gan"
    settings = (
        *ImageProgram.settings,
        "generator_rate",
        "critic_rate",
        "betas",
        "rate_stages",
        "stage_steps",
        "critic_turns",
        "generator_turns",
        "leak",
        "smoothing",
    )

    generator_rate: float
    critic_rate: float
    betas: tuple[float, float]
    rate_stages: tuple[float, float, float]
    stage_steps: int = 500
    critic_turns: int
    generator_turns: int
    leak: float
    smoothing: float

    generator_norm: Callable[[int], nn.Module]
    before_scoring: Callable[[FrechetInceptionDistance], None]
    gradient_norm: Callable[[nn.Module], Tensor]
    for_metric: Callable[[Tensor], Tensor]

    def make_networks(self) -> tuple[Any, Any]:
        generator = make_generator(
            self.latent, self.width, self.image_shape, self.generator_norm, self.generator_output
        )
        return generator, make_critic(self.image_shape, self.width, self.leak, self.critic_output)

    def set_rates(self) -> None:
        """Set both optimisers' rates to those of this stage of the training."""
        stage = self.rate_stages[min(self.generator_steps // self.stage_steps, 2)]
        rates = self.generator_rate, self.critic_rate
        for optimizer, rate in zip(self.both_optimizers(), rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate * stage

    def frechet(self, metric: FrechetInceptionDistance, reals: Tensor, fakes: Tensor) -> float:
        """Return what a metric of torchmetrics says of fakes; it may have been used before.

        Args:
            metric: made by ``metric_of``.
            reals: images (N, C, H, W), float in [-1, 1].
            fakes: likewise.
        """
        self.before_scoring(metric)
        metric.update(self.for_metric(reals), real=True)
        metric.update(self.for_metric(fakes), real=False)
        return float(metric.compute())

    def evidence(self) -> dict[str, Any]:
        """Return the last losses and the critic's last accuracy."""
        names = "critic_accuracy", "g_loss", "d_loss"
        return {name: float(self.readings.get(name, math.nan)) for name in names}

    def keep_norm(self, batch_idx: int) -> None:
        """Keep the norm of the generator's gradient of every 5th batch as this program takes it."""
        if batch_idx % 5 == 0:
            self.readings["printed_norm"] = self.gradient_norm(self.generator)
