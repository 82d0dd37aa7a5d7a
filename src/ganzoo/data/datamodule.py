"""What all datasets share: the cache, the stream of batches, the real images for evaluation."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytorch_lightning as pl
import torch

from ganzoo.data.cache import Cached, Source, cached, named
from ganzoo.data.stream import BatchStream

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

ON_BAD_IMAGE = ("raise", "skip")


class Images(pl.LightningDataModule):
    """Images of one size, uint8 in [0, 255], with labels; the subclasses say where they come from.

    Args:
        image_shape: Channels (1 or 3), height and width.
        batch_size: Images in a batch, for each process.
        seed: Seed of the order of the batches.
        cache_dir: Where decoded pixels are kept. None: ``$GANZOO_CACHE``, else the user's cache.
        workers: Threads that decode. None: one for each processor.

    Raises:
        ValueError: A setting is out of its range.
    """

    name: Any  # a str; Lightning declares ``str | None``
    split: str | None = None
    crop: str | int | None = None
    on_bad_image: str = "raise"
    has_labels: bool = True  # False: the labels are placeholders

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]
    count: int
    fingerprint: str

    def __init__(
        self,
        image_shape: tuple[int, int, int],
        batch_size: int,
        *,
        seed: int = 0,
        cache_dir: str | Path | None = None,
        workers: int | None = None,
    ) -> None:
        super().__init__()
        if image_shape[0] not in (1, 3):
            raise ValueError(f"{self.name} has 1 or 3 channels, and image_shape is {image_shape}")
        self.image_shape = image_shape
        self.batch_size = batch_size
        self.seed = at_least(0, seed, "data.seed")
        self.cache_dir = Path(cache_dir).expanduser() if cache_dir else default_cache_dir()
        self.workers = at_least(1, processors() if workers is None else workers, "data.workers")

    def source(self) -> Source:
        """Return where the images come from; a dataset defines this."""
        raise NotImplementedError(f"{type(self).__name__} names no source")

    def prepare_data(self) -> None:
        self.setup()

    def setup(self, stage: str | None = None) -> None:
        """Fill or open the cache, once; then images, labels, count and fingerprint are there.

        Raises:
            ValueError: Some images cannot be used, and ``on_bad_image`` is "raise".
        """
        if "fingerprint" in vars(self):
            return
        found = cached(self.cache_dir, self.name, self.source(), self.image_shape, self.workers)
        self._judge(found)
        self.images, self.labels = found.images, found.labels
        self.count, self.fingerprint = len(found.images), found.fingerprint

    def _judge(self, found: Cached) -> None:
        if not found.skipped:
            return
        message = f"{self.name}: {named(found.skipped)}"
        if self.on_bad_image == "raise":
            raise ValueError(f"{message}. Repair them, or leave them out: data.on_bad_image=skip")
        warnings.warn(f"{message}: left out, {len(found.images)} remain", stacklevel=4)

    def train_dataloader(self) -> BatchStream:
        """Return the batches; with a trainer, from the first that its program has not seen."""
        if self.trainer is None:
            return BatchStream(self.images, self.labels, self.batch_size, self.seed)
        return BatchStream(
            self.images,
            self.labels,
            self.batch_size,
            self.seed,
            start=getattr(self.trainer.lightning_module, "batches_seen", 0),
            rank=self.trainer.global_rank,
            world_size=self.trainer.world_size,
        )

    def reals(self, n: int, offset: int = 0) -> Tensor:
        """Return ``n`` images for evaluation, uint8 (n, C, H, W): the same for every ``seed``.

        They are taken from one fixed shuffled order, so that two calls whose ranges do not overlap
        share no image.

        Raises:
            ValueError: There are fewer than ``offset + n`` images.
        """
        if n < 0 or offset < 0 or n + offset > self.count:
            raise ValueError(
                f"{self.name} has {self.count} images: {n} from number {offset} on cannot be had; "
                "ask for fewer, or give more images"
            )
        order = np.random.default_rng(0).permutation(self.count)
        return torch.from_numpy(np.asarray(self.images[order[offset : offset + n]]))

    def describe(self) -> dict[str, Any]:
        """Return name, split, crop, size [H, W], channels, count and fingerprint, fit for JSON."""
        channels, height, width = self.image_shape
        return {
            "name": self.name,
            "split": self.split,
            "crop": self.crop,
            "size": [height, width],
            "channels": channels,
            "count": self.count,
            "fingerprint": self.fingerprint,
        }


def default_cache_dir() -> Path:
    """Return ``$GANZOO_CACHE``, or ganzoo's folder in the user's cache."""
    if named_folder := os.environ.get("GANZOO_CACHE"):
        return Path(named_folder).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "ganzoo"


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def at_least(least: int, value: Any, name: str) -> int:
    """Return ``value`` if it is a whole number from ``least`` on; otherwise raise ValueError."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    raise ValueError(f"{name} takes a whole number from {least} on, not {value!r}")
