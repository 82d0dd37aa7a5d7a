"""Intervals hold what they are of, over many draws; the limit is free of the bias of small n."""

import pytest
import torch
from torch import Tensor

from ganzoo.evaluation.distances import Gaussian
from ganzoo.evaluation.intervals import distance_interval, interval_of_mean, limit_of_distance
from ganzoo.evaluation.manifold import manifold
from ganzoo.evaluation.statistics import BLOCKS, FeatureStatistics

D = 6
REAL = Gaussian(torch.zeros(D).double(), torch.eye(D).double())
DRAWS = 120


def fakes(n: int, seed: int, d: int = D) -> Tensor:
    noise = torch.Generator().manual_seed(seed)
    return 1.3 * torch.randn(n, d, generator=noise) + 0.2


TRUE = D * 0.2**2 + D * (1 + 1.3**2 - 2 * 1.3)  # the distance of the two Gaussians themselves


def distances(n: int) -> list[tuple[float, FeatureStatistics]]:
    found = [FeatureStatistics.of(fakes(n, seed)) for seed in range(DRAWS)]
    return [(REAL.distance(each.gaussian()), each) for each in found]


def test_the_interval_holds_the_expected_distance_as_often_as_it_says():
    drawn = distances(100)
    expected = sum(value for value, _ in drawn) / DRAWS
    spans = [distance_interval(REAL, each, value) for value, each in drawn]
    held = sum(low <= expected <= high for low, high in spans) / DRAWS
    assert held == pytest.approx(0.95, abs=0.06)
    # and it is no wider than it must be
    spread = torch.tensor([value for value, _ in drawn]).std()
    width = torch.tensor([high - low for low, high in spans]).mean()
    assert width == pytest.approx(2 * 2.262 * spread, rel=0.25)


def test_the_interval_lies_about_the_value_where_rows_are_fewer_than_features():
    real = FeatureStatistics.of(torch.randn(60, 64, generator=torch.Generator().manual_seed(0)), 1)
    ready = real.gaussian()
    found = [FeatureStatistics.of(fakes(40, seed, 64)) for seed in range(40)]
    values = [ready.distance(each.gaussian()) for each in found]
    spans = [distance_interval(ready, e, v) for v, e in zip(values, found, strict=True)]
    assert all(low < value < high for value, (low, high) in zip(values, spans, strict=True))
    held = sum(low <= sum(values) / 40 <= high for low, high in spans) / 40
    assert held >= 0.85


@pytest.mark.parametrize("n", [40, 100])
def test_the_limit_is_free_of_the_bias(n):
    drawn = distances(n)
    biased = sum(value for value, _ in drawn) / DRAWS
    limits = torch.tensor([limit_of_distance(REAL, each)[0] for _, each in drawn])
    standard_error = float(limits.std()) / DRAWS**0.5
    assert float(limits.mean()) == pytest.approx(
        TRUE, abs=3 * standard_error + 0.1 * (biased - TRUE)
    )
    assert biased - TRUE > 5 * standard_error  # which the limit would show, were it biased so


def test_the_limits_interval_holds_the_true_distance():
    spans = [limit_of_distance(REAL, each)[1] for _, each in distances(60)]
    held = sum(low <= TRUE <= high for low, high in spans) / DRAWS
    assert held == pytest.approx(0.95, abs=0.07)


def test_unequal_blocks_do_not_bias_the_limit():
    found = FeatureStatistics.of(fakes(69, 0))
    n, halves = 69, (range(5), range(5, 10))
    value, _ = limit_of_distance(REAL, found)
    sizes = [int(found.counts[list(half)].sum()) for half in halves]
    whole = REAL.distance(found.gaussian())
    half = sum(REAL.distance(found.gaussian(h)) for h in halves) / 2
    inverse = sum(1 / size for size in sizes) / 2
    # the line through both points, at 1 / n = 0
    assert value == pytest.approx(whole - (half - whole) / (inverse - 1 / n) / n)


def test_the_interval_of_a_mean_is_students():
    values = torch.arange(BLOCKS, dtype=torch.float64)
    low, high = interval_of_mean(values)
    assert (low + high) / 2 == pytest.approx(4.5)
    assert (high - low) / 2 == pytest.approx(2.262 * float(values.std()) / BLOCKS**0.5)


def test_intervals_of_the_manifold_hold_their_expected_values():
    real = torch.randn(150, D, generator=torch.Generator().manual_seed(1))
    found = [manifold(real, fakes(150, seed)).scores() for seed in range(60)]
    for word in found[0]:
        values = [each[word][0] for each in found]
        spans = [each[word][1] for each in found]
        expected = sum(values) / len(values)
        held = sum(low - 1e-9 <= expected <= high + 1e-9 for low, high in spans) / len(spans)
        assert held >= 0.8, (word, held)
