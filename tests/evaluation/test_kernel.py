"""The kernel distance against its definition, pair by pair, and against closed forms."""

import itertools

import pytest
import torch

from ganzoo.evaluation.kernel import BLOCKS, kernel_distance, unbiased_discrepancy
from ganzoo.evaluation.statistics import dealt


def rows(n: int, seed: int, d: int = 4, shift: float = 0.0) -> torch.Tensor:
    noise = torch.Generator().manual_seed(seed)
    return torch.randn(n, d, dtype=torch.float64, generator=noise) + shift


def by_pairs(x, y):
    """Return the discrepancy, summed over pairs in plain Python."""

    def k(a, b):
        return (sum(p * q for p, q in zip(a, b, strict=True)) / len(a) + 1) ** 3

    def within(points):
        pairs = list(itertools.permutations(points, 2))
        return sum(k(*pair) for pair in pairs) / len(pairs)

    x, y = x.tolist(), y.tolist()
    cross = [k(a, b) for a in x for b in y]
    return within(x) + within(y) - 2 * sum(cross) / len(cross)


def test_it_is_the_sum_over_pairs():
    x, y = rows(7, 0), rows(5, 1, shift=0.5)
    assert float(unbiased_discrepancy(x, y)) == pytest.approx(by_pairs(x, y), rel=1e-12)


def test_the_value_is_the_mean_of_disjoint_blocks_and_the_error_their_spread():
    a, b = rows(60, 0), rows(60, 1, shift=0.3)
    values = [by_pairs(a[dealt(60) == k], b[dealt(60) == k]) for k in range(BLOCKS)]
    found = kernel_distance(a, b)
    assert found.value == pytest.approx(sum(values) / BLOCKS, rel=1e-9)
    error = torch.tensor(values).std() / BLOCKS**0.5
    assert found.standard_error == pytest.approx(float(error), rel=1e-6)
    low, high = found.interval
    assert high - found.value == pytest.approx(found.value - low)
    assert high - low == pytest.approx(2 * 2.262 * found.standard_error)


def test_it_equals_torchmetrics_on_one_block():
    from torchmetrics.image.kid import poly_mmd

    x, y = rows(30, 0), rows(30, 1, shift=0.2)
    assert float(unbiased_discrepancy(x, y)) == pytest.approx(float(poly_mmd(x, y)), rel=1e-9)


def test_two_samples_of_one_distribution_are_zero_within_the_error():
    inside = 0
    for seed in range(40):
        low, high = kernel_distance(rows(200, 2 * seed), rows(200, 2 * seed + 1)).interval
        inside += low <= 0 <= high
    assert 33 <= inside <= 40  # 38 are expected of a 95 % interval


def test_it_grows_with_the_shift():
    found = [kernel_distance(rows(200, 0), rows(200, 1, shift=s)).value for s in (0, 0.3, 1.0)]
    assert found == sorted(found)
    assert found[2] > 10 * found[1] > 0


@pytest.mark.parametrize(
    ("shapes", "text"),
    [
        (((19, 3), (40, 3)), "19 and 40 rows: .* needs at least 20"),
        (((40, 3), (40, 4)), r"\(40, 3\) and \(40, 4\)"),
        (((40,), (40, 4)), "give"),
    ],
)
def test_what_cannot_be_measured_is_named(shapes, text):
    with pytest.raises(ValueError, match=text):
        kernel_distance(*(torch.zeros(shape) for shape in shapes))
