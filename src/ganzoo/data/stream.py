"""Batches without end, each known from its number."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from torch import Tensor


class BatchStream:
    """An endless iterable of (images, labels): uint8 (B, C, H, W) in [0, 255] and int64 (B,).

    Every epoch is a new permutation of the images, drawn from the seed and the epoch's number, cut
    into full batches; what is left over waits for a later epoch. So a run that has seen k batches
    goes on exactly with ``start=k``.

    Args:
        images: uint8 (N, C, H, W): an array, memory-mapped or not, or a tensor on the CPU.
        labels: int64 (N,).
        batch_size: Images in a batch, for each process.
        seed: Seed of the order, at least 0.
        start: Number of the first batch that iteration yields.
        rank: This process among ``world_size`` processes: each takes its share of every batch.
        world_size: How many processes train together.

    Raises:
        ValueError: There are too few images for one batch.
    """

    def __init__(
        self,
        images: Any,
        labels: Any,
        batch_size: int,
        seed: int = 0,
        start: int = 0,
        rank: int = 0,
        world_size: int = 1,
    ) -> None:
        self.images = np.asarray(images)
        self.labels = np.asarray(labels)
        self.batch_size = batch_size
        self.seed = seed
        self.start = start
        self.rank = rank
        self.together = batch_size * world_size
        if not 1 <= self.together <= len(self.images):
            raise ValueError(
                f"{len(self.images)} images cannot fill a batch of {self.together} "
                f"(batch_size: {batch_size}, processes: {world_size}): "
                "lower model.batch_size, or give more images"
            )
        self._order = lru_cache(maxsize=1)(self._permutation)

    def batch(self, k: int) -> tuple[Tensor, Tensor]:
        """Return batch number ``k``, from 0 on: a function of the seed and ``k`` alone."""
        epoch, place = divmod(k, len(self.images) // self.together)
        begin = place * self.together + self.rank * self.batch_size
        chosen = self._order(epoch)[begin : begin + self.batch_size]
        return torch.from_numpy(self.images[chosen]), torch.from_numpy(self.labels[chosen])

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        k = self.start
        while True:
            yield self.batch(k)
            k += 1

    def _permutation(self, epoch: int) -> NDArray[np.int64]:
        return np.random.default_rng([self.seed, epoch]).permutation(len(self.images))
