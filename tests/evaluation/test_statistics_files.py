"""Real statistics as files: our own, and pytorch-fid's."""

import numpy as np
import pytest
import torch
from PIL import Image

from ganzoo.data import draw_faces
from ganzoo.evaluation.folders import folder_scores, folder_statistics
from ganzoo.evaluation.real_statistics import imported


@pytest.fixture
def two(tmp_path):
    faces, _ = draw_faces(70, (20, 16))
    folders = tmp_path / "real", tmp_path / "fake"
    for folder, images in zip(folders, (faces[:40], faces[40:]), strict=True):
        folder.mkdir()
        for number, image in enumerate(images.numpy()):
            Image.fromarray(image.transpose(1, 2, 0)).save(folder / f"{number:03d}.png")
    return folders


def test_our_file_stands_for_the_folder(tiny, two, tmp_path):
    real, fake = two
    file = tmp_path / "made" / "real.safetensors"
    assert folder_statistics(real, file, tiny) == 40
    kept, direct = folder_scores(file, fake, tiny), folder_scores(real, fake, tiny)
    assert kept == direct  # values, intervals and fingerprints


def test_an_npz_goes_to_and_comes_from_pytorch_fid(tiny, two, tmp_path):
    real, fake = two
    folder_statistics(real, tmp_path / "real.npz", tiny)
    with np.load(tmp_path / "real.npz") as file:
        mean, covariance = file["mu"], file["sigma"]
    faces, _ = draw_faces(40, (20, 16))
    features = torch.cat([tiny(batch) for batch in faces.split(32)]).double()
    assert mean == pytest.approx(features.mean(0).numpy(), rel=1e-5)
    assert covariance == pytest.approx(features.T.cov().numpy(), rel=1e-4, abs=1e-6)
    (first, *others) = folder_scores(tmp_path / "real.npz", fake, tiny)
    direct = folder_scores(real, fake, tiny)
    assert first.value == pytest.approx(direct[0].value, rel=1e-9)
    assert first.fingerprint != direct[0].fingerprint  # it does not say of how many images
    assert {score.protocol for score in others} == {"fd_limit30_tiny"}  # no rows, no neighbours


@pytest.mark.parametrize(
    ("arrays", "text"),
    [
        ({"mu": np.zeros(12)}, "does not hold the arrays mu and sigma"),
        ({"mu": np.zeros(7), "sigma": np.eye(7)}, r"\(7,\) and \(7, 7\): tiny has 12 features"),
        ({"mu": np.full(12, np.nan), "sigma": np.eye(12)}, "NaN or infinity"),
        ({"mu": np.array([{}] * 12, dtype=object), "sigma": np.eye(12)}, "does not hold"),
    ],
)
def test_an_npz_that_does_not_fit_is_refused(tiny, tmp_path, arrays, text):
    np.savez(tmp_path / "other.npz", **arrays)
    with pytest.raises(ValueError, match=text):
        imported(tmp_path / "other.npz", tiny)


def test_a_damaged_file_is_refused(tiny, two, tmp_path):
    file = tmp_path / "real.safetensors"
    folder_statistics(two[0], file, tiny)
    for name, content in (("cut", file.read_bytes()[:-9]), ("empty", b"")):
        bad = tmp_path / f"{name}.safetensors"
        bad.write_bytes(content)
        with pytest.raises(ValueError, match="no whole file of statistics"):
            imported(bad, tiny)
    (tmp_path / "x.npz").write_bytes(b"x" * 20)
    with pytest.raises(ValueError, match="does not hold the arrays"):
        imported(tmp_path / "x.npz", tiny)
    with pytest.raises(FileNotFoundError):
        imported(tmp_path / "none.safetensors", tiny)


def test_statistics_of_other_weights_are_refused_by_name(tiny, two, tmp_path):
    folder_statistics(two[0], tmp_path / "real.safetensors", tiny)
    with pytest.raises(ValueError, match=f"measured with weights '{tiny.weights}', not"):
        imported(tmp_path / "real.safetensors", type(tiny)(seed=1))


def test_another_suffix_is_refused_before_any_work(tiny, two, tmp_path):
    with pytest.raises(ValueError, match=r"written as \.safetensors or \.npz"):
        folder_statistics(two[0], tmp_path / "real.pt", tiny)
    assert tiny.calls == 0
