"""The game on images, repaired: each difference from ``buggy.py`` is one fault of ``faults.py``."""

from torch import Tensor, nn

from ganzoo.reversal.fixed import FixedReversal
from ganzoo.wgan.base import WGAN


class FixedWGAN(FixedReversal, WGAN):
    """One loss trains the critic and the generator through a reversal on the critic's input."""

    generator_output = nn.Sigmoid

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        """Return 8-bit pixels as the critic reads them: [-1, 1]."""
        return pixels.float() / 127.5 - 1

    def fakes_in_range(self, fakes: Tensor) -> Tensor:
        """Return fakes in [0, 1] as the critic reads them: [-1, 1], like the reals."""
        return fakes * 2 - 1
