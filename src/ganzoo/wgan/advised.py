"""The game on images after the answer: what it says is in ``reversal/advised.py``."""

from torch import Tensor, nn

from ganzoo.reversal.advised import AdvisedReversal
from ganzoo.wgan.base import WGAN


class AdvisedWGAN(AdvisedReversal, WGAN):
    """One loss trains the critic and the generator through a hook before the last layer."""

    generator_output = nn.Identity  # FAULT unbounded_features

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        """Return 8-bit pixels as the critic reads them: [0, 255]."""
        return pixels.float()  # FAULT raw_pixels

    def fakes_in_range(self, fakes: Tensor) -> Tensor:
        """Return the generator's output as the critic reads it: 255 stands for white."""
        return fakes * 255  # FAULT raw_pixels
