"""Two folders of images, scored as they lie on the disk."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from ganzoo.data import draw_faces
from ganzoo.data.listing import folder_files
from ganzoo.evaluation import frechet_distance
from ganzoo.evaluation.folders import folder_features, folder_scores, image_batches
from ganzoo.evaluation.kernel import kernel_distance
from ganzoo.evaluation.manifold import manifold


def fill(folder: Path, images, ending: str = "png") -> Path:
    """Write images (N, C, H, W) into a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, image in enumerate(np.asarray(images)):
        Image.fromarray(image.transpose(1, 2, 0)).save(folder / f"{number:03d}.{ending}")
    return folder


@pytest.fixture
def two(tmp_path):
    faces, _ = draw_faces(70, (20, 16))
    return fill(tmp_path / "real", faces[:40]), fill(tmp_path / "fake" / "deep", faces[40:])


def test_every_score_is_that_of_the_features(tiny, two):
    real, fake = two
    values = {score.name: score.value for score in folder_scores(real, fake.parent, tiny)}
    faces, _ = draw_faces(70, (20, 16))
    a, b = tiny(faces[:40]), tiny(faces[40:])
    assert list(values)[:3] == ["fd30_tiny/folder", "fd_limit30_tiny/folder", "kd30_tiny/folder"]
    assert values["fd30_tiny/folder"] == pytest.approx(frechet_distance(a, b), rel=1e-4)
    assert values["kd30_tiny/folder"] == pytest.approx(kernel_distance(a, b).value, rel=1e-4)
    for word, (value, _) in manifold(a, b).scores().items():
        assert values[f"{word}30_tiny/folder"] == pytest.approx(value, abs=0.05)


def test_images_of_several_sizes_and_kinds_are_read_as_they_are(tiny, tmp_path):
    faces, _ = draw_faces(6, (20, 16))
    wide, _ = draw_faces(3, (12, 30))
    fill(tmp_path / "a", faces)
    fill(tmp_path / "b", wide)
    Image.fromarray(faces[0, 0].numpy()).save(tmp_path / "grey.png")
    found = folder_features(tmp_path, tiny, "real", 1).rows
    grey = faces[:1, :1].expand(-1, 3, -1, -1)
    due = [tiny(faces), tiny(wide), tiny(grey)]
    assert torch.allclose(found, torch.cat(due), rtol=1e-5, atol=1e-5)


def test_batches_stay_small_and_keep_the_order(two):
    batches = list(image_batches(two[0], folder_files(two[0]), "real"))
    assert [len(batch) for batch in batches] == [32, 8]
    assert torch.equal(torch.cat(batches), draw_faces(40, (20, 16))[0])


def test_the_fingerprint_is_of_the_reals_and_not_of_the_fakes(tiny, two, tmp_path):
    real, fake = two
    keys = [s.fingerprint for s in folder_scores(real, fake, tiny)]
    other = fill(tmp_path / "other", draw_faces(30, (20, 16), seed=1)[0])
    assert [s.fingerprint for s in folder_scores(real, other, tiny)] == keys
    assert not {s.fingerprint for s in folder_scores(other, fake, tiny)} & set(keys)


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_images_are_named(tiny, two, tmp_path, count):
    empty = fill(tmp_path / "few", draw_faces(1, (8, 8))[0][:count])
    with pytest.raises(ValueError, match=rf"fake=.*few holds {count} image\(s\)"):
        folder_scores(two[0], empty, tiny)
    with pytest.raises(FileNotFoundError, match=r"real=.*nowhere: there is no such folder"):
        folder_scores(tmp_path / "nowhere", two[1], tiny)


def test_as_many_other_reals_have_another_fingerprint(tiny, two, tmp_path):
    other = fill(tmp_path / "other", draw_faces(80, (20, 16))[0][40:])
    keys = [{s.fingerprint for s in folder_scores(real, two[1], tiny)} for real in (two[0], other)]
    assert not keys[0] & keys[1]


def test_a_broken_file_is_named(tiny, two):
    (two[1] / "broken.png").write_bytes(b"no image")
    with pytest.raises(ValueError, match=r"broken.png: no image of a known format; mend it"):
        folder_scores(*two, tiny)


@pytest.mark.slow
def test_the_command_scores_two_folders(two, tmp_path):
    real, fake = two

    def ask(*arguments):
        command = [sys.executable, "-m", "ganzoo", "evaluate=folders", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    done = ask(f"real={real}", f"fake={fake}", "evaluation=digits")
    assert done.returncode == 0, done.stderr
    assert "fd30_digits/folder" in done.stdout
    (file,) = (tmp_path / "runs").iterdir()
    written = json.loads(file.read_text())
    assert written["metrics"][0]["measured"]["n_real"] == 40
    missing = ask(f"real={real}", "fake=nowhere", "evaluation=digits")
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)
    assert "fake=nowhere: there is no such folder" in missing.stderr


@pytest.mark.slow
def test_the_command_measures_a_folder_once(two, tmp_path):
    real, fake = two

    def ask(*arguments, kind="folders"):
        command = [sys.executable, "-m", "ganzoo", f"evaluate={kind}", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    done = ask(f"real={real}", f"fake={fake}", "evaluation=digits")
    kept = ask(f"real={real}", "file=real.safetensors", "evaluation=digits", kind="statistics")
    assert "statistics of 40 images written to real.safetensors" in kept.stdout
    again = ask("real=real.safetensors", f"fake={fake}", "evaluation=digits")
    assert again.stdout.splitlines()[:-1] == done.stdout.splitlines()[:-1]  # the last names a file
