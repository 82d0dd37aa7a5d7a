"""The game of adaptation after the answer: what it says is in ``reversal/advised.py``."""

from torch import Tensor, nn

from ganzoo.adapt.base import Adapt
from ganzoo.reversal.advised import AdvisedReversal


class AdvisedAdapt(AdvisedReversal, Adapt):
    """One loss trains critic and extractor through a hook before the last layer."""

    feature_norm = nn.Identity  # FAULT unbounded_features
    learning_rate = 1e-2  # FAULT default_rmsprop_rate
    critic_steps = 1  # FAULT one_critic_step
    reversal_weight = 1.0  # FAULT coefficient_too_large_for_slope

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        """Return 8-bit pixels as the extractor reads them: [0, 255]."""
        return pixels.float()  # FAULT raw_pixels
