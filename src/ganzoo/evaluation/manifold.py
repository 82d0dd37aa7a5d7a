"""Fidelity and diversity told apart: precision and recall, density and coverage, and copies."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from ganzoo.evaluation.intervals import Interval, interval_of_mean, jackknife
from ganzoo.evaluation.statistics import BLOCKS, dealt

ROWS = 1000  # of a block of distances: 80 MB for 10,000 columns
COPY = 0.1  # of the usual distance between neighbouring real images, below which two are one


@dataclass(frozen=True)
class Manifold:
    """How two samples lie in each other's neighbourhoods.

    Attributes:
        precision: share of fakes that lie within a real image's neighbourhood, in [0, 1].
        recall: share of reals that lie within a fake's neighbourhood, in [0, 1].
        density: how many real neighbourhoods a fake lies in, as a share of ``neighbours``;
            above 0, and 1 on average for two samples of one distribution.
        coverage: share of reals whose neighbourhood holds a fake, in [0, 1].
        nearest: median distance of a fake to its nearest real image, in units of the median
            distance of a real image to its nearest other one: near 1 for new images of the same
            distribution, near 0 for the training images themselves.
        copied: share of fakes that are nearer to a real image than a tenth of that unit.
        repeated: share of fakes that are as near to another fake.
        intervals: of each, by name, over the draw of the fakes; empty where these are too few.
    """

    precision: float
    recall: float
    density: float
    coverage: float
    nearest: float
    copied: float
    repeated: float
    intervals: dict[str, Interval]

    def scores(self) -> dict[str, tuple[float, Interval | None]]:
        """Return value and interval of each."""
        values = {name: value for name, value in vars(self).items() if name != "intervals"}
        return {name: (v, self.intervals.get(name)) for name, v in values.items()}


def manifold(real: Tensor, fake: Tensor, neighbours: int = 5) -> Manifold:
    """Return precision, recall, density and coverage of fakes, and how many are copies.

    An image's neighbourhood is the ball about its features that reaches its k-th nearest neighbour
    of its own side. Distances are taken in blocks, so that memory grows with n and not with n^2.
    Intervals leave out a tenth of the fakes at a time, within neighbourhoods that stay as they are.

    Args:
        real: features (n, d), any real dtype, n above ``neighbours``.
        fake: features (m, d), likewise.
        neighbours: k.

    Raises:
        ValueError: for too few rows, another rank, or unequal d.

    Source: Kynkaanniemi et al., Improved Precision and Recall Metric, 2019, equation 2; Naeem et
    al., Reliable Fidelity and Diversity Metrics, 2020, equations 3 and 4.
    """
    check(real, fake, neighbours)
    real, fake = real.double(), fake.double()
    real_nearest, real_radii = radii(real, neighbours)
    fake_nearest, fake_radii = radii(fake, neighbours)
    found = Found(len(real), len(fake))
    for rows, distances in blocks(real, fake):
        found.add(rows, distances, real_radii[rows, None], fake_radii)
    unit = float(real_nearest.median())
    of_fakes = {
        "precision": (found.within > 0).double(),
        "density": found.within.double() / neighbours,
        "copied": (found.nearest <= COPY * unit).double(),
        "repeated": (fake_nearest <= COPY * unit).double(),
    }
    values = {name: float(each.mean()) for name, each in of_fakes.items()}
    values["recall"] = float((found.recalling.sum(1) > 0).double().mean())
    values["coverage"] = float((found.covering.sum(1) > 0).double().mean())
    floor = max(unit, 1e-12)  # reals that are all one have no distance to measure by
    values["nearest"] = float(found.nearest.median()) / floor
    if len(fake) < 2 * BLOCKS:
        return Manifold(**values, intervals={})
    intervals = {name: interval_of_mean(block_means(each)) for name, each in of_fakes.items()}
    for name, counts in ("recall", found.recalling), ("coverage", found.covering):
        intervals[name] = jackknife(values[name], lambda b, c=counts: share_without(c, b))
    intervals["nearest"] = jackknife(
        values["nearest"],
        lambda b: float(found.nearest[found.block[:, b] == 0].median()) / floor,
    )
    for name in set(values) - {"density", "nearest"}:
        low, high = intervals[name]
        intervals[name] = max(low, 0.0), min(high, 1.0)
    return Manifold(**values, intervals=intervals)


class Found:
    """What is added up while blocks of distances pass."""

    def __init__(self, reals: int, fakes: int) -> None:
        self.within = torch.zeros(fakes, dtype=torch.int64)  # real neighbourhoods about the fake
        self.nearest = torch.full((fakes,), torch.inf, dtype=torch.float64)
        self.covering = torch.zeros(reals, BLOCKS)  # fakes near the real, by block of fakes
        self.recalling = torch.zeros(reals, BLOCKS)  # fakes whose neighbourhood holds the real
        self.block = one_hot(dealt(fakes), BLOCKS).float()

    def add(self, rows: slice, distances: Tensor, real_radii: Tensor, fake_radii: Tensor) -> None:
        """Add the distances (R, fakes) of some real images."""
        inside = distances <= real_radii
        self.within += inside.sum(0)
        self.nearest = self.nearest.minimum(distances.amin(0))
        self.covering[rows] = inside.float() @ self.block
        self.recalling[rows] = (distances <= fake_radii).float() @ self.block


def block_means(values: Tensor) -> Tensor:
    """Return the mean of each block's values, (BLOCKS,)."""
    block = dealt(len(values))
    return torch.stack([values[block == k].mean() for k in range(BLOCKS)])


def share_without(counts: Tensor, block: int) -> float:
    """Return the share of rows that have a count in some block but one."""
    return float((counts.sum(1) - counts[:, block] > 0).double().mean())


def check(real: Tensor, fake: Tensor, neighbours: int) -> None:
    """Raise ValueError unless there are two sets of features with neighbours enough."""
    if real.ndim != 2 or fake.ndim != 2 or real.shape[1] != fake.shape[1]:
        raise ValueError(
            f"features are {tuple(real.shape)} and {tuple(fake.shape)}: give (n, d), (m, d)"
        )
    if min(len(real), len(fake)) <= neighbours or neighbours < 1:
        raise ValueError(
            f"{len(real)} and {len(fake)} rows: {neighbours} neighbours need at least "
            f"{neighbours + 1} on each side"
        )


def radii(features: Tensor, neighbours: int) -> tuple[Tensor, Tensor]:
    """Return each row's distance to its nearest and its k-th nearest neighbour, (n,) each."""
    nearest, found = torch.empty(2, len(features), dtype=features.dtype)
    for rows, distances in blocks(features, features):
        places = torch.arange(rows.start, rows.start + len(distances))
        distances[torch.arange(len(distances)), places] = torch.inf  # itself, whatever its rounding
        smallest = distances.topk(neighbours, largest=False).values
        nearest[rows], found[rows] = smallest[:, 0], smallest[:, -1]
    return nearest, found


def blocks(a: Tensor, b: Tensor) -> Iterator[tuple[slice, Tensor]]:
    """Yield the distances of some rows of a to all rows of b, and which rows these are."""
    for start in range(0, len(a), ROWS):
        rows = slice(start, start + ROWS)
        yield rows, torch.cdist(a[rows], b)
