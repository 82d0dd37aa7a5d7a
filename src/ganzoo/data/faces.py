"""Faces drawn by formula: varied, known in every factor, and the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from ganzoo.data.face_factors import draw_factors
from ganzoo.data.face_layers import LAYERS
from ganzoo.data.face_painter import blank_scene

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK_PIXELS = 80_000  # a float32 plane of a block and a few more then stay in one core's cache
_FEWEST_ROWS = 48  # below, faces are drawn larger and averaged down: soft edges would eat the eyes


def draw_faces(
    count: int, size: tuple[int, int], seed: int = 0
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return faces, uint8 (N, 3, H, W) in [0, 255], and their factors by name, each (N,).

    Face ``i`` of a seed is the same person in the same pose whatever ``count`` and ``size`` are.
    The framing is that of CelebA's aligned images (218 x 178); a picture of another shape shows
    more background around the same face.

    Args:
        count: How many faces.
        size: Height and width in pixels, each at least 1.
        seed: Another seed gives other faces.

    Raises:
        ValueError: ``count`` is negative or a side of ``size`` is below 1.
    """
    height, width = size
    if count < 0 or min(height, width) < 1:
        raise ValueError(f"cannot draw {count} faces of {height}x{width} pixels: too few")
    factors = draw_factors(count, seed)
    images = torch.from_numpy(paint_faces(factors, size))
    return images, {name: torch.from_numpy(values) for name, values in factors.items()}


def paint_faces(factors: dict[str, NDArray], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the faces with these factors, each (N,), as uint8 (N, 3, H, W)."""
    count = len(factors["scale"])
    images = np.empty((count, 3, *size), dtype=np.uint8)
    block = max(1, _BLOCK_PIXELS // (size[0] * size[1]))
    for begin in range(0, count, block):
        some = {name: values[begin : begin + block] for name, values in factors.items()}
        images[begin : begin + block] = _paint_block(some, size)
    return images


def _paint_block(factors: dict[str, NDArray], size: tuple[int, int]) -> NDArray[np.uint8]:
    height, width = size
    zoom = -(-_FEWEST_ROWS // height)
    scene = blank_scene(factors, (height * zoom, width * zoom))
    for layer in LAYERS:
        layer(scene)
    pixels = np.clip(scene.pixels * scene.f["exposure"][:, None], 0, 1)
    if zoom > 1:
        pixels = pixels.reshape(-1, 3, height, zoom, width, zoom).mean((3, 5))
    return (pixels * 255 + np.float32(0.5)).astype(np.uint8)
