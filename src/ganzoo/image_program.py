"""What the families of the article share: images of any size in [-1, 1], and normal latents."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from ganzoo.data.arrays import DigitImages, as_bytes
from ganzoo.data.stream import BatchStream
from ganzoo.program import Program


class ImageProgram(Program):
    """A program on square images, float in [-1, 1], whose pieces the variants fill in.

    Settings: ``image_size`` (height and width), ``image_channels`` (1 or 3), ``latent`` (length of
    the noise), ``width`` (of the networks' layers).
    """

    settings = ("image_size", "image_channels", "latent", "width", "batch_size")
    scales: ClassVar = {
        "posted": {"latent": 100, "width": 256},
        "quick": {"latent": 32, "width": 128},
    }

    batch_size: int = 64
    image_size: int = 8
    image_channels: int = 1
    latent: int = 32
    width: int = 128

    generator_output: Callable[[], nn.Module]
    critic_output: Callable[[], nn.Module]
    critic_loss: Callable[[Tensor, Tensor], Tensor]
    generator_loss: Callable[[Tensor], Tensor]

    @property
    def image_shape(self) -> tuple[int, int, int]:
        if self.image_channels not in (1, 3):
            raise ValueError(f"image_channels is 1 or 3, not {self.image_channels}")
        return (self.image_channels, self.image_size, self.image_size)

    def draw_latents(self, count: int) -> Tensor:
        """Return latents (count, latent) from N(0, 1)."""
        return torch.randn(count, self.latent, device=self.device)

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        """Return 8-bit pixels as the critic reads them: [-1, 1]."""
        return pixels.float() / 127.5 - 1

    def to_uint8(self, images: Tensor) -> Tensor:
        return super().to_uint8((images + 1) / 2)

    def example_batches(self, seed: int) -> Iterable[Any]:
        """Return endless batches of handwritten digits, brought to the program's size."""
        pixels, labels = digits_of(self.image_shape)
        return BatchStream(pixels, labels, self.batch_size, seed=seed)

    def shaped(self, images: Tensor) -> Tensor:
        """Return images (N, C, H, W) as the critic reads them: unchanged."""
        return images

    def critic_accuracy(self, real_scores: Tensor, fake_scores: Tensor) -> float:
        """Return the mean share of reals and of fakes that the critic tells, in [0, 1]."""
        right = (real_scores > self.chance_score).float().mean()
        return float(right + (fake_scores < self.chance_score).float().mean()) / 2


def digits_of(shape: tuple[int, int, int]) -> tuple[Tensor, Any]:
    """Return the embedded handwritten digits, uint8 (1797, C, H, W), and their labels (1797,)."""
    digits = DigitImages(shape, 1)
    pixels, labels = digits.load()
    return torch.from_numpy(digits.fit(as_bytes(pixels, "digits"))), labels
