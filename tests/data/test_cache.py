"""The pixel cache."""

import json
import multiprocessing
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ganzoo.data.cache import Source, cached
from ganzoo.data.pictures import BadImageError

SHAPE = (3, 4, 5)


def rows(count: int) -> np.ndarray:
    return np.random.default_rng(7).integers(0, 256, (count, *SHAPE), dtype=np.uint8)


def make_source(count: int = 100, bad: tuple[int, ...] = (), **key) -> tuple[Source, list[int]]:
    """Return a source of random images, and the list that each read appends to."""
    images, reads = rows(count), []

    def read(begin: int, end: int) -> list:
        reads.append(begin)
        return [BadImageError("broken") if i in bad else images[i] for i in range(begin, end)]

    names = [f"{number}.jpg" for number in range(count)]
    return Source(key, names, list(range(count)), read), reads


def fill(folder: Path, source: Source, workers: int = 2):
    return cached(folder, "made", source, SHAPE, workers)


def only(folder: Path, suffix: str) -> Path:
    (path,) = folder.glob(f"*{suffix}")
    return path


def test_images_come_back_in_order_and_are_read_once(tmp_path):
    source, reads = make_source()
    first = fill(tmp_path, source, workers=4)
    count = len(reads)
    again = fill(tmp_path, source)
    for found in (first, again):
        assert isinstance(found.images, np.memmap)
        assert np.array_equal(found.images, rows(100))
        assert found.labels.tolist() == list(range(100))
        assert found.labels.dtype == np.int64
    assert len(reads) == count
    assert first.fingerprint == again.fingerprint
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".npy"]


@pytest.mark.parametrize("terminal", [True, False])
def test_terminals_see_the_progress(tmp_path, monkeypatch, capsys, terminal):
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    fill(tmp_path, make_source()[0])
    shown = capsys.readouterr()
    assert shown.out == ""
    assert ("reading made once" in shown.err) == terminal


def test_any_program_can_open_it(tmp_path):
    fill(tmp_path, make_source()[0])
    assert np.array_equal(np.load(only(tmp_path, ".npy")), rows(100))
    assert json.loads(only(tmp_path, ".json").read_text())["names"][3] == "3.jpg"


def test_images_cannot_be_written_to(tmp_path):
    with pytest.raises(ValueError, match="read-only"):
        fill(tmp_path, make_source()[0]).images[0] = 0


def test_unusable_images_are_left_out_and_remembered(tmp_path):
    source, reads = make_source(bad=(0, 40, 99))
    first = fill(tmp_path, source)
    count = len(reads)
    again = fill(tmp_path, source)
    assert first.skipped == again.skipped == [(f"{i}.jpg", "broken") for i in (0, 40, 99)]
    kept = [i for i in range(100) if i not in (0, 40, 99)]
    assert np.array_equal(again.images, rows(100)[kept])
    assert again.labels.tolist() == kept
    index = json.loads(only(tmp_path, ".json").read_text())
    assert index["names"] == [f"{i}.jpg" for i in kept]
    assert len(reads) == count


def test_nothing_usable_leaves_nothing(tmp_path):
    source, _ = make_source(7, bad=tuple(range(7)))
    with pytest.raises(ValueError, match=r"made: 7 unusable images: 0.jpg \(broken\); .*2 more"):
        fill(tmp_path, source)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("change", ["key", "names", "labels", "shape"])
def test_changed_source_is_another_cache(tmp_path, change):
    source, _ = make_source()
    before = fill(tmp_path, source).fingerprint
    if change == "shape":
        source = replace(source, read=lambda b, e: [np.zeros((3, 5, 4), np.uint8)] * (e - b))
        assert cached(tmp_path, "made", source, (3, 5, 4), 1).images.shape == (100, 3, 5, 4)
        return
    other = {"key": {"crop": 3}, "names": ["x.jpg", *source.names[1:]], "labels": [5] * 100}
    source = replace(source, **{change: other[change]})
    assert fill(tmp_path, source).fingerprint != before
    assert len(list(tmp_path.glob("*.npy"))) == 2


def damage_cut(folder: Path) -> None:
    os.truncate(only(folder, ".npy"), only(folder, ".npy").stat().st_size - 1)


def damage_grown(folder: Path) -> None:
    with only(folder, ".npy").open("ab") as file:
        file.write(b"x")


def damage_header(folder: Path) -> None:
    content = only(folder, ".npy").read_bytes()
    only(folder, ".npy").write_bytes(content.replace(b"3, 4, 5", b"5, 4, 3"))


def damage_empty(folder: Path) -> None:
    os.truncate(only(folder, ".npy"), 0)


def damage_index(folder: Path) -> None:
    os.truncate(only(folder, ".json"), 30)


def damage_other_index(folder: Path) -> None:
    only(folder, ".json").write_text("[]")


def damage_no_index(folder: Path) -> None:
    only(folder, ".json").unlink()


@pytest.mark.parametrize("damage", [
    damage_cut, damage_grown, damage_header, damage_empty, damage_index, damage_other_index,
    damage_no_index,
])  # fmt: skip
def test_damaged_cache_is_made_anew(tmp_path, damage):
    source, reads = make_source()
    fill(tmp_path, source)
    count = len(reads)
    damage(tmp_path)
    assert np.array_equal(fill(tmp_path, source).images, rows(100))
    assert len(reads) == 2 * count


def test_failure_leaves_nothing_and_the_old_cache_whole(tmp_path):
    def read(*_: int) -> list:
        raise KeyboardInterrupt

    source, _ = make_source()
    with pytest.raises(KeyboardInterrupt):
        fill(tmp_path, replace(source, read=read))
    assert list(tmp_path.iterdir()) == []


def test_leftovers_of_killed_processes_go_away(tmp_path):
    source, _ = make_source()
    fill(tmp_path, source)
    array = only(tmp_path, ".npy")
    old, young = (array.with_name(f".{array.name}-{part}.part") for part in ("old", "young"))
    for part in (old, young):
        part.write_bytes(b"half")
    os.utime(old, ns=(0, 0))
    array.unlink()
    fill(tmp_path, source)
    assert not old.exists()
    assert young.exists(), "another process may be at work on it"


def test_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(
        OSError, match=r"cannot write the pixel cache .*data\.cache_dir.*GANZOO_CACHE"
    ):
        fill(tmp_path / "file", make_source()[0])


def fill_slowly(folder: Path, start, answers) -> None:
    source, reads = make_source()

    def read(begin: int, end: int) -> list:
        time.sleep(0.02)  # so that both are at it together
        return list(source.read(begin, end))

    start.wait()
    found = fill(folder, replace(source, read=read))
    answers.put((len(reads), bool(np.array_equal(found.images, rows(100))), found.fingerprint))


# Forked, since a process that imports torch anew takes seconds.
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_two_processes_fill_one_cache_at_once(tmp_path):
    context = multiprocessing.get_context("fork")
    start, answers = context.Barrier(2), context.Queue()
    workers = [context.Process(target=fill_slowly, args=(tmp_path, start, answers)) for _ in "ab"]
    for worker in workers:
        worker.start()
    found = [answers.get(timeout=20) for _ in workers]
    for worker in workers:
        worker.join()
    assert [reads for reads, _, _ in found] == [4, 4], "both must have filled it"
    assert all(right for _, right, _ in found)
    assert found[0][2] == found[1][2]
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".npy"]
    assert np.array_equal(fill(tmp_path, make_source()[0]).images, rows(100))


def test_array_never_shows_before_its_index(tmp_path, monkeypatch):
    places = []
    replace_file = Path.replace

    def note(self, target):
        places.append(Path(target).suffix)
        return replace_file(self, target)

    monkeypatch.setattr(Path, "replace", note)
    fill(tmp_path, make_source()[0])
    assert places == [".json", ".npy"]
