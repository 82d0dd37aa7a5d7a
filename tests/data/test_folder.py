"""Any folder of images."""

import os

import numpy as np
import pytest
from PIL import Image

from ganzoo.data import datamodule


def opened(takes, root, **settings):
    data = datamodule("folder", takes(), root=str(root), workers=2, **settings)
    data.setup()
    return data


def spoil(root) -> None:
    """Write one file of each kind that cannot be used."""
    whole = (root / "a.jpg").read_bytes()
    (root / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    (root / "text.png").write_text("no picture")
    (root / "empty.jpg").touch()
    (root / "lost.jpg").symlink_to(root / "nowhere")


@pytest.fixture
def root(tmp_path, save):
    for number, name in enumerate(["a.jpg", "b.png", "c.webp", "d.bmp"]):
        save(tmp_path / name, seed=number)
    return tmp_path


def test_images_are_resized_in_order(takes, root):
    data = opened(takes, root)
    assert data.count == 4
    assert data.labels.tolist() == [0, 0, 0, 0]
    reference = Image.open(root / "b.png").resize((10, 12), Image.Resampling.BILINEAR)
    assert np.array_equal(data.images[1], np.asarray(reference).transpose(2, 0, 1))


def test_crop_comes_first(takes, root):
    data = opened(takes, root, crop=12)
    cut = Image.open(root / "b.png").crop((4, 6, 16, 18))
    reference = cut.resize((10, 12), Image.Resampling.BILINEAR, box=(1, 0, 11, 12))
    assert np.array_equal(data.images[1], np.asarray(reference).transpose(2, 0, 1))
    assert data.describe()["crop"] == 12


def test_first_subfolders_are_the_labels(takes, tmp_path, save):
    for name in ["dogs/x/1.jpg", "cats/2.jpg", "dogs/0.jpg", "cats/deep/er/1.jpg"]:
        save(tmp_path / name)
    assert opened(takes, tmp_path).labels.tolist() == [0, 0, 1, 1]
    save(tmp_path / "stray.jpg")
    assert opened(takes, tmp_path).labels.tolist() == [1, 1, 2, 2, 0]


def test_unusable_images_are_listed_in_one_error(takes, root):
    spoil(root)
    with pytest.raises(ValueError, match="folder: 4 unusable images") as caught:
        opened(takes, root)
    message = str(caught.value)
    for name in ("cut.jpg (", "empty.jpg (empty file)", "text.png (no image", "lost.jpg ("):
        assert name in message
    assert "data.on_bad_image=skip" in message
    assert "\n" not in message


def test_unusable_images_are_left_out_on_request(takes, root):
    before = opened(takes, root).images
    spoil(root)
    with pytest.warns(UserWarning, match="folder: 4 unusable images: .*left out, 4 remain"):
        data = opened(takes, root, on_bad_image="skip")
    assert np.array_equal(data.images, before)
    with pytest.raises(ValueError, match="4 unusable"):
        opened(takes, root)  # from the cache by now


def test_first_five_unusable_images_are_named(takes, root):
    for number in range(8):
        (root / f"e{number}.jpg").touch()
    with pytest.raises(ValueError, match=r"e4\.jpg \(empty file\); and 3 more"):
        opened(takes, root)


def test_image_smaller_than_the_crop_is_named(takes, root, save):
    save(root / "small.png", size=(11, 30))
    with pytest.raises(
        ValueError,
        match=r"folder: 1 unusable image: small\.png \(11x30 pixels, smaller than the crop",
    ):
        opened(takes, root, crop=12)
    with pytest.warns(UserWarning, match="left out, 4 remain"):
        opened(takes, root, crop=12, on_bad_image="skip")


def test_changed_file_is_read_again(takes, root, save):
    before = opened(takes, root)
    save(root / "b.png", seed=99)
    os.utime(root / "b.png", ns=(1, 1))
    after = opened(takes, root)
    assert after.fingerprint != before.fingerprint
    assert not np.array_equal(after.images[1], before.images[1])
    assert np.array_equal(after.images[0], before.images[0])
    save(root / "new.png")
    assert opened(takes, root).count == 5


def test_one_channel_gets_grey(takes, root):
    data = datamodule("folder", takes((1, 12, 10)), root=root)
    data.setup()
    grey = Image.open(root / "b.png").convert("L").resize((10, 12), Image.Resampling.BILINEAR)
    assert np.array_equal(data.images[1, 0], np.asarray(grey))


@pytest.mark.parametrize("there", [True, False])
def test_folder_without_images_says_what_was_expected(takes, tmp_path, there):
    root = tmp_path / "sub"
    if there:
        root.mkdir()
        (root / "readme.txt").touch()
    start = "no images under" if there else "there is no folder"
    with pytest.raises(FileNotFoundError, match=f"folder: {start} {root}.*end in .*jpg"):
        opened(takes, root)


def test_real_photographs(takes, tmp_path):
    data_sets = pytest.importorskip("skimage.data")
    for number, face in enumerate(data_sets.lfw_subset()[:100]):
        levels = (np.clip(face, 0, 1) * 255).round().astype(np.uint8)
        Image.fromarray(levels).save(tmp_path / f"{number:03d}.jpg", quality=95)
    data = datamodule("folder", takes((3, 66, 58), 32), root=tmp_path)
    data.setup()
    assert data.images.shape == (100, 3, 66, 58)
    assert 0.1 < (data.images / 255).std(0).mean() < 0.35
