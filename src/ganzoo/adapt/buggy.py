"""The posted game where its code comes from: adapting a classifier to a domain without labels.

Port notes: the post's class descends from that of a conditional adversarial network for domain
adaptation, so the "simple CNN" is the feature extractor here; its label head is trained on the
source's labels in the same backward pass. Nothing in the post bounds the features.
"""

from torch import Tensor, nn

from ganzoo.adapt.base import Adapt
from ganzoo.reversal.buggy import BuggyReversal


class BuggyAdapt(BuggyReversal, Adapt):
    """One loss trains critic and extractor through a hook on the critic's input."""

    feature_norm = nn.Identity  # FAULT unbounded_features
    learning_rate = 1e-2  # FAULT default_rmsprop_rate
    critic_steps = 1  # FAULT one_critic_step
    reversal_weight = 1.0  # FAULT coefficient_too_large_for_slope

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        """Return 8-bit pixels as the extractor reads them: [0, 255]."""
        return pixels.float()  # FAULT raw_pixels
