"""The game of adaptation, repaired: each difference from ``buggy.py`` is one of ``faults.py``."""

from torch import Tensor, nn

from ganzoo.adapt.base import Adapt
from ganzoo.reversal.fixed import FixedReversal


class FixedAdapt(FixedReversal, Adapt):
    """One loss trains critic and extractor through a reversal on the critic's input."""

    feature_norm = nn.LayerNorm
    learning_rate = 1e-3
    critic_steps = 3
    reversal_weight = 0.25  # chosen without labels of a target: benchmarks/adaptation.py choose

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        """Return 8-bit pixels as the extractor reads them: [-1, 1]."""
        return pixels.float() / 127.5 - 1
