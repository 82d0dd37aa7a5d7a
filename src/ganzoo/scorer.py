"""Scores of a run's program against the real images of its data."""

from collections.abc import Iterator
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from ganzoo.evaluation import Extractor, Score
from ganzoo.evaluation.distances import Gaussian
from ganzoo.evaluation.images import CHUNK, RealImages
from ganzoo.evaluation.protocols import scores_beside
from ganzoo.evaluation.real_statistics import RealSide, real_statistics
from ganzoo.evaluation.scores import Fields
from ganzoo.evaluation.statistics import FeatureStatistics
from ganzoo.program import Program

if TYPE_CHECKING:
    from ganzoo.data import Images


class Scorer:
    """Scores programs; the real side is measured once, and kept on disk.

    Args:
        extractor: gives features of an image.
        data: of the real images, set up.
        n: how many samples, and as many real images.
    """

    def __init__(self, extractor: Extractor, data: "Images", n: int) -> None:
        self.extractor, self.data, self.n = extractor, data, n

    @property
    def fields(self) -> Fields:
        """What the real images are, for fingerprints."""
        described = self.data.describe()
        known = {"reals": self.data.fingerprint, "data": described["name"]}
        return known | {key: str(described.get(key)) for key in ("split", "crop", "size")}

    @property
    def reals(self) -> RealImages:
        """The real images, read a few at a time."""

        def read() -> Iterator[Tensor]:
            for start in range(0, self.n, CHUNK):
                yield self.data.reals(min(CHUNK, self.n - start), start)

        return RealImages(self.n, self.data.image_shape, read)

    @cached_property
    def real(self) -> RealSide:
        """Statistics of the real images: once a run, also where no cache can be kept."""
        cache = self.data.cache_dir / "features"
        return real_statistics(self.extractor, self.reals, cache, self.fields)

    @cached_property
    def real_gaussian(self) -> Gaussian:
        """The real side's Gaussian, whose root is made once."""
        return self.real.full.gaussian()

    @torch.no_grad()
    def distance(self, program: Program, seed: int, averaged: bool) -> float:
        """Return the squared Fréchet distance of n samples.

        Args:
            program: what is sampled; it and the global random state stay as they are.
            seed: of the latents.
            averaged: whether the averaged generator is sampled.
        """
        found = FeatureStatistics.of_images(
            self.extractor, chunks(program, self.n, seed, averaged), blocks=1
        )
        return self.real_gaussian.distance(found.gaussian())

    def distances(self, program: Program, seed: int) -> list[float]:
        """Return the distance of the averaged generator, where one is kept, then of the raw one."""
        kinds = (False,) if program.averaged_generator() is None else (True, False)
        return [self.distance(program, seed, averaged) for averaged in kinds]

    def scores(self, program: Program, start: Program) -> list[Score]:
        """Return the scores of the untrained, the raw and, where one is kept, the averaged one."""
        programs = {"untrained": (start, False), "raw": (program, False)}
        if program.averaged_generator() is not None:
            programs["averaged"] = (program, True)
        found: list[Score] = []
        for label, (each, averaged) in programs.items():
            seeds = count(1)  # each chunk of samples gets latents of its own; grids have seed 0

            def sample(
                n: int, each: Program = each, averaged: bool = averaged, seeds: Any = seeds
            ) -> Tensor:
                return each.sample(n, seed=next(seeds), averaged=averaged)

            found += scores_beside(
                self.real, sample, self.reals, self.extractor, label, self.fields
            )
        return found


def chunks(program: Program, n: int, seed: int, averaged: bool) -> Iterator[Tensor]:
    """Yield n samples of a program, uint8 (N, C, H, W), a few at a time."""
    for start in range(0, n, CHUNK):
        yield program.sample(min(CHUNK, n - start), seed + start, averaged)
