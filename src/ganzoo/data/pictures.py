"""From the bytes of an image file to pixels: decode, convert, crop, resize."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageOps

if TYPE_CHECKING:
    from numpy.typing import NDArray

SUFFIXES = (
    ".bmp", ".gif", ".jfif", ".jpeg", ".jpg", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp",
)  # fmt: skip
# Only these decoders may run, whatever a file is called: another, for EPS, starts a program.
_FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "GIF", "TIFF", "PPM")
_MOST_PIXELS = 89_478_485  # Pillow's own limit, where it begins to warn of a decompression bomb
_SIXTEEN_BIT = ("I;16", "I;16B", "I;16L", "I;16N", "I")


class BadImageError(ValueError):
    """An image that cannot be used; its text is the reason."""


def picture(data: bytes, shape: tuple[int, int, int], crop: int | None = None) -> NDArray[np.uint8]:
    """Return the pixels (C, H, W) of an encoded image, uint8 in [0, 255].

    The largest centred box with the aspect of ``shape`` is resized with Pillow's antialiased
    bilinear filter, as torchvision's Resize does. The first frame of an animation counts; an
    orientation tag is obeyed; transparent pixels become white; 16-bit levels are scaled to 8 bits.

    Args:
        data: The bytes of the file.
        shape: Channels (1: grey, 3: RGB), height and width.
        crop: Side of a centred square to cut out first, in pixels of the image.

    Raises:
        BadImageError: They are no whole image of a known format, or one smaller than ``crop``.
    """
    channels, height, width = shape
    enough = None if crop else 2 * max(height, width)
    image = _opened(data, enough, "L" if channels == 1 else "RGB")
    if crop is not None:
        image = _centre(image, crop)
    # Pixels beyond the box weigh in at its edges, as when a picture is resized first and cut then.
    box = _box(image.size, (width, height))
    pixels = np.asarray(image.resize((width, height), Image.Resampling.BILINEAR, box=box))
    return pixels[None] if channels == 1 else pixels.transpose(2, 0, 1)


def whole_picture(data: bytes) -> NDArray[np.uint8]:
    """Return the pixels (3, H, W) of an encoded image at its own size, uint8 in [0, 255].

    Raises:
        BadImageError: They are no whole image of a known format.
    """
    return np.array(_opened(data, None, "RGB")).transpose(2, 0, 1)


def _opened(data: bytes, enough: int | None, mode: str) -> Image.Image:
    """Return the image in mode L or RGB; every failure is a BadImageError with its reason."""
    try:
        return _convert(_decode(data, enough), mode)
    except BadImageError:
        raise
    except Exception as error:  # decoders raise almost anything on damaged files
        raise BadImageError(_reason(error, data)) from error


def _decode(data: bytes, enough: int | None) -> Image.Image:
    """Return the first frame, upright; a JPEG may come smaller, but no side below ``enough``."""
    image = Image.open(io.BytesIO(data), formats=_FORMATS)
    if image.width * image.height > _MOST_PIXELS:
        raise BadImageError(f"{image.width}x{image.height} pixels are too many")
    if enough is not None:
        image.draft(None, (enough, enough))
    image.load()
    ImageOps.exif_transpose(image, in_place=True)
    return image


def _convert(image: Image.Image, mode: str) -> Image.Image:
    """Return the image in mode L or RGB, with 8 bits a channel."""
    if image.mode in _SIXTEEN_BIT:
        # Pillow's own conversion clips: nearly every 16-bit image would come out white.
        levels = np.asarray(image).astype(np.int64).clip(0, 65535)
        image = Image.fromarray(((levels + 128) // 257).astype(np.uint8))
    elif image.mode == "F":
        raise BadImageError("floating-point levels have no fixed range")
    elif image.has_transparency_data:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    return image if image.mode == mode else image.convert(mode)


def _centre(image: Image.Image, side: int) -> Image.Image:
    """Return the centred square with this side."""
    width, height = image.size
    if side > min(image.size):
        raise BadImageError(f"{width}x{height} pixels, smaller than the crop of {side}x{side}")
    left, top = (width - side) // 2, (height - side) // 2
    return image.crop((left, top, left + side, top + side))


def _box(size: tuple[int, int], target: tuple[int, int]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of the largest centred box with the target's aspect."""
    scale = min(size[0] / target[0], size[1] / target[1])
    # the products may exceed the image in their last bit
    wide, high = min(target[0] * scale, size[0]), min(target[1] * scale, size[1])
    left, top = (size[0] - wide) / 2, (size[1] - high) / 2
    return left, top, min(left + wide, size[0]), min(top + high, size[1])


def _reason(error: Exception, data: bytes) -> str:
    if not data:
        return "empty file"
    if isinstance(error, Image.UnidentifiedImageError):
        return "no image of a known format"
    return str(error) or type(error).__name__
