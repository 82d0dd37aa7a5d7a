"""What a run writes: its symptom, its scores, and where they come from."""

import hashlib
import json
import os
import platform
import subprocess
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ganzoo.conf_dir import conf_dir

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


@cache
def code_fingerprint() -> str:
    """Return 16 hex digits of this package's code and configuration, as they are on disk."""
    here, digest = Path(__file__).parent, hashlib.sha256()
    files = [*here.rglob("*.py"), *here.rglob("*.safetensors"), *conf_dir().rglob("*.yaml")]
    for path in sorted(files):
        digest.update(f"{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


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


@dataclass(frozen=True)
class Comparison:
    """One score of two runs, measured in one way."""

    name: str
    first: float
    second: float

    @property
    def difference(self) -> float:
        """How much larger the second is."""
        return self.second - self.first


def compare(first: Any, second: Any) -> list[Comparison]:
    """Return the scores that two runs share, side by side.

    Args:
        first: the results of a run, or the path of a ``results.json`` or its folder.
        second: likewise.

    Raises:
        ValueError: a shared score was measured in another way (the message names what differs), or
            no score is shared.
        FileNotFoundError: no such file.
    """
    ours, theirs = ({s["name"]: s for s in read_results(r)["metrics"]} for r in (first, second))
    shared = [name for name in ours if name in theirs]
    if not shared:
        raise ValueError(f"no score in common: {', '.join(ours)} and {', '.join(theirs)}")
    for name in shared:
        refuse_unlike(name, ours[name], theirs[name])
    return [Comparison(name, ours[name]["value"], theirs[name]["value"]) for name in shared]


def refuse_unlike(name: str, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Raise ValueError where two scores of one name were measured in two ways."""
    if ours["fingerprint"] == theirs["fingerprint"]:
        return
    left, right = ours.get("measured", {}), theirs.get("measured", {})
    unlike = [
        f"{key} is {left.get(key)!r} and {right.get(key)!r}"
        for key in dict.fromkeys((*left, *right))
        if left.get(key) != right.get(key)
    ]
    what = "; ".join(unlike) or "one of the two does not say how it was measured"
    raise ValueError(f"{name} cannot be compared: {what}")


def read_results(results: Any) -> dict[str, Any]:
    """Return the results of a run, from themselves, their file, or its folder."""
    if isinstance(results, dict):
        return results
    path = Path(results)
    path = path / "results.json" if path.is_dir() else path
    return json.loads(path.read_text(encoding="utf-8"))
