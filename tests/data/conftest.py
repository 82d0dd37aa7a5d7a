"""What the tests of the datasets share."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

torch.set_num_threads(1)


class Takes:
    """What a dataset asks of a program."""

    def __init__(self, image_shape: tuple[int, int, int] = (3, 12, 10), batch_size: int = 4):
        self.image_shape = image_shape
        self.batch_size = batch_size


@pytest.fixture
def takes():
    return Takes


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("GANZOO_CACHE", str(folder))
    return folder


@pytest.fixture
def save():
    """Return a function that writes a picture of soft noise, known by its seed, and returns it."""

    def save(path: Path, seed: int = 0, size: tuple[int, int] = (20, 24), **how) -> Image.Image:
        path.parent.mkdir(parents=True, exist_ok=True)
        coarse = np.random.default_rng(seed).integers(0, 256, (6, 5, 3), dtype=np.uint8)
        image = Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)
        image.save(path, **how)
        return image

    return save
