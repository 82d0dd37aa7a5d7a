"""The kept features of real images: once, exact, atomic, replaceable."""

import logging
from pathlib import Path
from threading import Barrier, Thread

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from ganzoo.evaluation.real_features import real_features


@pytest.fixture
def reals() -> Tensor:
    generator = torch.Generator().manual_seed(0)
    return torch.randint(0, 256, (70, 3, 9, 8), generator=generator).to(torch.uint8)


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_features_are_computed_once_and_read_back_exactly(tiny, reals, tmp_path: Path) -> None:
    folder = tmp_path / "made" / "here"
    computed = real_features(tiny, reals, folder, "reals")
    calls = tiny.calls
    read = real_features(tiny, reals, folder, "reals")

    assert tiny.calls == calls > 0
    assert read.keys() == {"full", "half"}
    for key, value in computed.items():
        assert value.shape == (70, 12)
        assert torch.equal(read[key], value)
    assert not torch.equal(read["full"], read["half"])
    assert torch.allclose(read["full"], tiny(reals))


def test_other_images_extractors_and_counts_have_their_own_file(
    tiny, reals, tmp_path: Path
) -> None:
    other = type(tiny)(seed=1)
    real_features(tiny, reals, tmp_path, "a")
    real_features(tiny, reals, tmp_path, "b")
    real_features(other, reals, tmp_path, "a")
    real_features(tiny, reals[:50], tmp_path, "a")

    assert len(files(tmp_path)) == 4


@pytest.mark.parametrize("fault", ["cut", "garbage", "empty", "other shape", "other keys"])
def test_a_corrupt_file_is_computed_again(
    tiny, reals, tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    good = real_features(tiny, reals, tmp_path, "reals")
    (file,) = files(tmp_path)
    content = file.read_bytes()
    if fault == "other shape":
        save_file({key: value[:9].clone() for key, value in good.items()}, file)
    elif fault == "other keys":
        save_file({"full": good["full"]}, file)
    else:
        file.write_bytes({"cut": content[:-9], "garbage": b"\xff" * 99, "empty": b""}[fault])
    with caplog.at_level(logging.WARNING):
        again = real_features(tiny, reals, tmp_path, "reals")

    assert torch.equal(again["half"], good["half"])
    assert "computed again" in caplog.text
    assert torch.equal(load_file(file)["full"], good["full"])


def test_an_interrupted_write_leaves_the_old_file_and_no_other(
    tiny, reals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:100])
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    features = real_features(tiny, reals, tmp_path, "reals")

    assert features["full"].shape == (70, 12)
    assert files(tmp_path) == []


def test_a_folder_that_cannot_be_made_costs_no_result(
    tiny, reals, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    features = real_features(tiny, reals, tmp_path / "file" / "cache", "reals")

    assert features["half"].shape == (70, 12)
    assert "cannot be written" in caplog.text


def test_writers_at_one_time_all_finish(
    tiny,
    reals,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    both_have_written = Barrier(2, timeout=20)
    replace = Path.replace

    def late_replace(self: Path, target: Path) -> Path:
        both_have_written.wait()
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", late_replace)
    threads = [
        Thread(target=real_features, args=(tiny, reals, tmp_path, "reals")) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (file,) = files(tmp_path)

    assert load_file(file)["full"].shape == (70, 12)
    assert not caplog.records
