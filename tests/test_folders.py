"""Which folder a run writes to, and which one a resumed run goes on in."""

from pathlib import Path

import pytest
from omegaconf import OmegaConf

from ganzoo.folders import finished, run_folder, state_file
from ganzoo.results import write_json
from tests.conftest import configured


def left_behind(root: Path, name: str, *overrides: str, status: str | None = None) -> Path:
    """Make the folder that a run leaves: unfinished, or with results of a status."""
    folder = root / "fixed_dcgan" / name
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "checkpoints" / "last.ckpt").touch()
    config = configured("model=fixed_dcgan", f"runs={root}", *overrides)
    OmegaConf.save(config, folder / "config.yaml", resolve=True)
    if status:
        write_json(folder / "results.json", {"status": status})
    return folder


def resumed(root: Path, *overrides: str) -> Path:
    return run_folder(configured("model=fixed_dcgan", f"runs={root}", "resume=true", *overrides))


def test_a_new_run_has_a_folder_of_its_own_under_its_model(tmp_path):
    folder = run_folder(configured("model=fixed_dcgan", f"runs={tmp_path}"))
    assert folder.parent == tmp_path / "fixed_dcgan"
    assert not folder.exists()


def test_resume_takes_the_newest_unfinished_run_of_the_same_configuration(tmp_path):
    left_behind(tmp_path, "1")
    wanted = left_behind(tmp_path, "2", status="interrupted")
    left_behind(tmp_path, "3", "seed=5")
    left_behind(tmp_path, "4", status="finished")
    (left_behind(tmp_path, "5") / "checkpoints" / "last.ckpt").unlink()
    assert resumed(tmp_path) == wanted
    assert finished(tmp_path / "fixed_dcgan" / "4")


def test_resume_true_without_such_a_run_says_so(tmp_path):
    left_behind(tmp_path, "1", "seed=5")
    with pytest.raises(FileNotFoundError, match="no unfinished run of this configuration under"):
        resumed(tmp_path)


def test_resume_of_a_named_folder(tmp_path):
    folder = left_behind(tmp_path, "1", status="finished")
    config = configured("model=fixed_dcgan", f"resume='{folder}'")
    assert run_folder(config) == folder
    with pytest.raises(FileNotFoundError, match=r"no config.yaml there; give a run folder"):
        run_folder(configured("model=fixed_dcgan", f"resume='{tmp_path / 'none'}'"))


def test_the_previous_state_serves_where_the_last_is_missing(tmp_path):
    folder = left_behind(tmp_path, "1")
    last = folder / "checkpoints" / "last.ckpt"
    assert state_file(folder) == last
    last.rename(last.with_name("previous.ckpt"))
    assert state_file(folder) == last.with_name("previous.ckpt")
