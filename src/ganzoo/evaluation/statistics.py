"""What the scores need of one side's features, in memory that does not grow with their number."""

from collections.abc import Iterable
from functools import cache

import torch
from torch import Tensor

from ganzoo.evaluation.distances import Gaussian
from ganzoo.evaluation.extractors import Extractor

KEPT = 10_000  # first rows, which the scores that look at pairs of images are taken of
BLOCKS = 10  # into which rows are dealt, so that a score can be had without each of them
AT_ONCE = 2000  # rows for which a turn through the sums, 335 MB for 2048 columns, is worth it
# Small batches stay in a CPU's cache: 32 pass lite0 nearly twice as fast an image as 250.
BATCH = 32


@cache
def deals() -> Tensor:
    """Return the blocks of 10,000 rows: each ten of them go to ten blocks in some fixed order.

    In turn would do for rows in no order; of classes that come in turn, each block would get one.
    """
    chance = torch.Generator().manual_seed(0)
    return torch.cat([torch.randperm(BLOCKS, generator=chance) for _ in range(1000)])


def dealt(count: int, first: int = 0) -> Tensor:
    """Return the blocks (count,) of rows, the first of which has number ``first``."""
    return deals()[(first + torch.arange(count)) % len(deals())]


class FeatureStatistics:
    """A count, the first rows, and from ``KEPT`` rows or ``dimension`` rows on the sums of a side.

    Args:
        dimension: of a row, d.
        blocks: for how many blocks of rows sums are kept apart: 10 for samples, whose scores get
            intervals; 1 for real images, which are what they are.

    Attributes:
        n: how many rows came; 0 for statistics that came without their number.
    """

    def __init__(self, dimension: int, blocks: int = BLOCKS) -> None:
        self.dimension, self.blocks = dimension, blocks
        self.n = 0
        self.parts = [torch.empty(0, dimension)]  # of the kept rows
        self.counts = torch.zeros(blocks, dtype=torch.int64)
        self.totals = torch.zeros(0)  # (blocks, d), float64, from the first sums on
        self.products = torch.zeros(0)  # (blocks, d, d), float64
        self.added = 0  # rows that the sums are of
        self.waiting: list[Tensor] = []  # rows that are in neither
        self.given: Gaussian | None = None

    @classmethod
    def of(cls, features: Tensor, blocks: int = BLOCKS) -> "FeatureStatistics":
        """Return the statistics of features (n, d)."""
        found = cls(features.shape[1], blocks)
        found.update(features)
        return found

    @classmethod
    def of_images(
        cls, extractor: Extractor, images: Iterable[Tensor], blocks: int = BLOCKS
    ) -> "FeatureStatistics":
        """Return the statistics of images in chunks, uint8 (N, C, H, W) each."""
        found = cls(extractor.dimension, blocks)
        for chunk in images:
            for batch in chunk.split(BATCH):
                found.update(extractor(batch))
        return found

    @classmethod
    def of_gaussian(cls, mean: Tensor, covariance: Tensor) -> "FeatureStatistics":
        """Return the statistics that a mean (d,) and a covariance (d, d) are, without any rows."""
        found = cls(len(mean), 1)
        found.given = Gaussian(mean.double(), covariance.double())
        return found

    def update(self, features: Tensor) -> None:
        """Add features (N, d).

        Raises:
            ValueError: a feature is NaN or infinite.
        """
        features = features.detach().cpu()
        if not features.isfinite().all():
            bad = int((~features.isfinite()).any(1).sum())
            raise ValueError(
                f"features hold NaN or infinity in {bad} of {len(features)} rows from number "
                f"{self.n} on: look at those images and at the extractor's weights"
            )
        self.n += len(features)
        room = KEPT - sum(map(len, self.parts))
        if room > 0:
            self.parts.append(features[:room].float())
        if len(features) > room:
            self.waiting.append(features[max(room, 0) :])
            if sum(map(len, self.waiting)) >= AT_ONCE:
                self._add_all()

    def _add_all(self) -> None:
        """Bring the sums up to date."""
        kept = self.rows[self.added :]  # none, once they were added
        if len(kept):
            self._add(kept, self.added)
        if self.waiting:
            self._add(torch.cat(self.waiting), self.added)
            self.waiting.clear()

    def _add(self, rows: Tensor, first: int) -> None:
        """Add rows, the first of which has number ``first``, to the sums of their blocks."""
        if not self.totals.numel():
            d = self.dimension
            self.totals = torch.zeros(self.blocks, d, dtype=torch.float64)
            self.products = torch.zeros(self.blocks, d, d, dtype=torch.float64)
        placed = dealt(len(rows), first) % self.blocks
        for block in range(self.blocks):
            own = rows[placed == block].double()
            self.counts[block] += len(own)
            self.totals[block] += own.sum(0)
            self.products[block].addmm_(own.T, own)
        self.added += len(rows)

    @property
    def rows(self) -> Tensor:
        """The first rows, float32 (min(n, KEPT), d)."""
        if len(self.parts) > 1:
            self.parts = [torch.cat(self.parts)]
        return self.parts[0]

    @property
    def complete(self) -> bool:
        """Whether every row is kept."""
        return 0 < self.n == len(self.rows)

    def gaussian(self, blocks: Iterable[int] | None = None) -> Gaussian:
        """Return the Gaussian of all rows, or of those of some blocks.

        With no more rows than columns it comes from the rows, which square nothing.

        Raises:
            ValueError: there are fewer than two rows.
        """
        if self.given is not None:
            return self.given
        if self.n < 2:
            raise ValueError(f"{self.n} image(s): a covariance needs at least 2")
        chosen = list(range(self.blocks) if blocks is None else blocks)
        if self.complete and self.n <= self.dimension:
            return Gaussian.from_features(self.rows[self.members(chosen)])
        self._add_all()
        n = int(self.counts[chosen].sum())
        total, products = self.totals[0] * 0, self.products[0] * 0
        for block in chosen:  # not by an index, which copies them all
            total += self.totals[block]
            products += self.products[block]
        return Gaussian.from_sums(n, total, products)

    def tensors(self) -> dict[str, Tensor]:
        """Return what a file of these statistics holds."""
        found = {"n": torch.tensor(self.n), "rows": self.rows}
        if self.given is not None:
            found |= {"mean": self.given.mean, "covariance": self.given.full_covariance()}
        elif not self.complete:
            self._add_all()
            found |= {"total": self.totals.sum(0), "products": self.products.sum(0)}
        return {name: tensor.contiguous() for name, tensor in found.items()}

    @classmethod
    def from_tensors(cls, tensors: dict[str, Tensor], dimension: int) -> "FeatureStatistics":
        """Return statistics, of one block, from what ``tensors`` gave.

        Raises:
            ValueError: something is missing, or has another shape.
        """
        d, found = dimension, cls(dimension, 1)
        shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
        if "mean" in shapes and shapes["mean"] == (d,) and shapes.get("covariance") == (d, d):
            return cls.of_gaussian(tensors["mean"], tensors["covariance"])
        rows = tensors.get("rows", found.parts[0])
        found.n, found.parts = int(tensors.get("n", torch.tensor(0))), [rows]
        if found.n < 1 or rows.shape != (min(found.n, KEPT), d):
            raise ValueError(f"no statistics of {d} features: {shapes}")
        if not found.complete:
            if shapes.get("total") != (d,) or shapes.get("products") != (d, d):
                raise ValueError(f"no statistics of {d} features: {shapes}")
            found.counts[0] = found.added = found.n
            found.totals, found.products = tensors["total"][None], tensors["products"][None]
        return found

    def members(self, blocks: Iterable[int]) -> Tensor:
        """Return which of the kept rows belong to some blocks, bool (rows,)."""
        return torch.isin(dealt(len(self.rows)) % self.blocks, torch.tensor([*blocks]))
