"""A distance rises with every kind of damage, and more with more of it."""

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from ganzoo.data import draw_faces
from ganzoo.evaluation import Extractor, extractor, frechet_distance
from ganzoo.image_program import digits_of
from ganzoo.names import known


def noisy(images: Tensor, level: float) -> Tensor:
    noise = torch.Generator().manual_seed(3)
    added = images + 255 * level * torch.randn(images.shape, generator=noise)
    return added.round().clamp(0, 255).to(torch.uint8)


def blurred(images: Tensor, level: float) -> Tensor:
    reach = torch.arange(-8, 9) * 8 / images.shape[-1]
    weight = (-(reach**2) / (2 * level**2)).exp()
    weight = (weight / weight.sum()).expand(images.shape[1], 1, 1, -1)
    rows = functional.conv2d(images.float(), weight, padding=(0, 8), groups=images.shape[1])
    both = functional.conv2d(rows, weight.mT, padding=(8, 0), groups=images.shape[1])
    return both.round().to(torch.uint8)


def dropped(images: Tensor, share: float) -> Tensor:
    """Keep the darkest images, as often as it takes for their number."""
    order = images.float().mean((1, 2, 3)).argsort()
    return images[order[: int((1 - share) * len(images))].repeat(20)[: len(images)]]


def repeated(images: Tensor, share: float) -> Tensor:
    chosen = torch.randperm(len(images), generator=torch.Generator().manual_seed(4))
    return images[chosen[: int((1 - share) * len(images))].repeat(20)[: len(images)]]


DAMAGE = {
    "noise": (noisy, (0.05, 0.15, 0.4)),
    "blur": (blurred, (0.25, 0.5, 1.0)),
    "dropped modes": (dropped, (0.3, 0.6, 0.9)),
    "repeated samples": (repeated, (0.5, 0.8, 0.95)),
}


def features(network: Extractor, images: Tensor) -> Tensor:
    with torch.no_grad():
        return torch.cat([network(batch) for batch in images.split(32)])


def rises(network: Extractor, images: Tensor, kind: str) -> list[float]:
    damage, levels = DAMAGE[known(kind, DAMAGE, "damage")]
    half = len(images) // 2
    real = features(network, images[:half])
    sides = [images[half:], *(damage(images[half:], level) for level in levels)]
    return [frechet_distance(real, features(network, side)) for side in sides]


@pytest.mark.parametrize("kind", DAMAGE)
def test_in_the_digit_classifiers_features(kind):
    pixels, _ = digits_of((1, 8, 8))
    order = torch.randperm(1797, generator=torch.Generator().manual_seed(5))
    found = rises(extractor("digits"), pixels[order[:800]], kind)
    assert found == sorted(found), found


@pytest.mark.parametrize("kind", DAMAGE)
def test_in_lite0_features(kind):
    pytest.importorskip("efficientnet_lite_pytorch")
    faces, _ = draw_faces(160, (64, 64))
    found = rises(extractor("lite0"), faces, kind)
    assert found == sorted(found), found
