"""What a run writes: its symptom, its scores, and where they come from."""

import json
import os
import platform
import subprocess
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGES = ("torch", "pytorch-lightning", "torchmetrics", "hydra-core", "numpy")


@dataclass(frozen=True)
class Symptom:
    """Whether a family's symptom shows in a run, and the numbers that say so."""

    name: str
    present: bool
    sentence: str
    evidence: dict[str, Any]


def write_json(path: Path, content: Any) -> None:
    """Write JSON so that a reader finds the old file or the new one, never half of one."""
    write_text(path, json.dumps(content, indent=2, allow_nan=True) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text so that a reader finds the old file or the new one, never half of one."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def versions() -> dict[str, str]:
    """Return the versions of Python, of ganzoo, and of the packages that decide its numbers."""
    found = {"python": platform.python_version()}
    return found | {package: version(package) for package in ("ganzoo", *PACKAGES)}


def git_revision() -> str | None:
    """Return the revision of this file's checkout, with "+" if changed; None outside one."""
    here = Path(__file__).parent
    command = ["git", "-C", str(here), "describe", "--always", "--dirty=+", "--abbrev=12"]
    try:
        tracked = subprocess.run(  # noqa: S603
            [*command[:3], "ls-files", "--error-unmatch", Path(__file__).name],
            capture_output=True,
            check=False,
        )
        if tracked.returncode:  # installed beneath somebody else's repository
            return None
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return None
    return done.stdout.strip() or None
