"""Pairs of domains: what is trained on, what judges, and what is refused."""

import numpy as np
import pytest
import torch
from PIL import Image

from ganzoo.data import PAIRS, DomainStream, datamodule
from ganzoo.data.pairs import labelled


def pair(takes, name="digits_inverted", **settings):
    data = datamodule(name, takes((1, 8, 8)), **settings)
    data.setup()
    return data


def test_domains_are_split_once_and_for_all(takes):
    data, again = pair(takes), pair(takes, seed=5)
    for role in ("source", "target"):
        kept, shown = data.parts[role][1], data.parts[role][0]
        assert not set(kept) & set(shown)
        assert np.array_equal(kept, again.parts[role][1])
        assert len(kept) == pytest.approx(0.3 * (len(kept) + len(shown)), abs=1)
    assert not set(data.parts["source"][0]) & set(data.parts["target"][0]), "one image in two forms"


def test_a_batch_holds_no_label_of_the_target(takes):
    data = pair(takes)
    images, labels, others = data.train_dataloader().batch(3)
    assert images.shape == others.shape == (takes((1, 8, 8)).batch_size, 1, 8, 8)
    assert labels.dtype == torch.int64
    place = [
        int(np.flatnonzero((data.training("source") == i.numpy()).all((1, 2, 3)))[0])
        for i in images
    ]
    assert labels.tolist() == data.domains["source"].labels[data.parts["source"][0][place]].tolist()


def test_batches_are_a_function_of_their_number(takes):
    data = pair(takes)
    stream = iter(data.stream(1, start=2))
    for k in (2, 3):
        for one, other in zip(next(stream), data.stream(1).batch(k), strict=True):
            assert torch.equal(one, other)
    assert not torch.equal(data.stream(1).batch(0)[0], data.stream(2).batch(0)[0])


def test_names_settings_and_fingerprints(takes):
    data = pair(takes, held_out=0.5)
    described = data.describe()
    assert (described["name"], described["held_out"]) == ("digits_inverted", 0.5)
    assert described["domains"]["target"]["name"] == "inverted_digits"
    assert data.fingerprint == pair(takes).fingerprint
    with pytest.raises(
        ValueError, match=r"no setting of data digits_inverted 'held'. Did you mean"
    ):
        pair(takes, held=0.5)
    with pytest.raises(ValueError, match=r"data.held_out takes a share between 0 and 1, not 2"):
        pair(takes, held_out=2)
    with pytest.raises(
        ValueError, match=r"no dataset 'digits_mnist'. Did you mean 'digits_mnist5k'"
    ):
        pair(takes, "digits_mnist")
    assert set(PAIRS) >= {"digits_mnist5k", "mnist5k_digits", "mnist_usps", "svhn_mnist"}


def photographs(folder, kinds):
    for kind in kinds:
        (folder / kind).mkdir(parents=True)
        for number in range(8):
            Image.new("L", (9, 9), 20 * number).save(folder / kind / f"{number}.png")


def test_a_pair_of_ones_own(takes, tmp_path):
    photographs(tmp_path / "a", ("cat", "dog"))
    photographs(tmp_path / "b", ("",))
    domains = {
        role: {"name": "folder", "root": str(tmp_path / f)}
        for role, f in (("source", "a"), ("target", "b"))
    }
    data = pair(takes, "pair", **domains)
    assert sorted(set(data.held_out("source")[1].tolist())) == [0, 1]


def test_a_source_without_labels(takes, tmp_path):
    photographs(tmp_path / "b", ("",))
    own = {"name": "folder", "root": str(tmp_path / "b")}
    with pytest.raises(ValueError, match=r"source domain: folder has no labels: sort the images"):
        pair(takes, "pair", source=own, target={"name": "digits"})
    np.savez(tmp_path / "x.npz", images=np.zeros((9, 8, 8), np.uint8))
    own = {"name": "arrays", "root": str(tmp_path / "x.npz")}
    with pytest.raises(ValueError, match=r"source domain: arrays has no labels: store an array"):
        pair(takes, "pair", source=own, target={"name": "digits"})


def test_labels_beyond_the_classes(takes, tmp_path):
    np.savez(tmp_path / "x.npz", images=np.zeros((9, 8, 8), np.uint8), labels=np.arange(9) + 4)
    own = {"name": "arrays", "root": str(tmp_path / "x.npz")}
    with pytest.raises(
        ValueError, match=r"source domain: arrays: image 6 has label 10, and labels"
    ):
        pair(takes, "pair", source=own, target={"name": "digits"})


@pytest.mark.parametrize("role", ["source", "target"])
def test_an_empty_or_broken_domain_is_named(takes, tmp_path, role):
    other = {"source": "target", "target": "source"}[role]
    (tmp_path / "empty").mkdir()
    empty = {role: {"name": "folder", "root": str(tmp_path / "empty")}, other: {"name": "digits"}}
    with pytest.raises(FileNotFoundError, match=f"{role} domain: folder: no images under"):
        pair(takes, "pair", **empty)
    bad = np.zeros((9, 8, 8))
    bad[4, 0, 0] = np.nan
    np.savez(tmp_path / "bad.npz", images=bad, labels=np.arange(9))
    broken = {
        role: {"name": "arrays", "root": str(tmp_path / "bad.npz")},
        other: {"name": "digits"},
    }
    with pytest.raises(ValueError, match=rf"{role} domain: .*bad.npz\): image 4 holds NaN"):
        pair(takes, "pair", **broken)


def test_a_domain_without_a_name(takes):
    with pytest.raises(ValueError, match=r"data.target takes a mapping such as"):
        pair(takes, "pair", source={"name": "digits"}, target="digits")


def test_unequal_images_and_small_domains():
    labels = np.zeros(8, np.int64)
    grey, colour = np.zeros((8, 1, 4, 4), np.uint8), np.zeros((8, 3, 4, 4), np.uint8)
    with pytest.raises(
        ValueError, match=r"target domain: images of shape \(3, 4, 4\), and the sour"
    ):
        DomainStream(grey, labels, colour, 2)
    with pytest.raises(ValueError, match=r"target domain: 3 images cannot fill a batch of 4"):
        DomainStream(grey, labels, grey[:3], 4)


def test_a_target_without_labels_is_no_error_but_wrong_labels_are(takes, tmp_path):
    np.savez(tmp_path / "x.npz", images=np.zeros((20, 8, 8), np.uint8))
    own = {"name": "arrays", "root": str(tmp_path / "x.npz")}
    data = pair(takes, "pair", source={"name": "digits"}, target=own)
    assert not labelled(data.domains["target"])
    images, labels = np.zeros((20, 8, 8), np.uint8), np.arange(20)
    np.savez(tmp_path / "y.npz", images=images, labels=labels)
    own["root"] = str(tmp_path / "y.npz")
    with pytest.raises(ValueError, match=r"target domain: arrays: image 10 has label 10"):
        pair(takes, "pair", source={"name": "digits"}, target=own)


def test_a_domain_is_one_dataset_and_classes_have_a_limit(takes):
    digits = {"name": "digits", "seed": 3}
    with pytest.raises(ValueError, match=r"no dataset for data.target 'digits_mnist5k'"):
        pair(takes, "pair", source=digits, target={"name": "digits_mnist5k"})
    for wrong in (12, "abc"):
        with pytest.raises(
            ValueError, match=r"data.classes takes a whole number from 2 to 10, not"
        ):
            pair(takes, "pair", source=digits, target=digits, classes=wrong)
