"""What a classifier says of the samples, added up as they come."""

import torch
from torch import Tensor

from ganzoo.evaluation.extractors import Extractor
from ganzoo.evaluation.intervals import Interval, interval_of_mean
from ganzoo.evaluation.statistics import BLOCKS, dealt

LEAST_SHARE = 0.02  # of the samples that makes a class covered; a fifth of an even share of ten
SURE = 0.9


class ClassTally:
    """Sums of probabilities and entropies, in ten blocks of rows.

    Args:
        extractor: a classifier.
    """

    def __init__(self, extractor: Extractor) -> None:
        self.extractor = extractor
        self.n, self.sure = 0, 0
        self.counts = torch.zeros(extractor.classes, dtype=torch.int64)
        self.rows = torch.zeros(BLOCKS, dtype=torch.float64)
        self.chances = torch.zeros(BLOCKS, extractor.classes, dtype=torch.float64)
        self.negative_entropy = torch.zeros(BLOCKS, dtype=torch.float64)

    def update(self, features: Tensor) -> None:
        """Add the rows of features (N, d)."""
        chances = self.extractor.probabilities(features).double().cpu()
        largest = chances.max(1)
        self.counts += largest.indices.bincount(minlength=len(self.counts))
        self.sure += int((largest.values > SURE).sum())
        block = dealt(len(chances), self.n)
        self.rows.index_add_(0, block, torch.ones(len(chances), dtype=torch.float64))
        self.chances.index_add_(0, block, chances)
        # xlogy: 0 times the logarithm of 0 is 0
        self.negative_entropy.index_add_(0, block, torch.xlogy(chances, chances).sum(1))
        self.n += len(chances)

    def covered(self) -> int:
        """Return how many classes get at least 2 % of the samples."""
        return int((self.counts >= LEAST_SHARE * self.n).sum())

    def confident(self) -> float:
        """Return the share of samples whose class has a probability above 0.9."""
        return self.sure / self.n

    def inception_score(self) -> tuple[float, Interval]:
        """Return the mean over ten blocks of exp(E KL(p(y|x) || p(y))), and its interval.

        Source: Salimans et al., Improved Techniques for Training GANs, 2016, section 4; ten blocks
        as in its program.
        """
        mean = self.chances / self.rows[:, None]
        apart = self.negative_entropy / self.rows - torch.xlogy(mean, mean).sum(1)
        scores = apart.exp()
        return float(scores.mean()), interval_of_mean(scores)
