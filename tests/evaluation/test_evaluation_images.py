"""Checks, halving and statistics of uint8 images."""

import pytest
import torch
from torch import Tensor

from ganzoo.evaluation.images import PixelStatistics, checked, halved


def run_remedy(message: str, x: Tensor) -> Tensor:
    """Return what the expression in an error message makes of x."""
    return eval(message.split("use ")[1], {"torch": torch, "x": x})  # noqa: S307


def test_returns_good_images_as_they_came() -> None:
    for channels in (1, 3):
        images = torch.zeros(2, channels, 5, 4, dtype=torch.uint8)

        assert checked(images) is images


@pytest.mark.parametrize(
    ("low", "high", "span"),
    [(-1, 1, "[-1, 1]"), (0, 1, "[0, 1]"), (0, 255, "[0, 255]")],
)
def test_the_remedy_for_float_images_maps_their_range(low: int, high: int, span: str) -> None:
    images = torch.linspace(low, high, 256).view(1, 1, 16, 16)
    with pytest.raises(ValueError, match="where uint8 is due") as raised:
        checked(images)
    message = str(raised.value)

    assert message.startswith(f"float images in {span} given where uint8 is due: use ")
    assert "\n" not in message
    assert torch.equal(run_remedy(message, images).flatten(), torch.arange(256, dtype=torch.uint8))


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (torch.randn(2, 3, 9, 9) * 9, "map the network's range to 0..255"),
        (torch.full((2, 3, 4, 4), torch.nan), "float images in .nan, nan. given"),
        (torch.zeros(2, 3, 4, 4, dtype=torch.int64), "int64 images .* use .to.torch.uint8."),
        (torch.zeros(0, 3, 4, 4), "float32 images given"),
        (torch.zeros(3, 4, 4, dtype=torch.uint8), "use unsqueeze"),
        (torch.zeros(2, 4, 4, 3, dtype=torch.uint8), r"use permute\(0, 3, 1, 2\)"),
        (torch.zeros(2, 4, 5, 5, dtype=torch.uint8), "4 channels where 1 or 3 .* grey or RGB"),
    ],
)
def test_names_the_remedy_for_other_images(images: Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        checked(images)


def test_halving_is_the_rounded_mean_of_four() -> None:
    images = torch.randint(0, 256, (3, 3, 7, 10), generator=torch.Generator().manual_seed(0))
    halves = halved(images.to(torch.uint8))
    blocks = [images[:, :, i:6:2, j:10:2] for i in (0, 1) for j in (0, 1)]

    assert halves.dtype == torch.uint8
    assert halves.shape == (3, 3, 3, 5)
    assert torch.equal(halves.double(), (sum(blocks).double() / 4).round())  # type: ignore[union-attr]


def test_streamed_statistics_equal_those_of_all_images() -> None:
    images = torch.randint(0, 256, (31, 3, 6, 5), generator=torch.Generator().manual_seed(1))
    statistics = PixelStatistics()
    for chunk in images.to(torch.uint8).split(8):
        statistics.update(chunk)
    pixels = images.double() / 255

    assert torch.allclose(statistics.mean(), pixels.mean(0), rtol=1e-14)
    assert statistics.deviation() == pytest.approx(pixels.std(0, correction=0).mean().item())


@pytest.mark.parametrize("level", [0, 37, 255])
def test_equal_images_deviate_by_exactly_zero(level: int) -> None:
    statistics = PixelStatistics()
    statistics.update(torch.full((250, 1, 4, 4), level, dtype=torch.uint8))

    assert statistics.deviation() == 0


def test_black_and_white_deviate_by_a_half() -> None:
    statistics = PixelStatistics()
    statistics.update(torch.tensor([0, 255] * 300, dtype=torch.uint8).view(-1, 1, 1, 1))

    assert statistics.deviation() == 0.5
