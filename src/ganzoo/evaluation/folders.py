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
from ganzoo.evaluation.distances import frechet_distance
from ganzoo.evaluation.extractors import Extractor
from ganzoo.evaluation.protocols import distance_word, feature_scores
from ganzoo.evaluation.real_features import BATCH, features_of
from ganzoo.evaluation.scores import Score, count_word


@torch.no_grad()
def folder_scores(real: str | Path, fake: str | Path, extractor: Extractor) -> list[Score]:
    """Return the Fréchet and kernel distances and the manifold's measures of two folders.

    Every image below a folder counts, at its own size and in RGB; the extractor resizes it. The two
    may hold different numbers of images.

    Args:
        real: folder of the real images.
        fake: folder of the images to be judged.
        extractor: gives features of an image.

    Raises:
        FileNotFoundError: no such folder.
        ValueError: a folder has fewer than two images, or a file is no whole image.
    """
    reals = folder_features(Path(real), extractor, "real")
    fakes = folder_features(Path(fake), extractor, "fake")
    n = len(fakes)
    fields: dict[str, str | int] = {
        "reals": hashlib.sha256(reals.numpy().tobytes()).hexdigest()[:16],
        "n_real": len(reals),
        "n": n,
        "extractor": extractor.fingerprint,
    }
    protocol = f"{distance_word('f', extractor)}{count_word(n)}_{extractor.name}"
    first = Score.of(protocol, frechet_distance(reals, fakes), "folder", n, fields)
    return [first, *feature_scores(extractor, reals, fakes, "folder", fields)]


def folder_features(folder: Path, extractor: Extractor, side: str) -> Tensor:
    """Return the features (n, d) of every image below a folder, in the order of their names."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{side}={folder}: there is no such folder")
    files = folder_files(folder)
    if len(files.stamps) < 2:
        raise ValueError(
            f"{side}={folder} holds {len(files.stamps)} image(s): a distance needs at least 2"
        )
    return features_of(extractor, image_batches(folder, files, side))


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
