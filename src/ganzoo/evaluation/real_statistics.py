"""Statistics of the real images: computed once, kept on disk, exported and imported."""

import json
import logging
import uuid
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load, save
from torch import Tensor

from ganzoo.evaluation.extractors import Extractor
from ganzoo.evaluation.images import HALVING, PixelStatistics, RealImages, halved
from ganzoo.evaluation.scores import Fields, fingerprint
from ganzoo.evaluation.statistics import BATCH, FeatureStatistics

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RealSide:
    """What scores need of the real images.

    Attributes:
        full: statistics of their features.
        half: the same of the images halved in height and width.
        pixels: mean and deviation of the images.
    """

    full: FeatureStatistics
    half: FeatureStatistics
    pixels: PixelStatistics


@torch.no_grad()
def computed(extractor: Extractor, reals: RealImages) -> RealSide:
    """Return the statistics of real images, in one pass."""
    full, half = (FeatureStatistics(extractor.dimension, 1) for _ in range(2))
    pixels = PixelStatistics()
    for chunk in reals.chunks():
        pixels.update(chunk)
        for batch in chunk.split(BATCH):
            full.update(extractor(batch))
            half.update(extractor(halved(batch)))
    return RealSide(full, half, pixels)


def real_statistics(
    extractor: Extractor, reals: RealImages, cache_dir: str | Path, real_fields: Fields
) -> RealSide:
    """Return what :func:`computed` gives for the real images, from the disk where it can be.

    A file that cannot be read is computed again; a folder that cannot be written costs the next
    run's time only. Both are logged.

    Args:
        extractor: gives d features of an image.
        reals: the images.
        cache_dir: folder of the files, made where it is missing.
        real_fields: what the images are; different for different images.

    Raises:
        ValueError: for fewer than two images, or too small ones.
    """
    n = reals.n
    if n < 2 or min(reals.shape[1:]) < 2:
        raise ValueError(
            f"{n} real images of shape {reals.shape}: give at least 2, of at least 2x2 pixels"
        )
    fields = {**real_fields, **extractor.fields, "n": n, "halving": HALVING}
    path = Path(cache_dir) / f"{extractor.name}_{n}_{fingerprint(**fields)}.safetensors"
    try:
        return read(path, extractor.dimension, n)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        log.warning("%s cannot be read and is computed again: %s", path, error)
    found = computed(extractor, reals)
    try:
        write(path, {key: side.tensors() for key, side in vars(found).items()}, fields)
    except OSError as error:
        log.warning("%s cannot be written, the next run computes it again: %s", path, error)
    return found


def write(path: Path, parts: dict[str, dict[str, Tensor]], fields: Fields) -> None:
    """Write tensors as safetensors, so that a reader finds a whole file or none."""
    tensors = {
        f"{key}.{name}": tensor.contiguous()
        for key, part in parts.items()
        for name, tensor in part.items()
    }
    # A name of its own per writer: two processes that compute one file both finish, in any order.
    unfinished = path.with_suffix(f".{uuid.uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(save(tensors, {"ganzoo": json.dumps(fields)}))
        unfinished.replace(path)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()
        raise


def parts_of(path: Path) -> dict[str, dict[str, Tensor]]:
    """Return the tensors in a file of :func:`write`.

    Raises:
        FileNotFoundError: there is none.
        ValueError: it is damaged.
    """
    try:
        tensors = load(path.read_bytes())  # whole, not mapped: another process may replace it
    except SafetensorError as error:
        raise ValueError(f"{path} is no whole file of statistics: {error}") from error
    parts: dict[str, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        side, _, name = key.partition(".")
        parts.setdefault(side, {})[name] = tensor
    return parts


def read(path: Path, dimension: int, n: int) -> RealSide:
    """Return the statistics of n real images in a file.

    Raises:
        FileNotFoundError: there is none.
        ValueError: it holds something else.
    """
    parts = parts_of(path)
    full, half = (
        FeatureStatistics.from_tensors(parts.get(key, {}), dimension) for key in ("full", "half")
    )
    try:
        pixels = PixelStatistics.from_tensors(parts["pixels"])
    except KeyError as error:
        raise ValueError(f"{path} lacks {error}") from error
    if (full.n, half.n) != (n, n):
        raise ValueError(f"{path} holds statistics of {full.n} images, not of {n}")
    return RealSide(full, half, pixels)


def export(path: str | Path, side: FeatureStatistics, fields: Fields) -> None:
    """Write the statistics of one side to a file of the user's.

    Args:
        path: ``.safetensors`` holds all of them; ``.npz`` holds mean and covariance, as pytorch-fid
            reads them.
        side: the statistics.
        fields: how they were measured, for a later :func:`imported`.

    Raises:
        ValueError: another suffix.
    """
    path = Path(path)
    if path.suffix == ".safetensors":
        write(path, {"full": side.tensors()}, fields)
        return
    if path.suffix != ".npz":
        raise ValueError(f"{path}: statistics are written as .safetensors or .npz")
    path.parent.mkdir(parents=True, exist_ok=True)
    gaussian = side.gaussian()
    part = path.with_suffix(f".{uuid.uuid4().hex}.npz")
    np.savez_compressed(part, mu=gaussian.mean.numpy(), sigma=gaussian.full_covariance().numpy())
    part.replace(path)


def imported(path: str | Path, extractor: Extractor) -> tuple[FeatureStatistics, Fields]:
    """Return statistics from a file, and what it says of how they were measured.

    An ``.npz`` of pytorch-fid holds a mean and a covariance alone: it says neither of how many
    images nor of which resize they are, and gives a Fréchet distance only.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is no file of statistics, or one of another extractor.
    """
    path = Path(path)
    if path.suffix == ".npz":
        return _from_npz(path, extractor)
    side = FeatureStatistics.from_tensors(parts_of(path).get("full", {}), extractor.dimension)
    with safe_open(path, "pt") as file:
        fields: Fields = json.loads((file.metadata() or {}).get("ganzoo", "{}"))
    for key, ours in extractor.fields.items():
        if fields.get(key) != ours:
            raise ValueError(f"{path} was measured with {key} {fields.get(key)!r}, not {ours!r}")
    return side, fields


def _from_npz(path: Path, extractor: Extractor) -> tuple[FeatureStatistics, Fields]:
    try:
        with np.load(path) as file:  # pickled objects in it are refused
            mean, covariance = (torch.from_numpy(file[key]).double() for key in ("mu", "sigma"))
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile, EOFError) as error:
        raise ValueError(f"{path} does not hold the arrays mu and sigma of pytorch-fid") from error
    d = extractor.dimension
    if mean.shape != (d,) or covariance.shape != (d, d):
        raise ValueError(
            f"{path} holds {tuple(mean.shape)} and {tuple(covariance.shape)}: {extractor.name} has "
            f"{d} features"
        )
    if not (mean.isfinite().all() and covariance.isfinite().all()):
        raise ValueError(f"{path} holds NaN or infinity")
    return FeatureStatistics.of_gaussian(mean, covariance), {}
