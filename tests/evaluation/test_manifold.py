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


def test_copies_are_told_from_new_images():
    real = rows(60, 0)
    new, copies = rows(40, 1), real[:20]
    found = manifold(real, torch.cat([new, copies + 1e-6]))
    points = real.tolist()
    unit = sorted(min(math.dist(a, b) for b in points if b is not a) for a in points)
    unit = (unit[29] + unit[30]) / 2  # either middle one may be called the median
    nearest = [min(math.dist(f, r) for r in real.tolist()) for f in new.tolist()]
    copied = (20 + sum(n <= 0.1 * unit for n in nearest)) / 60
    assert found.copied == pytest.approx(copied, abs=0.02)
    assert manifold(real, new).nearest == pytest.approx(sorted(nearest)[19] / unit, rel=0.1)
    assert manifold(real, real.clone()).nearest == pytest.approx(0, abs=1e-6)


def test_repeated_samples_are_counted_among_themselves():
    fake = rows(30, 1, scale=2.0)
    once, twice = manifold(rows(60, 0), fake), manifold(rows(60, 0), torch.cat([fake, fake]))
    assert once.repeated < 0.1
    assert twice.repeated == 1
    assert twice.copied == once.copied


def test_reals_that_are_all_one_give_numbers():
    found = manifold(torch.zeros(30, 3), rows(30, 1))
    assert all(math.isfinite(value) for value, _ in found.scores().values())


def test_with_few_fakes_there_are_no_intervals():
    assert {span for _, span in manifold(rows(30, 0), rows(19, 1)).scores().values()} == {None}
    spans = [span for _, span in manifold(rows(30, 0), rows(20, 1)).scores().values()]
    assert all(low <= high for low, high in spans)
