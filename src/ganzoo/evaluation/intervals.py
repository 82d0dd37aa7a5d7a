"""How far a score could have lain elsewhere, had other samples been drawn."""

from collections.abc import Callable

import torch
from torch import Tensor

from ganzoo.evaluation.distances import Gaussian
from ganzoo.evaluation.statistics import BLOCKS, FeatureStatistics

T_95 = 2.262  # Student's t of BLOCKS - 1 degrees of freedom, two-sided

Interval = tuple[float, float]


def interval_of_mean(values: Tensor) -> Interval:
    """Return the 95 % interval of the mean of one value for each block, (BLOCKS,)."""
    half = T_95 * float(values.std()) / len(values) ** 0.5
    centre = float(values.mean())
    return centre - half, centre + half


def jackknife(value: float, without: Callable[[int], float]) -> Interval:
    """Return the 95 % interval of a value from what it is without each block of samples.

    The usual bootstrap draws samples again with replacement. That repeats some of them, which makes
    their covariance poorer and moves a Fréchet distance by many times its spread (of 1280 ReLU
    features: up by 10 % at n 200 and by 30 % at n 1000, with a spread of 1 %). Leaving out a block
    repeats nothing: the ten values share one bias, which drops out of their spread. The interval is
    that of the expected score of this many samples, not of infinitely many, and the real images
    count as given.

    Source: Efron and Stein, The Jackknife Estimate of Variance, 1981, with groups in place of
    single samples.
    """
    values = torch.tensor([without(block) for block in range(BLOCKS)], dtype=torch.float64)
    half = T_95 * float((values.var(correction=0) * (BLOCKS - 1)).sqrt())
    return value - half, value + half


def distance_interval(real: Gaussian, fake: FeatureStatistics, value: float) -> Interval:
    """Return the interval of the squared Fréchet distance of samples in ten blocks."""

    def without(block: int) -> float:
        others = [b for b in range(BLOCKS) if b != block]
        return real.distance(fake.gaussian(others), roughly=True)  # the error drops out, too

    return jackknife(value, without)


def limit_of_distance(real: Gaussian, fake: FeatureStatistics) -> tuple[float, Interval]:
    """Return what the squared Fréchet distance tends to as samples are added, with its interval.

    The distance of n samples exceeds its limit by a term in 1 / n, once they outnumber the
    features. So twice the distance of all, less the mean distance of two halves, is free of it.
    The real side stays as it is: the fewer real images, the higher the limit.

    Source: Chong and Forsyth, Effectively Unbiased FID and Inception Score and Where to Find Them,
    2020, section 3, who fit a line through many n; two points give the same line's end.
    """

    def limit(blocks: list[int], roughly: bool = True) -> float:
        middle = len(blocks) // 2
        halves = [
            real.distance(fake.gaussian(b), roughly) for b in (blocks[:middle], blocks[middle:])
        ]
        sizes = [1 / int(fake.counts[b].sum()) for b in (blocks, blocks[:middle], blocks[middle:])]
        whole = real.distance(fake.gaussian(blocks), roughly)
        slope = (sum(halves) / 2 - whole) / ((sizes[1] + sizes[2]) / 2 - sizes[0])
        return whole - slope * sizes[0]

    every = list(range(BLOCKS))
    value = limit(every, roughly=False)
    return value, jackknife(value, lambda block: limit([b for b in every if b != block]))
