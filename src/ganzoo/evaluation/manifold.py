"""Fidelity and diversity told apart: precision and recall, density and coverage."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

ROWS = 1000  # of a block of distances: 80 MB for 10,000 columns


@dataclass(frozen=True)
class Manifold:
    """How two samples lie in each other's neighbourhoods.

    Attributes:
        precision: share of fakes that lie within a real image's neighbourhood, in [0, 1].
        recall: share of reals that lie within a fake's neighbourhood, in [0, 1].
        density: how many real neighbourhoods a fake lies in, as a share of ``neighbours``;
            above 0, and 1 on average for two samples of one distribution.
        coverage: share of reals whose neighbourhood holds a fake, in [0, 1].
    """

    precision: float
    recall: float
    density: float
    coverage: float


def manifold(real: Tensor, fake: Tensor, neighbours: int = 5) -> Manifold:
    """Return precision, recall, density and coverage of fakes.

    An image's neighbourhood is the ball about its features that reaches its k-th nearest neighbour
    of its own side. Distances are taken in blocks, so that memory grows with n and not with n^2.

    Args:
        real: features (n, d), any real dtype, n above ``neighbours``.
        fake: features (m, d), likewise.
        neighbours: k.

    Raises:
        ValueError: for too few rows, another rank, or unequal d.

    Source: Kynkaanniemi et al., Improved Precision and Recall Metric, 2019, equation 2; Naeem et
    al., Reliable Fidelity and Diversity Metrics, 2020, equations 3 and 4.
    """
    if real.ndim != 2 or fake.ndim != 2 or real.shape[1] != fake.shape[1]:
        raise ValueError(
            f"features are {tuple(real.shape)} and {tuple(fake.shape)}: give (n, d), (m, d)"
        )
    if min(len(real), len(fake)) <= neighbours or neighbours < 1:
        raise ValueError(
            f"{len(real)} and {len(fake)} rows: {neighbours} neighbours need at least "
            f"{neighbours + 1} on each side"
        )
    real, fake = real.double(), fake.double()
    real_radii, fake_radii = radii(real, neighbours), radii(fake, neighbours)
    within = torch.zeros(len(fake), dtype=torch.int64)  # real neighbourhoods that hold the fake
    recalled = torch.zeros(len(real), dtype=torch.bool)
    covered = torch.zeros(len(real), dtype=torch.bool)
    for rows, distances in blocks(real, fake):
        inside = distances <= real_radii[rows, None]
        within += inside.sum(0)
        covered[rows] = inside.any(1)
        recalled[rows] = (distances <= fake_radii).any(1)
    return Manifold(
        precision=float((within > 0).double().mean()),
        recall=float(recalled.double().mean()),
        density=float(within.double().mean() / neighbours),
        coverage=float(covered.double().mean()),
    )


def radii(features: Tensor, neighbours: int) -> Tensor:
    """Return each row's distance (n,) to its k-th nearest neighbour, itself not counted."""
    found = torch.empty(len(features), dtype=features.dtype)
    for rows, distances in blocks(features, features):
        places = torch.arange(rows.start, rows.start + len(distances))
        distances[torch.arange(len(distances)), places] = torch.inf  # itself, whatever its rounding
        found[rows] = distances.kthvalue(neighbours, dim=1).values
    return found


def blocks(a: Tensor, b: Tensor) -> Iterator[tuple[slice, Tensor]]:
    """Yield the distances of some rows of a to all rows of b, and which rows these are."""
    for start in range(0, len(a), ROWS):
        rows = slice(start, start + ROWS)
        yield rows, torch.cdist(a[rows], b)
