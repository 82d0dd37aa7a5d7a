"""Datasets of uint8 images, each decoded once into a cache, and pairs of domains."""

from __future__ import annotations

import inspect
from typing import Any, Protocol

from ganzoo.data.arrays import ArrayImages, DigitImages, InvertedDigitImages, Mnist5kImages
from ganzoo.data.celeba import CelebAImages
from ganzoo.data.datamodule import Images
from ganzoo.data.face_images import FaceImages
from ganzoo.data.faces import draw_faces
from ganzoo.data.folder import FolderImages
from ganzoo.data.pairs import PAIRS, DomainPair, DomainStream, as_settings
from ganzoo.data.stream import BatchStream
from ganzoo.data.torchvision_sets import (
    Cifar10Images,
    FashionMnistImages,
    MnistImages,
    SvhnImages,
    UspsImages,
)
from ganzoo.names import known

__all__ = [
    "DATASETS",
    "PAIRS",
    "ArrayImages",
    "BatchStream",
    "CelebAImages",
    "DigitImages",
    "DomainPair",
    "DomainStream",
    "FaceImages",
    "FolderImages",
    "Images",
    "datamodule",
    "draw_faces",
]

DATASETS: dict[str, type[Images]] = {
    kind.name: kind
    for kind in (
        FaceImages,
        CelebAImages,
        FolderImages,
        ArrayImages,
        DigitImages,
        InvertedDigitImages,
        Mnist5kImages,
        MnistImages,
        FashionMnistImages,
        UspsImages,
        SvhnImages,
        Cifar10Images,
    )
}


OWN = ("held_out", "classes", "source", "target")  # settings of a pair


class TakesImages(Protocol):
    """What a dataset asks of a program."""

    @property
    def image_shape(self) -> tuple[int, int, int]: ...
    @property
    def batch_size(self) -> int: ...


def datamodule(name: str, program: TakesImages, **settings: Any) -> Any:
    """Return the data called ``name`` in the size, channels and batches that a program takes.

    Args:
        name: A dataset ("faces", "celeba", "folder", "digits", ...), a pair of domains
            ("digits_mnist5k", ...), or "pair" with ``source`` and ``target`` as mappings.
        program: Anything with ``image_shape`` and ``batch_size``.
        settings: See the classes; ``seed``, ``cache_dir`` and ``workers`` go for all of them.

    Returns:
        ``Images``, or a ``DomainPair``.

    Raises:
        ValueError: No such dataset or setting; the nearest name and the choices are in the text.
    """
    if name in (*PAIRS, "pair"):
        return _pair(name, program, settings)
    kind = DATASETS[known(name, (*DATASETS, *PAIRS, "pair"), "dataset")]
    choices = settings_of(kind)
    for setting in settings:
        known(setting, choices, f"setting of data {name}")
    return kind(program.image_shape, program.batch_size, **settings)


def _pair(name: str, program: TakesImages, settings: dict[str, Any]) -> DomainPair:
    """Return a pair of domains; what it does not take itself goes to both."""
    domains = dict(zip(("source", "target"), PAIRS.get(name, ({}, {})), strict=True))
    if name == "pair":
        domains = {role: as_settings(settings.pop(role, None), role) for role in domains}
    own = {key: settings.pop(key) for key in OWN[:2] if key in settings}
    kinds = [
        DATASETS[known(domain["name"], DATASETS, f"dataset for data.{role}")]
        for role, domain in domains.items()
    ]
    both = [setting for setting in settings_of(kinds[0]) if setting in settings_of(kinds[1])]
    for setting in settings:
        known(setting, (*OWN, *both), f"setting of data {name}")
    made = {
        role: datamodule(program=program, **{**settings, **domain})
        for role, domain in domains.items()
    }
    return DomainPair(name, **made, **own)


def settings_of(kind: type[Images]) -> tuple[str, ...]:
    """Return the names of the settings that a dataset takes."""
    parameters = [*inspect.signature(kind).parameters.values()]
    parameters += inspect.signature(Images).parameters.values()
    return tuple(dict.fromkeys(p.name for p in parameters if p.kind is p.KEYWORD_ONLY))
