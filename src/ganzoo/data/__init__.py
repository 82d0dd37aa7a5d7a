"""Datasets of uint8 images, each decoded once into a cache: drawn faces, CelebA, any folder."""

from __future__ import annotations

import inspect
from typing import Any, Protocol

from ganzoo.data.celeba import CelebAImages
from ganzoo.data.datamodule import Images
from ganzoo.data.face_images import FaceImages
from ganzoo.data.faces import draw_faces
from ganzoo.data.folder import FolderImages
from ganzoo.data.stream import BatchStream
from ganzoo.names import known

__all__ = [
    "DATASETS",
    "BatchStream",
    "CelebAImages",
    "FaceImages",
    "FolderImages",
    "Images",
    "datamodule",
    "draw_faces",
]

DATASETS: dict[str, type[Images]] = {
    kind.name: kind for kind in (FaceImages, CelebAImages, FolderImages)
}


class TakesImages(Protocol):
    """What a dataset asks of a program."""

    @property
    def image_shape(self) -> tuple[int, int, int]: ...
    @property
    def batch_size(self) -> int: ...


def datamodule(name: str, program: TakesImages, **settings: Any) -> Images:
    """Return the dataset called ``name`` in the size, channels and batches that a program takes.

    Args:
        name: "faces", "celeba" or "folder".
        program: Anything with ``image_shape`` and ``batch_size``.
        settings: See the classes; ``seed``, ``cache_dir`` and ``workers`` go for all of them.

    Raises:
        ValueError: No such dataset or setting; the nearest name and the choices are in the text.
    """
    kind = DATASETS[known(name, DATASETS, "dataset")]
    choices = settings_of(kind)
    for setting in settings:
        known(setting, choices, f"setting of data {name}")
    return kind(program.image_shape, program.batch_size, **settings)


def settings_of(kind: type[Images]) -> tuple[str, ...]:
    """Return the names of the settings that a dataset takes."""
    parameters = [*inspect.signature(kind).parameters.values()]
    parameters += inspect.signature(Images).parameters.values()
    return tuple(dict.fromkeys(p.name for p in parameters if p.kind is p.KEYWORD_ONLY))
