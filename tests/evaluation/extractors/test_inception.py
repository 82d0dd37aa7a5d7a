"""The Inception extractor against torch-fidelity's, with random weights."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor

from ganzoo.evaluation import Extractor, extractor, frechet_distance


def images(n: int, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, 256, (n, 3, 40, 33), generator=generator).to(torch.uint8)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a file of random weights under the names of the 2015 network's."""
    fidelity = pytest.importorskip("torch_fidelity.feature_extractor_inceptionv3")
    network = fidelity.FeatureExtractorInceptionV3
    path = tmp_path_factory.mktemp("weights") / "random.pth"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fidelity, "load_state_dict_from_url", lambda *_, **__: {})
        patch.setattr(network, "load_state_dict", lambda *_, **__: None)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            torch.save(network("inception", ["2048"]).state_dict(), path)
    yield path
    path.unlink()


@pytest.fixture(scope="module")
def inception(weights: Path) -> Extractor:
    return extractor("inception", weights)


def test_without_weights_one_line_says_how_to_get_them() -> None:
    with pytest.raises(ValueError, match=r"pt_inception-2015-12-05-6726825d\.pth") as raised:
        extractor("inception")
    message = str(raised.value)

    assert "torch-fidelity/releases" in message
    assert "evaluation.weights=PATH" in message
    assert "\n" not in message


def test_a_missing_package_says_how_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch_fidelity.feature_extractor_inceptionv3", None)
    with pytest.raises(ModuleNotFoundError, match="pip install torch-fidelity torchvision"):
        extractor("inception", "weights.pth")


def test_a_file_that_would_run_code_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("torch_fidelity")

    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "sprung"),)

    torch.save({"Conv2d_1a_3x3.conv.weight": Trap()}, tmp_path / "trap.pth")
    with pytest.raises(ValueError, match="not a file of weights"):
        extractor("inception", tmp_path / "trap.pth")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.slow
def test_wrong_weights_are_refused_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("torch_fidelity")
    torch.save({"a": torch.zeros(2)}, tmp_path / "other.pth")
    with pytest.raises(ValueError, match="does not hold the Inception weights") as raised:
        extractor("inception", tmp_path / "other.pth")
    assert "\n" not in str(raised.value)


@pytest.mark.slow
def test_equals_torch_fidelity_and_torchmetrics(inception: Extractor, weights: Path) -> None:
    fidelity = pytest.importorskip("torch_fidelity.utils")
    fid = pytest.importorskip("torchmetrics.image.fid")
    real, fake = images(6, 0), images(6, 1) // 2
    features = inception(real), inception(fake)
    theirs = fidelity.create_feature_extractor(
        "inception-v3-compat", ["2048"], feature_extractor_weights_path=str(weights), cuda=False
    )
    metric = fid.FrechetInceptionDistance(
        2048, feature_extractor_weights_path=str(weights), antialias=False
    ).set_dtype(torch.float64)
    metric.update(real, real=True)
    metric.update(fake, real=False)

    assert features[0].shape == (6, 2048)
    assert torch.equal(features[0], theirs(real)[0])
    # With 6 images of 2048 features their eigenvalues of a singular matrix lose half the digits.
    assert frechet_distance(*features) == pytest.approx(metric.compute().item(), rel=1e-4)


@pytest.mark.slow
def test_draws_no_random_numbers(weights: Path) -> None:
    torch.manual_seed(3)
    first = extractor("inception", weights)
    after = torch.rand(2)
    torch.manual_seed(3)

    assert torch.equal(after, torch.rand(2))
    assert len(first.fingerprint) == 16
