"""The kept statistics of real images: once, exact, atomic, replaceable."""

import logging
from pathlib import Path
from threading import Barrier, Thread

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from ganzoo.evaluation.images import RealImages
from ganzoo.evaluation.real_statistics import real_statistics, write
from ganzoo.evaluation.statistics import FeatureStatistics


@pytest.fixture
def reals() -> Tensor:
    generator = torch.Generator().manual_seed(0)
    return torch.randint(0, 256, (70, 3, 9, 8), generator=generator).to(torch.uint8)


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_they_are_computed_once_and_read_back_exactly(tiny, reals, tmp_path: Path) -> None:
    folder = tmp_path / "made" / "here"
    computed = real_statistics(tiny, RealImages.of(reals), folder, {"reals": "reals"})
    calls = tiny.calls
    read = real_statistics(tiny, RealImages.of(reals), folder, {"reals": "reals"})

    assert tiny.calls == calls > 0
    assert vars(read).keys() == {"full", "half", "pixels"}
    for again, value in ((read.full, computed.full), (read.half, computed.half)):
        assert value.rows.shape == (70, 12)
        assert torch.equal(again.rows, value.rows)
        assert again.gaussian().distance(value.gaussian()) < 1e-12
    assert torch.allclose(read.pixels.mean(), reals.double().mean(0) / 255, rtol=1e-12)
    assert read.pixels.deviation() == computed.pixels.deviation()
    assert not torch.equal(read.full.rows, read.half.rows)
    assert torch.allclose(read.full.rows, tiny(reals))


def test_other_images_extractors_and_counts_have_their_own_file(
    tiny, reals, tmp_path: Path
) -> None:
    other = type(tiny)(seed=1)
    real_statistics(tiny, RealImages.of(reals), tmp_path, {"reals": "a"})
    real_statistics(tiny, RealImages.of(reals), tmp_path, {"reals": "b"})
    real_statistics(other, RealImages.of(reals), tmp_path, {"reals": "a"})
    real_statistics(tiny, RealImages.of(reals[:50]), tmp_path, {"reals": "a"})

    assert len(files(tmp_path)) == 4


@pytest.mark.parametrize("fault", ["cut", "garbage", "empty", "other shape", "other keys"])
def test_a_corrupt_file_is_computed_again(
    tiny, reals, tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    good = real_statistics(tiny, RealImages.of(reals), tmp_path, {"reals": "reals"})
    (file,) = files(tmp_path)
    content = file.read_bytes()
    if fault == "other shape":
        short, half = (
            FeatureStatistics.of(side.rows[:9].clone(), 1).tensors()
            for side in (good.full, good.half)
        )
        write(file, {"full": short, "half": half, "pixels": good.pixels.tensors()}, {})
    elif fault == "other keys":
        write(file, {"full": good.full.tensors()}, {})
    else:
        file.write_bytes({"cut": content[:-9], "garbage": b"\xff" * 99, "empty": b""}[fault])
    with caplog.at_level(logging.WARNING):
        again = real_statistics(tiny, RealImages.of(reals), tmp_path, {"reals": "reals"})

    assert torch.equal(again.half.rows, good.half.rows)
    assert "computed again" in caplog.text
    assert torch.equal(load_file(file)["full.rows"], good.full.rows)


def test_an_interrupted_write_leaves_the_old_file_and_no_other(
    tiny, reals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:100])
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    features = real_statistics(tiny, RealImages.of(reals), tmp_path, {"reals": "reals"})

    assert features.full.rows.shape == (70, 12)
    assert files(tmp_path) == []


def test_a_folder_that_cannot_be_made_costs_no_result(
    tiny, reals, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    features = real_statistics(
        tiny, RealImages.of(reals), tmp_path / "file" / "cache", {"reals": "reals"}
    )

    assert features.half.rows.shape == (70, 12)
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
        Thread(
            target=real_statistics, args=(tiny, RealImages.of(reals), tmp_path, {"reals": "reals"})
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (file,) = files(tmp_path)

    assert load_file(file)["full.rows"].shape == (70, 12)
    assert not caplog.records
