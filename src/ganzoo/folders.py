"""Run folders: a new one for each run, and the one that a resumed run goes on in."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

# what may differ between a run and its continuation
PASSING = ("hydra", "resume", "runs")


def run_folder(config: DictConfig) -> Path:
    """Return the folder of the run that a composed configuration describes.

    Raises:
        FileNotFoundError: the run to resume is not there.
    """
    resume = config.resume
    if resume is False:
        moment = datetime.now().astimezone().strftime("%Y-%m-%d_%H-%M-%S_%f")[:-3]
        return Path(config.runs) / config.model.name / moment
    if resume is not True:
        folder = Path(str(resume))
        if not (folder / "config.yaml").is_file():
            raise FileNotFoundError(f"resume={resume}: no config.yaml there; give a run folder")
        return folder
    here = Path(config.runs) / config.model.name
    wanted = comparable(config)
    for folder in sorted(here.glob("*/"), reverse=True):
        if not finished(folder) and state_file(folder) and written_config(folder) == wanted:
            return folder
    raise FileNotFoundError(
        f"resume=true: no unfinished run of this configuration under {here}; "
        "start without resume, or give resume=FOLDER"
    )


def comparable(config: DictConfig) -> Any:
    """Return the part of a configuration that makes two runs the same."""
    content = OmegaConf.to_container(
        OmegaConf.masked_copy(config, [str(key) for key in config if key not in PASSING]),
        resolve=True,
    )
    return json.loads(json.dumps(content))


def written_config(folder: Path) -> Any:
    """Return the comparable configuration that a run wrote when it began, or None."""
    path = folder / "config.yaml"
    if not path.is_file():
        return None
    loaded = OmegaConf.load(path)
    return comparable(loaded) if isinstance(loaded, DictConfig) else None


def finished(folder: Path) -> bool:
    """Return whether the run in a folder came to its end."""
    path = folder / "results.json"
    if not path.is_file():
        return False
    return json.loads(path.read_text(encoding="utf-8")).get("status") == "finished"


def state_file(folder: Path) -> Path | None:
    """Return the newest checkpoint of a run, or None."""
    for name in ("last.ckpt", "previous.ckpt"):
        if (folder / "checkpoints" / name).is_file():
            return folder / "checkpoints" / name
    return None
