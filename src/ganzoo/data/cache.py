"""The pixel cache: every image decoded once, into one memory-mapped array named by its content."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
import time
import uuid
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from rich.console import Console
from rich.progress import track

from ganzoo.data.pictures import BadImageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_FORMAT = 1  # goes up when equal sources would be stored as other pixels or in another layout
_HEADER_BYTES = 128  # where the pixels begin: the length of a four-dimensional array's .npy header
_BLOCK = 32  # images a thread reads at a time
_STALE_S = 3600  # a file still being written is touched more often than this


@dataclass(frozen=True)
class Source:
    """Where images come from.

    Attributes:
        key: Whatever the pixels depend on besides names, labels and shape; it must fit into JSON.
        names: One for each image.
        labels: One for each image.
        read: From begin and end to the images between: uint8 (C, H, W), or why one cannot be had.
    """

    key: Mapping[str, Any]
    names: Sequence[str]
    labels: Sequence[int]
    read: Callable[[int, int], Sequence[NDArray[np.uint8] | BadImageError]]


@dataclass(frozen=True)
class Cached:
    """An open cache.

    Attributes:
        images: uint8 (N, C, H, W) in [0, 255], memory-mapped and read-only.
        labels: int64 (N,).
        skipped: Name and reason of each image that is not among them.
        fingerprint: Equal for equal sources, in hexadecimal digits.
    """

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]
    skipped: list[tuple[str, str]]
    fingerprint: str


def cached(
    folder: Path, title: str, source: Source, shape: tuple[int, int, int], workers: int
) -> Cached:
    """Return the images of ``source`` from the cache in ``folder``, filled first where need be.

    Several processes may do this at once: each writes a file of its own, which takes its place in
    one step. A file that is damaged or cut short is made anew.

    Raises:
        OSError: The folder cannot be written to.
    """
    fingerprint = _fingerprint(source, shape)
    array = folder / f"{title}-{fingerprint}.npy"
    found = _open(array, shape, fingerprint)
    if found is None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _remove_stale(array)
            _fill(array, title, source, shape, workers)
        except OSError as error:
            raise OSError(
                f"cannot write the pixel cache {array}: {error.strerror or error}; "
                "name another folder with data.cache_dir or the variable GANZOO_CACHE"
            ) from error
        found = _open(array, shape, fingerprint)
    if found is None:
        raise OSError(f"the pixel cache {array} changed while it was opened: start again")
    return found


def _fingerprint(source: Source, shape: tuple[int, int, int]) -> str:
    parts = [_FORMAT, shape, dict(source.key), list(source.names), list(source.labels)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def _open(array: Path, shape: tuple[int, int, int], fingerprint: str) -> Cached | None:
    """Return the cache at this place, or None where there is none that is whole."""
    try:
        index = json.loads(array.with_suffix(".json").read_bytes())
        labels = np.array(index["labels"], np.int64)
        with array.open("rb") as file:
            header = file.read(_HEADER_BYTES)
        if header != _header(len(labels), shape):
            return None
        if array.stat().st_size != _HEADER_BYTES + len(labels) * int(np.prod(shape)):
            return None
        images = np.load(array, mmap_mode="r")
        skipped = [(name, reason) for name, reason in index["skipped"]]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Cached(images, labels, skipped, fingerprint)


def _fill(
    array: Path, title: str, source: Source, shape: tuple[int, int, int], workers: int
) -> None:
    kept: list[int] = []
    skipped: list[tuple[str, str]] = []
    rows = track(
        _rows(source, workers),
        description=f"reading {title} once",
        total=len(source.names),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    )
    with _written_at_once(array) as file:
        file.write(bytes(_HEADER_BYTES))
        for place, row in enumerate(rows):
            if isinstance(row, BadImageError):
                skipped.append((source.names[place], str(row)))
            else:
                kept.append(place)
                file.write(row.tobytes())
        if not kept:
            raise ValueError(f"{title}: {named(skipped)}")
        file.seek(0)
        file.write(_header(len(kept), shape))
        # before the array, which is what makes a cache: whoever finds it finds the index too
        with _written_at_once(array.with_suffix(".json")) as index:
            parts = {
                "names": [source.names[place] for place in kept],
                "labels": [int(source.labels[place]) for place in kept],
                "skipped": skipped,
            }
            index.write(json.dumps(parts).encode())


def _rows(source: Source, workers: int) -> Iterator[NDArray[np.uint8] | BadImageError]:
    """Yield the images in order, read by threads: Pillow and numpy let go of the lock at work."""
    waiting: deque[Future[Sequence[NDArray[np.uint8] | BadImageError]]] = deque()
    count = len(source.names)
    with ThreadPoolExecutor(workers) as pool:
        for begin in range(0, count, _BLOCK):
            waiting.append(pool.submit(source.read, begin, min(begin + _BLOCK, count)))
            if len(waiting) > 2 * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


@contextmanager
def _written_at_once(path: Path) -> Iterator[BinaryIO]:
    """Yield a new file that takes the place of ``path`` at the end, or vanishes on an error."""
    part = path.with_name(f".{path.name}-{uuid.uuid4().hex}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _remove_stale(array: Path) -> None:
    """Remove what killed processes left of this cache."""
    for part in array.parent.glob(f".{array.stem}.*.part"):
        with suppress(FileNotFoundError):  # another process may have finished it meanwhile
            if time.time() - part.stat().st_mtime > _STALE_S:
                part.unlink()


def _header(count: int, shape: tuple[int, int, int]) -> bytes:
    buffer = io.BytesIO()
    parts = {"descr": "|u1", "fortran_order": False, "shape": (count, *shape)}
    np.lib.format.write_array_header_1_0(buffer, parts)
    return buffer.getvalue()


def named(skipped: Sequence[tuple[str, str]], most: int = 5) -> str:
    """Return one line that names the first few unusable images, with reasons, and their number."""
    some = "; ".join(f"{name} ({reason})" for name, reason in skipped[:most])
    rest = f"; and {len(skipped) - most} more" if len(skipped) > most else ""
    plural = "" if len(skipped) == 1 else "s"
    return f"{len(skipped)} unusable image{plural}: {some}{rest}"
