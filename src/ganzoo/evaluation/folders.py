"""The scores of one folder of images against another, without a model."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import track
from torch import Tensor

from ganzoo.data.listing import Files, folder_files
from ganzoo.data.pictures import BadImageError, whole_picture
from ganzoo.evaluation.class_tally import ClassTally
from ganzoo.evaluation.extractors import Extractor
from ganzoo.evaluation.feature_scores import class_scores, feature_scores
from ganzoo.evaluation.real_statistics import export, imported
from ganzoo.evaluation.scores import Fields, Score
from ganzoo.evaluation.statistics import BATCH, BLOCKS, FeatureStatistics

SUFFIXES = (".safetensors", ".npz")


@torch.no_grad()
def folder_scores(real: str | Path, fake: str | Path, extractor: Extractor) -> list[Score]:
    """Return the scores of a folder's images, as ``feature_scores`` lists them.

    Every image below a folder counts, at its own size and in RGB; the extractor resizes it. The two
    may hold different numbers of images.

    Args:
        real: folder of the real images, or a file of their statistics: one of
            :func:`folder_statistics`, or an ``.npz`` of pytorch-fid, which gives the Fréchet
            distance alone.
        fake: folder of the images to be judged.
        extractor: gives features of an image.

    Raises:
        FileNotFoundError: no such folder or file.
        ValueError: a folder has fewer than two images, a file is no whole image, or the statistics
            are another extractor's.
    """
    reals, known = real_side(Path(real), extractor)
    tally = ClassTally(extractor) if extractor.classes else None
    fakes = folder_features(Path(fake), extractor, "fake", BLOCKS, tally)
    fields: Fields = {
        "reals": known.get("reals") or content_of(reals),
        "n_real": reals.n,  # 0: the file does not say
        "n": fakes.n,
        **extractor.fields,
    }
    scores = feature_scores(extractor, reals, fakes, "folder", fields)
    return scores + class_scores(tally, extractor, "folder", fields)


@torch.no_grad()
def folder_statistics(real: str | Path, path: str | Path, extractor: Extractor) -> int:
    """Write the statistics of a folder's images to a file, and return how many images these are.

    Args:
        real: folder of the images.
        path: ``.safetensors``, or ``.npz`` as pytorch-fid reads it.
        extractor: gives features of an image.

    Raises:
        FileNotFoundError: no such folder.
        ValueError: fewer than two images, a file is no whole image, or another suffix.
    """
    if Path(path).suffix not in SUFFIXES:  # known before the work
        raise ValueError(f"{path}: statistics are written as {' or '.join(SUFFIXES)}")
    side = folder_features(Path(real), extractor, "real", 1)
    export(path, side, {"reals": content_of(side), "n": side.n, **extractor.fields})
    return side.n


def real_side(real: Path, extractor: Extractor) -> tuple[FeatureStatistics, Fields]:
    """Return the statistics of a folder or a file, and what a file says of them."""
    if real.suffix in SUFFIXES and not real.is_dir():
        return imported(real, extractor)
    return folder_features(real, extractor, "real", 1), {}


def content_of(side: FeatureStatistics) -> str:
    """Return 16 hex digits of what the statistics hold."""
    digest = hashlib.sha256()
    for tensor in side.tensors().values():
        digest.update(tensor.numpy().tobytes())
    return digest.hexdigest()[:16]


def folder_features(
    folder: Path, extractor: Extractor, side: str, blocks: int, tally: ClassTally | None = None
) -> FeatureStatistics:
    """Return the statistics of every image below a folder, in the order of their names."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{side}={folder}: there is no such folder")
    files = folder_files(folder)
    if len(files.stamps) < 2:
        raise ValueError(
            f"{side}={folder} holds {len(files.stamps)} image(s): a distance needs at least 2"
        )
    found = FeatureStatistics(extractor.dimension, blocks)
    for batch in image_batches(folder, files, side):
        features = extractor(batch)
        found.update(features)
        if tally is not None:
            tally.update(features)
    return found


def image_batches(folder: Path, files: Files, side: str) -> Iterator[Tensor]:
    """Yield the images below a folder, uint8 (N, 3, H, W), as many of one size as follow another.

    Raises:
        ValueError: a file is no whole image.
    """
    console = Console(stderr=True)
    names = track(files.stamps, side, console=console, disable=not console.is_terminal)
    waiting: list[Tensor] = []
    for name in names:
        try:
            image = torch.from_numpy(whole_picture(files.load(name)))
        except BadImageError as error:
            raise ValueError(f"{side}={folder}: {name}: {error}; mend it or take it out") from error
        if waiting and (waiting[0].shape != image.shape or len(waiting) == BATCH):
            yield torch.stack(waiting)
            waiting = []
        waiting.append(image)
    if waiting:
        yield torch.stack(waiting)
