"""Precision, recall, density and coverage against their definitions, pair by pair."""

import math

import pytest
import torch

from ganzoo.evaluation import manifold as module
from ganzoo.evaluation.manifold import manifold


def rows(n: int, seed: int, d: int = 3, scale: float = 1.0) -> torch.Tensor:
    noise = torch.Generator().manual_seed(seed)
    return scale * torch.randn(n, d, generator=noise)


def by_pairs(real, fake, k):
    """Return the four measures, from lists and loops."""
    real, fake = real.double().tolist(), fake.double().tolist()

    def radius(point, own):
        return sorted(math.dist(point, other) for other in own if other is not point)[k - 1]

    real_radii = [radius(point, real) for point in real]
    fake_radii = [radius(point, fake) for point in fake]
    within = [
        sum(math.dist(f, r) <= radius for r, radius in zip(real, real_radii, strict=True))
        for f in fake
    ]
    recalled = [
        any(math.dist(f, r) <= radius for f, radius in zip(fake, fake_radii, strict=True))
        for r in real
    ]
    covered = [
        any(math.dist(f, r) <= radius for f in fake)
        for r, radius in zip(real, real_radii, strict=True)
    ]
    return (
        sum(count > 0 for count in within) / len(fake),
        sum(recalled) / len(real),
        sum(within) / k / len(fake),
        sum(covered) / len(real),
    )


@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("block", [7, 1000])
def test_all_four_equal_their_definitions(monkeypatch, k, block):
    monkeypatch.setattr(module, "ROWS", block)
    real, fake = rows(40, 0), rows(30, 1, scale=0.7)
    found = manifold(real, fake, k)
    due = by_pairs(real, fake, k)
    assert (found.precision, found.recall, found.density, found.coverage) == pytest.approx(
        due, abs=1e-12
    )


def test_two_samples_of_one_distribution_have_a_density_near_one():
    found = manifold(rows(800, 0), rows(800, 1))
    assert found.density == pytest.approx(1, abs=0.1)
    assert min(found.precision, found.recall, found.coverage) > 0.9


def test_a_collapse_costs_recall_and_coverage_and_not_precision():
    real = rows(400, 0)
    fake = real[:1] + 0.01 * rows(400, 1)
    found = manifold(real, fake)
    assert found.precision == 1
    assert found.recall < 0.02
    assert found.coverage < 0.05


def test_noise_costs_precision():
    found = manifold(rows(400, 0), rows(400, 1, scale=10.0))
    assert found.precision < 0.1
    assert found.density < 0.1


def test_copies_are_covered():
    real = rows(50, 0)
    found = manifold(real, real.clone())
    assert (found.precision, found.recall, found.coverage) == (1, 1, 1)


@pytest.mark.parametrize(
    ("shapes", "text"),
    [
        (((5, 3), (40, 3)), "5 and 40 rows: 5 neighbours need at least 6"),
        (((40, 3), (40, 4)), r"\(40, 3\) and \(40, 4\)"),
    ],
)
def test_what_cannot_be_measured_is_named(shapes, text):
    with pytest.raises(ValueError, match=text):
        manifold(*(torch.zeros(shape) for shape in shapes))
