"""The cells of a sweep: one fault switched over in each, none of them run twice."""

import json
import shutil
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from ganzoo.folders import comparable, written_config
from ganzoo.names import known
from ganzoo.results import code_fingerprint, write_json

NONE = "none"
DONE = ("finished", "crashed")  # a crash is what the program does, and would do again


def flipped(config: DictConfig) -> DictConfig:
    """Return the configuration with the fault that ``flip`` names switched over.

    Raises:
        ValueError: the program has no such fault.
    """
    if config.flip is None or config.flip == NONE:
        return config
    switches = config.model.faults
    known(config.flip, (NONE, *switches), f"fault of {config.model.name}")
    changed = OmegaConf.merge(
        config, {"model": {"faults": {config.flip: not switches[config.flip]}}}
    )
    assert isinstance(changed, DictConfig)
    return changed


def ran_before(folder: Path, config: DictConfig) -> bool:
    """Return whether a folder holds the end of a run of this configuration and this code."""
    path = folder / "results.json"
    if not path.is_file() or written_config(folder) != comparable(config):
        return False
    results = json.loads(path.read_text(encoding="utf-8"))
    return results.get("status") in DONE and results.get("code") == code_fingerprint()


def cleared(folder: Path) -> None:
    """Take away what an earlier, unfinished run of a cell left."""
    for name in ("checkpoints", "samples", "tensorboard"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in ("metrics.csv", "results.json", "config.yaml"):
        (folder / name).unlink(missing_ok=True)


def write_failure(folder: Path, config: DictConfig, error: Exception) -> None:
    """Write the results of a cell whose run could not even begin."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    folder.mkdir(parents=True, exist_ok=True)
    OmegaConf.save(config, folder / "config.yaml", resolve=True)
    found: dict[str, Any] = {"status": "failed", "error": text, "model": config.model.name}
    write_json(folder / "results.json", found | {"seed": config.seed, "code": code_fingerprint()})
