"""CelebA in its layouts; noise in place of its faces, which may not be passed on."""

import zipfile

import numpy as np
import pytest
from PIL import Image

from ganzoo.data import datamodule

NAMES = [f"{number:06d}.jpg" for number in range(1, 9)]
SPLIT_OF = dict(zip(NAMES, [0, 0, 0, 0, 1, 1, 2, 2], strict=True))


def write(folder, save) -> None:
    for seed, name in enumerate(NAMES):
        save(folder / name, seed, (178, 218), quality=90)


def write_tables(folder) -> None:
    rows = "".join(f"{name} {number}\n" for name, number in SPLIT_OF.items())
    (folder / "list_eval_partition.txt").write_text(rows)
    head = "8\n5_o_Clock_Shadow Male Young\n"
    rows = "".join(f"{name} -1 {1 if i % 3 == 0 else -1}  1\n" for i, name in enumerate(NAMES))
    (folder / "list_attr_celeba.txt").write_text(head + rows)


def opened(takes, root, shape=(3, 24, 20), **settings):
    data = datamodule("celeba", takes(shape, 2), root=root, workers=2, **settings)
    data.setup()
    return data


@pytest.fixture
def root(tmp_path, save):
    """Return torchvision's layout, without the tables."""
    write(tmp_path / "celeba" / "img_align_celeba", save)
    return tmp_path


def test_every_layout_holds_the_same_images(takes, root, tmp_path_factory):
    folder = root / "celeba" / "img_align_celeba"
    packed = tmp_path_factory.mktemp("packed")
    with zipfile.ZipFile(packed / "img_align_celeba.zip", "w") as archive:
        for name in NAMES:
            archive.write(folder / name, f"img_align_celeba/{name}")
    nested = tmp_path_factory.mktemp("nested")
    (nested / "img_align_celeba").mkdir()
    (nested / "img_align_celeba" / "img_align_celeba").symlink_to(folder)
    places = (root, root / "celeba", folder, packed, packed / "img_align_celeba.zip", nested)
    images = [np.array(opened(takes, place).images) for place in places]
    assert images[0].shape == (8, 3, 24, 20)
    assert all(np.array_equal(images[0], other) for other in images[1:])
    assert [path.name for path in packed.iterdir()] == ["img_align_celeba.zip"]


@pytest.mark.parametrize("crop", ["full", 178, 160, "148", 140, 128, 108])
def test_crops_are_exact(takes, root, crop):
    image = Image.open(root / "celeba" / "img_align_celeba" / NAMES[2])
    if crop == "full":
        shape, reference = (3, 218, 178), image
    else:
        side = int(crop)
        left, top = round((178 - side) / 2), round((218 - side) / 2)
        shape, reference = (3, side, side), image.crop((left, top, left + side, top + side))
    data = opened(takes, root, shape, crop=crop)
    assert np.array_equal(data.images[2], np.asarray(reference).transpose(2, 0, 1))
    assert data.describe()["crop"] == str(crop)


@pytest.mark.parametrize(("split", "places"), [
    (None, [0, 1, 2, 3]), ("train", [0, 1, 2, 3]), ("valid", [4, 5]), ("test", [6, 7]),
    ("all", [0, 1, 2, 3, 4, 5, 6, 7]),
])  # fmt: skip
def test_splits_follow_the_partition_file(takes, root, split, places):
    everything = np.array(opened(takes, root).images)
    write_tables(root / "celeba")
    data = opened(takes, root, split=split)
    assert np.array_equal(data.images, everything[places])
    assert data.labels.tolist() == [int(place % 3 == 0) for place in places]


def test_tables_of_the_csv_download_are_read(takes, root):
    rows = "".join(f"{name},{number}\n" for name, number in SPLIT_OF.items())
    (root / "celeba" / "list_eval_partition.csv").write_text("image_id,partition\n" + rows)
    rows = "".join(f"{name},-1,{1 if i == 7 else -1}\n" for i, name in enumerate(NAMES))
    (root / "celeba" / "list_attr_celeba.csv").write_text("image_id,Bald,Male\n" + rows)
    assert opened(takes, root, split="test").labels.tolist() == [0, 1]


def test_without_tables_everything_is_there_and_labels_are_zero(takes, root):
    data = opened(takes, root)
    assert data.count == 8
    assert data.labels.tolist() == [0] * 8


def test_split_without_its_file_is_refused(takes, root):
    with pytest.raises(
        FileNotFoundError, match=r"data\.split=valid needs list_eval_partition\.txt"
    ):
        opened(takes, root, split="valid")


def test_partition_of_other_images_is_refused(takes, root):
    (root / "celeba" / "list_eval_partition.txt").write_text("other.jpg 0\n")
    with pytest.raises(ValueError, match="puts none of the 8 images into train"):
        opened(takes, root)


def test_attributes_without_male_are_refused(takes, root):
    (root / "celeba" / "list_attr_celeba.txt").write_text("1\nYoung\n000001.jpg 1\n")
    with pytest.raises(ValueError, match=r"list_attr_celeba\.txt has no column Male"):
        opened(takes, root)


def test_broken_member_of_a_zip_is_named(takes, tmp_path, save):
    write(tmp_path / "from", save)
    path = tmp_path / "img_align_celeba.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in NAMES:
            archive.write(tmp_path / "from" / name, name)
    content = bytearray(path.read_bytes())
    content[1000] ^= 0xFF  # in the first member's pixels: its checksum no longer holds
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"1 unusable image: 000001\.jpg \(Bad CRC"):
        opened(takes, path)


@pytest.mark.parametrize("there", [True, False])
def test_place_without_images_says_what_was_expected(takes, tmp_path, there):
    root = tmp_path / "sub"
    if there:
        root.mkdir()
    message = (
        f"celeba: no images under {root}. Expected {root}/celeba/img_align_celeba/000001.jpg "
        "(torchvision's layout), a flat folder of JPEGs, or img_align_celeba.zip"
    )
    with pytest.raises(FileNotFoundError) as caught:
        opened(takes, root)
    assert str(caught.value) == message
