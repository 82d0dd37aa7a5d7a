"""Features of the real images, computed once and kept on disk."""

import logging
import uuid
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from ganzoo.evaluation.extractors import Extractor
from ganzoo.evaluation.images import HALVING, halved
from ganzoo.evaluation.scores import fingerprint

# Small batches stay in a CPU's cache: 32 pass lite0 nearly twice as fast an image as 250.
BATCH = 32

_log = logging.getLogger(__name__)


def both_features(extractor: Extractor, images: Iterable[Tensor]) -> dict[str, Tensor]:
    """Return features of the images as they are (``full``) and halved (``half``), on the CPU.

    Args:
        extractor: gives d features of an image.
        images: chunks of images, uint8 (N, C, H, W).

    Returns:
        Two tensors, float32 (n, d).
    """
    full: list[Tensor] = []
    half: list[Tensor] = []
    for batch in _batches(images):
        full.append(extractor(batch).cpu())
        half.append(extractor(halved(batch)).cpu())
    return {"full": torch.cat(full), "half": torch.cat(half)}


def features_of(extractor: Extractor, images: Iterable[Tensor]) -> Tensor:
    """Return features (n, d), on the CPU, of images in chunks, uint8 (N, C, H, W) each."""
    return torch.cat([extractor(batch).cpu() for batch in _batches(images)])


def _batches(chunks: Iterable[Tensor]) -> Iterator[Tensor]:
    for chunk in chunks:
        yield from chunk.split(BATCH)


def real_features(
    extractor: Extractor, reals: Tensor, cache_dir: str | Path, real_fingerprint: str
) -> dict[str, Tensor]:
    """Return what :func:`both_features` gives for the real images, from the disk where it can be.

    A file that cannot be read is computed again; a folder that cannot be written costs the next
    run's time only. Both are logged.

    Args:
        extractor: gives d features of an image.
        reals: uint8 (n, C, H, W).
        cache_dir: folder of the files, made where it is missing.
        real_fingerprint: of the real images; equal for equal images only.
    """
    n = len(reals)
    key = fingerprint(reals=real_fingerprint, extractor=extractor.fingerprint, n=n, halving=HALVING)
    path = Path(cache_dir) / f"{extractor.name}_{n}_{key}.safetensors"
    kept = _read(path, (n, extractor.dimension))
    if kept is not None:
        return kept
    features = both_features(extractor, [reals])
    _write(path, features)
    return features


def _read(path: Path, shape: tuple[int, int]) -> dict[str, Tensor] | None:
    try:
        # Read whole, not mapped: another process may replace the file.
        features = load(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, SafetensorError) as error:
        _log.warning("%s cannot be read and is computed again: %s", path, error)
        return None
    if {key: tuple(t.shape) for key, t in features.items()} != {"full": shape, "half": shape}:
        _log.warning("%s does not hold features of shape %s and is computed again", path, shape)
        return None
    return features


def _write(path: Path, features: dict[str, Tensor]) -> None:
    # A name of its own per writer: two processes that compute one file both finish, in any order.
    unfinished = path.with_suffix(f".{uuid.uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(save(features))
        unfinished.replace(path)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink()
        _log.warning("%s cannot be written, the next run computes it again: %s", path, error)
