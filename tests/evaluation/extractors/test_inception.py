"""The Inception extractor against torch-fidelity's, with random weights."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor

from ganzoo.evaluation import Extractor, extractor, frechet_distance
from ganzoo.evaluation.extractors.inception import resized, scaled


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


@pytest.mark.slow
def test_other_weights_are_told_and_make_another_fingerprint(weights: Path, caplog) -> None:
    network = extractor("inception", weights)
    assert "is not the reference's file pt_inception-2015-12-05-6726825d.pth" in caplog.text
    assert network.name == "inception_tf"
    clean = extractor("clean", weights)
    assert (clean.weights, clean.is_inception) == (network.weights, True)
    assert clean.fingerprint != network.fingerprint


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "antialias"), [("inception_tf", False), ("inception_torchmetrics", True)]
)
def test_features_are_those_of_torchmetrics(weights: Path, name: str, antialias: bool) -> None:
    fid = pytest.importorskip("torchmetrics.image.fid")
    theirs = fid.NoTrainInceptionV3("inception-v3-compat", ["2048"], str(weights), antialias)
    assert torch.equal(extractor(name, weights)(images(3, 0)), theirs(images(3, 0)))


@pytest.mark.slow
def test_clean_resizes_as_pillow_does() -> None:
    batch = images(2, 1)
    found = resized("clean", batch.float())
    for image, ours in zip(batch.numpy(), found, strict=True):
        for channel, own in zip(image, ours, strict=True):
            picture = Image.fromarray(channel.astype("float32"), mode="F")
            due = torch.from_numpy(np.array(picture.resize((299, 299), Image.Resampling.BICUBIC)))
            assert torch.allclose(own, due.clamp(0, 255), atol=1e-3)


@pytest.mark.slow
def test_legacy_scales_to_minus_one_and_one() -> None:
    levels = torch.tensor([0.0, 127.5, 255.0])
    assert torch.equal(scaled("legacy", levels), torch.tensor([-1.0, 0.0, 1.0]))
    assert torch.equal(scaled("clean", levels), (levels - 128) / 128)
    flat = torch.full((1, 3, 20, 10), 9.0)
    for name in ("legacy", "clean", "inception_torchmetrics"):
        assert torch.allclose(resized(name, flat), torch.full((1, 3, 299, 299), 9.0), atol=1e-4)


@pytest.mark.slow
def test_only_legacy_aliases_where_images_shrink() -> None:
    stripes = torch.zeros(1, 3, 600, 600)
    stripes[..., ::2] = 255  # which a smaller image can only show as grey
    spread = {
        name: float(resized(name, stripes).std())
        for name in ("legacy", "inception_torchmetrics", "clean")
    }
    assert spread["legacy"] > 10 * spread["inception_torchmetrics"]
    assert spread["legacy"] > 10 * spread["clean"]


@pytest.mark.slow
def test_its_classes_serve_the_inception_score(weights: Path) -> None:
    fidelity = pytest.importorskip("torch_fidelity.utils")
    network = extractor("inception", weights)
    theirs = fidelity.create_feature_extractor(
        "inception-v3-compat",
        ["logits_unbiased"],
        feature_extractor_weights_path=str(weights),
        cuda=False,
    )
    batch = images(3, 0)
    found = network.probabilities(network(batch))
    assert torch.allclose(found, theirs(batch)[0].softmax(1), atol=1e-6)
    assert not network.knows_data
