"""Datasets of torchvision: the real loaders on small files in the same layout."""

import bz2
import struct

import numpy as np
import pytest

from ganzoo.data import datamodule

pytest.importorskip("torchvision")


def write_idx(path, array):
    sizes = struct.pack(f">{array.ndim}I", *array.shape)
    path.write_bytes(bytes([0, 0, 8, array.ndim]) + sizes + array.tobytes())


@pytest.mark.parametrize(
    ("name", "folder"), [("mnist", "MNIST"), ("fashion_mnist", "FashionMNIST")]
)
def test_mnist_files(takes, tmp_path, name, folder):
    raw = tmp_path / folder / "raw"
    raw.mkdir(parents=True)
    images = np.random.default_rng(0).integers(0, 256, (12, 28, 28), np.uint8)
    labels = np.arange(12, dtype=np.uint8) % 10
    for prefix, rows in (("train", slice(0, 9)), ("t10k", slice(9, 12))):
        write_idx(raw / f"{prefix}-images-idx3-ubyte", images[rows])
        write_idx(raw / f"{prefix}-labels-idx1-ubyte", labels[rows])
    for split, rows in (("train", slice(0, 9)), ("test", slice(9, 12))):
        data = datamodule(name, takes((1, 28, 28)), root=tmp_path, split=split, download=False)
        data.setup()
        assert np.array_equal(data.images[:, 0], images[rows])
        assert np.array_equal(data.labels, labels[rows])


def test_usps_files(takes, tmp_path):
    rows = "\n".join(
        f"{label} " + " ".join(f"{k + 1}:{value:.1f}" for k in range(256))
        for label, value in ((1, -1.0), (10, 1.0))
    )
    (tmp_path / "usps.bz2").write_bytes(bz2.compress(rows.encode()))
    data = datamodule("usps", takes((3, 16, 16)), root=tmp_path, download=False)
    data.setup()
    assert data.labels.tolist() == [0, 9]
    assert data.images.shape == (2, 3, 16, 16)
    assert (data.images[0].max(), data.images[1].min()) == (0, 255)


@pytest.mark.parametrize("name", ["mnist", "fashion_mnist", "usps", "svhn", "cifar10"])
def test_files_that_are_not_there(takes, tmp_path, name):
    data = datamodule(name, takes((3, 32, 32)), root=tmp_path / "none", download=False)
    with pytest.raises(FileNotFoundError, match=rf"{name}: no files of .*data.root=DIR") as raised:
        data.setup()
    assert "\n" not in str(raised.value)


@pytest.mark.network
@pytest.mark.parametrize("name", ["mnist", "usps", "cifar10"])
def test_fetched_files(takes, tmp_path, name):
    data = datamodule(name, takes((3, 32, 32)), root=tmp_path)
    data.setup()
    assert data.count > 7000
