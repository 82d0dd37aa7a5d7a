"""The posted game on images.

Port notes, for what the post leaves out:


- The generator is "a simple CNN"; its images are the target side and real ones the source side.
  Both reach the critic as flat vectors, since that is what the posted critic reads.
- Neither a range of the images nor a bound on the features is shown: pixels are 0..255 here, and
  the generator's last layer has no activation. With pixels of [0, 1] the losses stay about 10^3
  smaller than those printed.
"""

from torch import Tensor, nn

from ganzoo.reversal.buggy import BuggyReversal
from ganzoo.wgan.base import WGAN


class BuggyWGAN(BuggyReversal, WGAN):
    """One loss trains the critic and the generator through a hook on the critic's input."""

    generator_output = nn.Identity  # FAULT unbounded_features

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        """Return 8-bit pixels as the critic reads them: [0, 255]."""
        return pixels.float()  # FAULT raw_pixels

    def fakes_in_range(self, fakes: Tensor) -> Tensor:
        """Return the generator's output as the critic reads it: 255 stands for white."""
        return fakes * 255  # FAULT raw_pixels
