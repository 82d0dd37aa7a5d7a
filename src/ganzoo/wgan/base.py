"""The image family, faults aside: generated images against real ones, as flat vectors."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from ganzoo.reversal.base import ReversalProgram
from ganzoo.wgan.networks import Generator, draw


class WGAN(ReversalProgram):
    """The generator's images are the target side, real images the source side.

    Settings: those of ``ReversalProgram``; ``image_size`` (height and width, a multiple of 4),
    ``image_channels`` (1 or 3) and ``generator_width``.
    """

    family = "wgan"
    settings = (*ReversalProgram.settings, "image_size", "image_channels", "generator_width")
    scales: ClassVar = {
        "posted": {"image_size": 32, "generator_width": 64, "critic_hidden": 1024},
        "quick": {"image_size": 32, "generator_width": 32, "critic_hidden": 512},
        # the posted order of signs can be shown; layers this small overshoot at a higher rate only
        "tiny": {
            "image_size": 4,
            "generator_width": 4,
            "critic_hidden": 32,
            "batch_size": 20,
            "learning_rate": 0.1,
        },
    }

    batch_size: int = 64
    image_size: int = 32
    image_channels: int = 3
    generator_width: int = 32
    generator_output: Callable[[], nn.Module]
    reals_in_range: Callable[[Tensor], Tensor]
    fakes_in_range: Callable[[Tensor], Tensor]

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (self.image_channels, self.image_size, self.image_size)

    @property
    def feature_length(self) -> int:
        return self.image_channels * self.image_size**2

    def make_networks(self) -> tuple[Any, Any]:
        if self.image_size % 4 or self.image_channels not in (1, 3):
            wrong = f"{self.image_channels} channels of {self.image_size} pixels"
            raise ValueError(f"wgan: {wrong}: image_channels is 1 or 3, image_size a multiple of 4")
        shape = self.image_channels, self.image_size, self.generator_width
        return Generator(*shape, self.generator_output), self.make_critic()

    def draw_latents(self, count: int) -> Tensor:
        return draw(count, self.device)

    def sides(self, batch: Sequence[Tensor], moves: bool) -> tuple[Tensor, Tensor, Tensor]:
        reals = self.reals_in_range(batch[0])
        with torch.set_grad_enabled(moves):
            fakes = self.fakes_in_range(self.generate(self.draw_latents(len(reals))))
        return reals.flatten(1), fakes.flatten(1), reals.new_zeros(())
