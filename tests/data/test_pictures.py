"""From bytes to pixels."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from ganzoo.data.pictures import BadImageError, picture

SHAPE = (3, 24, 20)


def encoded(image: Image.Image, kind: str = "PNG", **how) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **how)
    return buffer.getvalue()


def flat(mode: str, colour, size=(20, 24)) -> Image.Image:
    return Image.new(mode, size, colour)


def ramp(size=(178, 218)) -> Image.Image:
    x, y = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    levels = np.stack([x % 256, y % 256, (x * 7 + y * 3) % 256], -1)
    return Image.fromarray(levels.astype(np.uint8))


def channels_first(image: Image.Image) -> np.ndarray:
    return np.asarray(image).transpose(2, 0, 1)


@pytest.mark.parametrize("crop", [178, 160, 148, 140, 128, 108])
def test_crop_is_exact(crop):
    image = ramp()
    box = ((178 - crop) // 2, (218 - crop) // 2, (178 + crop) // 2, (218 + crop) // 2)
    cut = image.crop(box)
    data = encoded(image)
    assert np.array_equal(picture(data, (3, crop, crop), crop), channels_first(cut))
    resized = cut.resize((64, 64), Image.Resampling.BILINEAR)
    assert np.array_equal(picture(data, (3, 64, 64), crop), channels_first(resized))


def test_whole_image_of_the_right_size_is_untouched():
    assert np.array_equal(picture(encoded(ramp()), (3, 218, 178)), channels_first(ramp()))


@pytest.mark.parametrize(("size", "first", "cut"), [
    ((100, 60), (50, 30), (10, 0, 40, 30)),
    ((60, 100), (30, 50), (0, 10, 30, 40)),
])  # fmt: skip
def test_other_aspects_are_cut_about_the_centre(size, first, cut):
    reference = ramp(size).resize(first, Image.Resampling.BILINEAR).crop(cut)
    difference = picture(encoded(ramp(size)), (3, 30, 30)).astype(int) - channels_first(reference)
    assert np.abs(difference).max() <= 1


@pytest.mark.parametrize("size", [(3, 5), (97, 31), (1, 1), (640, 480)])
def test_any_size_fits(size):
    assert picture(encoded(ramp(size)), (3, 66, 58)).shape == (3, 66, 58)


def test_large_jpeg_is_close_to_a_full_decode():
    coarse = np.random.default_rng(0).integers(0, 256, (60, 60, 3), dtype=np.uint8)
    image = Image.fromarray(coarse).resize((800, 800), Image.Resampling.BICUBIC)
    data = encoded(image, "JPEG", quality=95)
    full = Image.open(io.BytesIO(data)).resize((100, 100), Image.Resampling.BILINEAR)
    difference = picture(data, (3, 100, 100)).astype(int) - channels_first(full)
    assert 0 < np.abs(difference).mean() < 2  # 1.3 from half the size, 4.7 from a quarter


WHITE, RED = (255, 255, 255), (255, 0, 0)
TWO = {"save_all": True, "append_images": [Image.new("RGB", (20, 24), WHITE)]}


MODES = {
    "grey": (encoded(flat("L", 77)), (77, 77, 77)),
    "bits": (encoded(flat("1", 1)), WHITE),
    "clear grey": (encoded(flat("LA", (77, 0))), WHITE),
    "opaque grey": (encoded(flat("LA", (77, 255))), (77, 77, 77)),
    "opaque": (encoded(flat("RGBA", (255, 0, 0, 255))), RED),
    "clear": (encoded(flat("RGBA", (255, 0, 0, 0))), WHITE),
    "half clear": (encoded(flat("RGBA", (255, 0, 0, 128))), (255, 127, 127)),
    "palette": (encoded(flat("RGB", RED).quantize(4)), RED),
    "clear palette": (encoded(flat("RGB", RED).quantize(4), transparency=0), WHITE),
    "webp": (encoded(flat("RGB", RED), "WEBP", lossless=True), RED),
    "bmp": (encoded(flat("RGB", RED), "BMP"), RED),
    "tiff": (encoded(flat("RGB", RED), "TIFF"), RED),
    "cmyk": (encoded(flat("CMYK", (0, 255, 255, 0)), "TIFF"), RED),
    "gif": (encoded(flat("RGB", RED), "GIF", **TWO), RED),
    "apng": (encoded(flat("RGB", RED), "PNG", **TWO), RED),
    "two pictures": (encoded(flat("RGB", WHITE), "MPO", **TWO), WHITE),
}


@pytest.mark.parametrize(("data", "colour"), MODES.values(), ids=MODES)
def test_modes_become_colour(data, colour):
    pixels = picture(data, SHAPE)
    assert pixels.dtype == np.uint8
    assert pixels.shape == SHAPE
    assert np.array_equal(pixels, np.broadcast_to(np.reshape(colour, (3, 1, 1)), SHAPE))


def test_cmyk_jpeg_becomes_colour():
    pixels = picture(encoded(flat("CMYK", (0, 255, 255, 0)), "JPEG", quality=100), SHAPE)
    assert np.abs(pixels.astype(int) - np.reshape(RED, (3, 1, 1))).max() <= 4


LEVELS = np.arange(480).reshape(24, 20) % 256
SIXTEEN_BIT = {
    "png": encoded(Image.fromarray((LEVELS * 257).astype("<u2"))),
    "tiff": encoded(Image.fromarray((LEVELS * 257).astype("<u2")), "TIFF"),
    "big-endian tiff": encoded(Image.fromarray((LEVELS * 257).astype(">u2")), "TIFF"),
    "pgm": b"P5 20 24 65535\n" + (LEVELS * 257).astype(">u2").tobytes(),
}


@pytest.mark.parametrize("data", SIXTEEN_BIT.values(), ids=SIXTEEN_BIT)
@pytest.mark.parametrize("channels", [1, 3])
def test_sixteen_bit_levels_are_scaled_and_not_clipped(data, channels):
    assert np.array_equal(picture(data, (channels, 24, 20))[-1], LEVELS)


def test_colour_becomes_grey_for_one_channel():
    image = ramp((20, 24))
    assert np.array_equal(picture(encoded(image), (1, 24, 20))[0], np.asarray(image.convert("L")))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientation_is_obeyed(orientation):
    upright = Image.new("RGB", (24, 24), "black")
    upright.paste("white", (0, 0, 12, 6))  # unlike in all eight orientations
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_270,
    }  # fmt: skip
    stored = upright.transpose(undo[orientation]) if orientation > 1 else upright
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(stored, "PNG", exif=exif)
    assert np.array_equal(picture(data, (3, 24, 24)), channels_first(upright))


def png_header(width: int, height: int) -> bytes:
    """Return the start of a picture that claims to be huge."""
    data = b"\x89PNG\r\n\x1a\n"
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    for chunk in (b"IHDR" + header, b"IDAT"):
        data += struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return data


UNUSABLE = {
    "empty": (b"", "empty file"),
    "page": (b"<html>not found</html>", "no image of a known format"),
    "cut jpeg": (encoded(ramp(), "JPEG")[:2000], "truncated"),
    "cut png": (encoded(ramp(), "PNG")[:400], "truncated|broken"),
    "cut gif": (encoded(ramp(), "GIF")[:2000], "truncated"),
    "float": (encoded(flat("F", 0.5), "TIFF"), "floating-point"),
    "eps": (encoded(flat("RGB", RED), "EPS"), "no image of a known format"),
    "bomb": (png_header(60_000, 60_000), "decompression bomb"),
    "large": (png_header(10_000, 10_000), "10000x10000 pixels are too many"),
}


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize(("data", "reason"), UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_bytes_are_named(data, reason):
    with pytest.raises(BadImageError, match=reason):
        picture(data, SHAPE)


def test_image_smaller_than_the_crop_is_named():
    with pytest.raises(BadImageError, match="100x200 pixels, smaller than the crop of 148x148"):
        picture(encoded(ramp((100, 200))), SHAPE, crop=148)
