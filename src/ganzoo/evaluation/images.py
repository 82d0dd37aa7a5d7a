"""Checks and statistics of uint8 images, before any network sees them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

# Images at hand at one time: 29 MB at 218x178 in RGB.
CHUNK = 250
HALVING = "2x2 mean, odd last row or column dropped, rounded to 8 bits"


def checked(images: Tensor) -> Tensor:
    """Return the images, uint8 (N, C, H, W) with one or three channels, as they came.

    Raises:
        ValueError: for any other dtype or shape; the message says how to convert.
    """
    if images.dtype != torch.uint8:
        raise ValueError(_dtype_remedy(images))
    if images.ndim != 4:
        raise ValueError(
            f"images of shape {tuple(images.shape)} given where (N, C, H, W) is due: "
            "use unsqueeze for a missing batch or channel axis"
        )
    if images.shape[1] not in (1, 3):
        hint = (
            "channels come last here, use permute(0, 3, 1, 2)"
            if images.shape[3] in (1, 3)
            else "give grey or RGB images"
        )
        raise ValueError(f"images have {images.shape[1]} channels where 1 or 3 are due: {hint}")
    return images


def _dtype_remedy(images: Tensor) -> str:
    if not images.is_floating_point() or images.numel() == 0:
        name = str(images.dtype).removeprefix("torch.")
        return f"{name} images given where uint8 is due: scale to 0..255 and use .to(torch.uint8)"
    low, high = images.min().item(), images.max().item()
    # A network's range is left by a rounding error at most; what goes further is another range.
    if low >= 0 and high <= 1.01:
        return _float_remedy("[0, 1]", "x * 255")
    if low >= -1.01 and high <= 1.01:
        return _float_remedy("[-1, 1]", "(x + 1) * 127.5")
    if low >= 0 and high <= 255.5:
        return _float_remedy("[0, 255]", "x")
    return (
        f"float images in [{low:.3g}, {high:.3g}] given where uint8 is due: "
        "map the network's range to 0..255, round, clamp, and use .to(torch.uint8)"
    )


def _float_remedy(span: str, scaled: str) -> str:
    x = f"({scaled})" if " " in scaled else scaled
    return (
        f"float images in {span} given where uint8 is due: "
        f"use {x}.round().clamp(0, 255).to(torch.uint8)"
    )


def halved(images: Tensor) -> Tensor:
    """Return images of half the height and width, uint8 (N, C, H // 2, W // 2).

    Args:
        images: uint8 (N, C, H, W), at least 2 by 2 pixels.
    """
    return functional.avg_pool2d(images.float(), 2).round().to(torch.uint8)


@dataclass(frozen=True)
class RealImages:
    """Real images that need not be in memory at one time.

    Attributes:
        n: how many.
        shape: of an image, (C, H, W).
        chunks: gives them in order, uint8 (N, C, H, W) each.
    """

    n: int
    shape: tuple[int, ...]
    chunks: Callable[[], Iterable[Tensor]]

    @classmethod
    def of(cls, images: Tensor) -> "RealImages":
        """Return the images of a tensor, uint8 (n, C, H, W).

        Raises:
            ValueError: for another dtype or shape.
        """
        return cls(len(checked(images)), tuple(images.shape[1:]), lambda: images.split(CHUNK))


class PixelStatistics:
    """The mean image and the deviation of a stream of images, from exact integer sums."""

    def __init__(self) -> None:
        self._n = 0
        self._total = torch.zeros((), dtype=torch.int64)
        self._squares = torch.zeros((), dtype=torch.int64)

    def update(self, images: Tensor) -> None:
        """Add images, uint8 (N, C, H, W), of one shape in every call."""
        levels = images.cpu().int()
        self._n += len(levels)
        self._total = self._total + levels.sum(0, dtype=torch.int64)
        self._squares = self._squares + levels.square().sum(0, dtype=torch.int64)

    def tensors(self) -> dict[str, Tensor]:
        """Return what a file of these statistics holds."""
        return {"n": torch.tensor(self._n), "total": self._total, "squares": self._squares}

    @classmethod
    def from_tensors(cls, tensors: dict[str, Tensor]) -> "PixelStatistics":
        """Return statistics from what ``tensors`` gave.

        Raises:
            KeyError: something is missing.
        """
        found = cls()
        found._n = int(tensors["n"])
        found._total, found._squares = tensors["total"], tensors["squares"]
        return found

    def mean(self) -> Tensor:
        """Return the mean image (C, H, W), float64 in [0, 1]."""
        return self._total.double() / (255 * self._n)

    def deviation(self) -> float:
        """Return the standard deviation (over n) across images of a pixel, averaged, in [0, 0.5].

        Zero says that all images are one. The average runs over pixels and channels.
        """
        scaled = self._n * self._squares - self._total.square()
        return (scaled.double().sqrt() / (255 * self._n)).mean().item()
