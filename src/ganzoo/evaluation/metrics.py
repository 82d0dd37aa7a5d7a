"""The Fréchet distance as a metric of torchmetrics."""

import logging

import torch
from torch import Tensor
from torchmetrics import Metric

from ganzoo.evaluation.distances import Gaussian
from ganzoo.evaluation.extractors import Extractor, extractor

log = logging.getLogger(__name__)


class FrechetDistance(Metric):
    """The squared Fréchet distance between features of real and of generated images.

    It keeps a count, a sum and a sum of outer products of each side, in float64, so that memory
    does not grow with the number of images and processes add up, also where they have unequal
    numbers of images or none. Of two samples of one distribution the distance is above zero, the
    more so the fewer images: compare only at equal numbers.

    Example:
        >>> metric = FrechetDistance("lite0")  # doctest: +SKIP
        >>> metric.update(photographs, real=True)  # doctest: +SKIP
        >>> metric.update(samples, real=False)  # doctest: +SKIP
        >>> metric.compute()  # doctest: +SKIP

    Args:
        extractor: the name of an extractor, or one at hand.
        reset_real: whether ``reset`` forgets the real side too; False keeps it for every later
            distance, which spares its features.

    Source: Heusel et al., GANs Trained by a Two Time-Scale Update Rule, 2017, equation 6.
    """

    is_differentiable = False
    higher_is_better = False
    full_state_update = False

    real_count: Tensor
    real_sum: Tensor
    real_products: Tensor
    fake_count: Tensor
    fake_sum: Tensor
    fake_products: Tensor

    def __init__(self, extractor: str | Extractor = "lite0", reset_real: bool = True) -> None:
        super().__init__()
        self.extractor = _extractor(extractor)
        self.reset_real = reset_real
        self.told = False  # that there are few images
        self.answered = False  # a distance was computed, and nothing forgotten since
        d = self.extractor.dimension
        for side in ("real", "fake"):
            zeros = {
                "count": torch.zeros((), dtype=torch.int64),
                "sum": torch.zeros(d, dtype=torch.float64),
                "products": torch.zeros(d, d, dtype=torch.float64),
            }
            for name, zero in zeros.items():
                self.add_state(f"{side}_{name}", zero, dist_reduce_fx="sum")

    def update(self, images: Tensor, real: bool) -> None:
        """Add images, uint8 (N, 3, H, W) or (N, 1, H, W), to the real or the generated side.

        Samples that come after a distance was computed, without a ``reset``, join those that it was
        computed of; the log says so once.

        Raises:
            ValueError: for any other dtype or shape; the message says how to convert.
        """
        if self.answered and not real:
            self.answered = False
            log.warning(
                "FrechetDistance was not reset after its last distance: the %d generated images "
                "of then count again. Call reset() before each new distance",
                int(self.fake_count),
            )
        features = self.extractor(images).double().to(self.device)
        # New tensors, not changes in place: those fail on a state made under inference_mode.
        if real:
            self.real_count = self.real_count + len(features)
            self.real_sum = self.real_sum + features.sum(0)
            self.real_products = torch.addmm(self.real_products, features.T, features)
        else:
            self.fake_count = self.fake_count + len(features)
            self.fake_sum = self.fake_sum + features.sum(0)
            self.fake_products = torch.addmm(self.fake_products, features.T, features)

    def compute(self) -> Tensor:
        """Return the squared distance, a float64 scalar, zero or above.

        With no more images than features on a side, the log says once that it is biased.

        Raises:
            ValueError: where either side has fewer than two images, or features are not finite.
        """
        real = _gaussian("real", self.real_count, self.real_sum, self.real_products)
        fake = _gaussian("generated", self.fake_count, self.fake_sum, self.fake_products)
        self.warn_of_few()
        distance = real.distance(fake)
        self.answered = True
        return torch.tensor(distance, dtype=torch.float64, device=self.device)

    def warn_of_few(self) -> None:
        """Log once that a side has no more images than there are features."""
        n, d = min(int(self.real_count), int(self.fake_count)), self.extractor.dimension
        if n <= d and not self.told:
            self.told = True
            log.warning(
                "%d images for %d features: a covariance is singular, and the distance is biased "
                "upwards (it is not 0 for two samples of one distribution). Give more than %d "
                "images, or compare at equal numbers only",
                n,
                d,
                d,
            )

    def reset(self) -> None:
        """Forget the images of both sides, or of the generated one where ``reset_real`` is off."""
        kept = {name: getattr(self, name) for name in self._defaults if name.startswith("real_")}
        super().reset()
        self.answered = False
        if not self.reset_real:
            for name, tensor in kept.items():
                setattr(self, name, tensor)


def _extractor(given: str | Extractor) -> Extractor:
    return extractor(given) if isinstance(given, str) else given


def _gaussian(side: str, count: Tensor, total: Tensor, products: Tensor) -> Gaussian:
    n = int(count)
    if n < 2:
        raise ValueError(
            f"the {side} side has {n} image(s): update it with at least 2 before compute"
        )
    if not products.isfinite().all():
        raise ValueError(f"features of the {side} images hold NaN or infinity: look at the weights")
    return Gaussian.from_sums(n, total, products)
