"""What lies in folders and archives."""

import os
import zipfile

import pytest

from ganzoo.data.listing import folder_files, zip_files
from ganzoo.data.pictures import BadImageError

LEFT_OUT = [".hidden.jpg", ".DS_Store", "Thumbs.db", "notes.txt", ".git/a.png", "__MACOSX/a.jpg"]
LISTED = ["B/2.JPEG", "a.png", "b/1.jpg", "b/10.jpg", "z.tiff"]


def test_folder_lists_images_in_order(tmp_path):
    for number, name in enumerate([*LISTED, *LEFT_OUT]):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x" * number)
    files = folder_files(tmp_path)
    assert list(files.stamps) == LISTED
    assert [size for size, _ in files.stamps.values()] == [0, 1, 2, 3, 4]
    assert files.load("b/1.jpg") == b"xx"
    assert list(folder_files(tmp_path, deep=False).stamps) == ["a.png", "z.tiff"]


def test_links_may_lead_in_circles_or_nowhere(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jpg").write_bytes(b"a")
    (tmp_path / "in" / "round").symlink_to(tmp_path)
    (tmp_path / "lost.jpg").symlink_to(tmp_path / "nowhere.jpg")
    os.mkfifo(tmp_path / "pipe.jpg")
    files = folder_files(tmp_path)
    assert list(files.stamps) == ["in/a.jpg", "lost.jpg"]


def test_linked_folders_are_followed(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "a.jpg").write_bytes(b"a")
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "near").symlink_to(tmp_path / "far")
    assert list(folder_files(tmp_path / "root").stamps) == ["near/a.jpg"]


def test_zip_lists_images_and_writes_nothing(tmp_path):
    path = tmp_path / "set.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ["d/2.jpg", "/d/1.jpg", "../outside.jpg", "__MACOSX/d/1.jpg", "read.me"]:
            archive.writestr(name, name)
    before = sorted(tmp_path.parent.rglob("*"))
    files = zip_files(path)
    assert list(files.stamps) == ["/d/1.jpg", "d/2.jpg"]
    assert [files.load(name) for name in files.stamps] == [b"/d/1.jpg", b"d/2.jpg"]
    assert sorted(tmp_path.parent.rglob("*")) == before


def test_changed_member_changes_the_stamps(tmp_path):
    stamps = []
    for content in (b"one", b"two"):
        with zipfile.ZipFile(tmp_path / "set.zip", "w") as archive:
            archive.writestr("a.jpg", content)
        stamps.append(zip_files(tmp_path / "set.zip").stamps)
    assert stamps[0] != stamps[1]


def test_broken_zip_is_named(tmp_path):
    (tmp_path / "set.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(ValueError, match=r"set\.zip is not a whole zip archive"):
        zip_files(tmp_path / "set.zip")


def test_file_too_large_for_a_picture_is_not_read(tmp_path):
    with (tmp_path / "huge.jpg").open("wb") as file:
        file.truncate(2**29 + 1)  # sparse: it takes no space
    with pytest.raises(BadImageError, match="536870913 bytes are too many"):
        folder_files(tmp_path).load("huge.jpg")
