"""Datasets that torchvision fetches: their files must be there, or be had from the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ganzoo.data.arrays import ArrayImages
from ganzoo.names import known

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

SPLITS = ("train", "test")


class TorchvisionImages(ArrayImages):
    """A dataset of torchvision, read whole into memory.

    Args:
        image_shape: Channels (1 or 3), height and width; images of another size are resized.
        batch_size: Images in a batch, for each process.
        root: The folder that torchvision reads. None: ``torchvision`` in the cache folder.
        split: "train" or "test".
        download: Fetch the files where they are not there.
        common: ``seed``, ``cache_dir`` and ``workers``, as in ``Images``.
    """

    kind: str  # the class in torchvision.datasets

    def __init__(
        self,
        image_shape: tuple[int, int, int],
        batch_size: int,
        *,
        root: str | Path | None = None,
        split: str = "train",
        download: bool = True,
        **common: Any,
    ) -> None:
        super().__init__(image_shape, batch_size, root=root, **common)
        self.root = self.root or self.cache_dir / "torchvision"
        self.split = known(split, SPLITS, "data.split")
        self.download = download

    def load(self) -> tuple[NDArray, NDArray | None]:
        """Return images and labels.

        Raises:
            ModuleNotFoundError: torchvision is not installed.
            FileNotFoundError: The files are not there, and cannot be fetched.
        """
        try:
            from torchvision import datasets
        except ImportError as error:
            raise ModuleNotFoundError(
                f'{self.name} needs torchvision: python -m pip install "ganzoo[torchvision]"'
            ) from error
        which = {"split": self.split} if self.kind == "SVHN" else {"train": self.split == "train"}
        try:
            held = self.opened(getattr(datasets, self.kind), which)
        except (RuntimeError, OSError) as error:
            first = str(error).splitlines()[0]
            raise FileNotFoundError(
                f"{self.name}: no files of torchvision's {self.kind} in {self.root}, and none came "
                f"from the network ({first}). Put them there, or name their folder: data.root=DIR"
            ) from error
        labels = held.labels if self.kind == "SVHN" else held.targets
        return np.asarray(held.data), np.asarray(labels).astype(np.int64)

    def opened(self, kind: Any, which: dict[str, Any]) -> Any:
        """Return the dataset from its files, or, where they are missing, from the network."""
        try:
            return kind(self.root, download=False, **which)
        except (RuntimeError, OSError):
            if not self.download:
                raise
            return kind(self.root, download=True, **which)


class MnistImages(TorchvisionImages):
    """Handwritten digits, 28x28: 60,000 to train, 10,000 to test."""

    name, kind = "mnist", "MNIST"


class FashionMnistImages(TorchvisionImages):
    """Pieces of clothing, 28x28, grey: 60,000 to train, 10,000 to test."""

    name, kind = "fashion_mnist", "FashionMNIST"


class UspsImages(TorchvisionImages):
    """Digits from envelopes, 16x16: 7,291 to train, 2,007 to test."""

    name, kind = "usps", "USPS"


class SvhnImages(TorchvisionImages):
    """House numbers in photographs, 32x32 in colour: 73,257 to train, 26,032 to test."""

    name, kind = "svhn", "SVHN"


class Cifar10Images(TorchvisionImages):
    """Photographs of ten kinds of thing, 32x32 in colour: 50,000 to train, 10,000 to test."""

    name, kind = "cifar10", "CIFAR10"
