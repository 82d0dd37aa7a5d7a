"""Images and small extractors for the tests of the evaluation."""

from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from ganzoo.evaluation import Extractor


@pytest.fixture(autouse=True, scope="package")
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class TinyExtractor(Extractor):
    """Twelve features of an image: a fixed random map of its 4 by 4 thumbnail, through ReLU."""

    def __init__(self, seed: int = 0) -> None:
        network = nn.Sequential(nn.Flatten(), nn.Linear(48, 12), nn.ReLU())
        generator = torch.Generator().manual_seed(seed)
        for parameter in network.parameters():
            parameter.data = torch.randn(parameter.shape, generator=generator)
        super().__init__("tiny", network, 12, "mean over 4 by 4 cells, u8 / 255")
        self.calls = 0

    def features(self, images: Tensor) -> Tensor:
        self.calls += 1
        return self.network(functional.adaptive_avg_pool2d(images / 255, 4))


@pytest.fixture
def tiny() -> TinyExtractor:
    return TinyExtractor()


def smooth_images(n: int, seed: int, size: int = 64) -> Tensor:
    """Return n colour images, uint8 (n, 3, size, size), each a few soft blobs with one edge."""
    generator = torch.Generator().manual_seed(seed)
    coarse = torch.rand(n, 3, 6, 6, generator=generator)
    images = functional.interpolate(coarse, (size, size), mode="bicubic").clamp(0, 1)
    edges = torch.randint(size // 4, 3 * size // 4, (n,), generator=generator)
    right = torch.arange(size) > edges[:, None, None, None]
    return (torch.where(right, images, images * 0.5) * 255).round().to(torch.uint8)


@pytest.fixture(name="smooth_images")
def _smooth_images() -> Callable[..., Tensor]:
    return smooth_images
