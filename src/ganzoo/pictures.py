"""Grids of images as PNG files."""

from pathlib import Path

import torch
from PIL import Image
from torch import Tensor


def grid(images: Tensor, columns: int = 8, gap: int = 2) -> Image.Image:
    """Return images (N, C, H, W), uint8, as one picture with white gaps; 1 or 3 channels."""
    count, channels, height, width = images.shape
    columns = min(columns, count)
    rows = -(-count // columns)
    canvas = torch.full(
        (channels, rows * (height + gap) - gap, columns * (width + gap) - gap),
        255,
        dtype=torch.uint8,
    )
    for index, image in enumerate(images.cpu()):
        top, left = index // columns * (height + gap), index % columns * (width + gap)
        canvas[:, top : top + height, left : left + width] = image
    pixels = canvas.permute(1, 2, 0).numpy()
    return Image.fromarray(pixels[:, :, 0] if channels == 1 else pixels)


def save_grid(images: Tensor, path: Path, columns: int = 8) -> None:
    """Write ``grid`` as a PNG file, enlarged by whole pixels where the images are small."""
    picture = grid(images, columns)
    factor = max(1, 1000 // picture.width)
    size = (picture.width * factor, picture.height * factor)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    picture.resize(size, Image.Resampling.NEAREST).save(part, format="PNG")
    part.replace(path)
