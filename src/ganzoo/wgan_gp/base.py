"""What both variants of the WGAN with a gradient penalty share, faults aside."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from ganzoo.image_program import ImageProgram
from ganzoo.names import known
from ganzoo.program import evaluating
from ganzoo.wgan_gp.networks import critic_of, generator_of

LAYOUTS = ("images", "flat")


class WGANGP(ImageProgram):
    """Sizes and networks of the family; the variants fill in the pieces that it calls.

    Settings: those of ``ImageProgram``; ``layout`` ("images": convolutions on (N, C, H, W), with
    a quarter of ``width`` feature maps; "flat": linear layers on (N, C * H * W)),
    ``learning_rate`` and ``betas`` (of Adam), ``penalty_weight``, and ``critic_steps`` (batches for
    each generator step).
    """

    family = "wgan_gp"
    settings = (
        *ImageProgram.settings,
        "layout",
        "learning_rate",
        "betas",
        "penalty_weight",
        "critic_steps",
    )

    layout: str = "images"
    learning_rate: float = 5e-4
    betas: tuple[float, float]
    penalty_weight: float = 10.0  # Gulrajani et al. 2017, algorithm 1
    critic_steps: int = 5

    last_reals: Tensor | None = None  # as the critic read them

    critic_norm: Callable[[int], nn.Module]

    def make_networks(self) -> tuple[Any, Any]:
        known(self.layout, LAYOUTS, "layout")
        if self.image_size % 4:
            raise ValueError(f"image_size is a multiple of 4, not {self.image_size}")
        shape = self.image_shape
        return (
            generator_of(self.layout, shape, self.latent, self.width, self.generator_output),
            critic_of(self.layout, shape, self.width, self.critic_norm, self.critic_output),
        )

    def shaped(self, images: Tensor) -> Tensor:
        """Return images (N, C, H, W) as the critic reads them: as they are, or flat."""
        return images.flatten(1) if self.layout == "flat" else images

    def critic_accuracy(self, real_scores: Tensor, fake_scores: Tensor) -> float:
        """Return the mean share of either side beyond the middle of both sides' mean scores."""
        middle = (real_scores.mean() + fake_scores.mean()) / 2
        return super().critic_accuracy(real_scores - middle, fake_scores - middle)

    def evidence(self) -> dict[str, Any]:
        """Return the critic's slope, as it is now, on the last batch it was trained on."""
        reals = self.last_reals
        if reals is None:
            return {"slope": math.nan}
        with evaluating(self), self.seeded(0), torch.no_grad():
            fakes = self.shaped(self.generate(self.draw_latents(len(reals))))
            return {"slope": float(self.seen_slope(reals, fakes))}

    def seen_slope(self, reals: Tensor, fakes: Tensor) -> Tensor:
        """Return the mean norm of the critic's gradient at points between images of two sides.

        It is taken for each image, over all of its pixels, whatever the penalty does.
        """
        shape = (len(reals), *[1] * (reals.ndim - 1))
        share = torch.rand(shape, dtype=reals.dtype, device=reals.device)
        points = torch.lerp(reals, fakes, share).detach().requires_grad_()
        with torch.enable_grad():
            (gradient,) = torch.autograd.grad(self.critic(points).sum(), points)
        return gradient.flatten(1).norm(dim=1).mean()
