"""The scores of a set of samples, each under a name that says how it is measured."""

from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import Tensor

from ganzoo.evaluation.class_tally import ClassTally
from ganzoo.evaluation.extractors import Extractor
from ganzoo.evaluation.feature_scores import class_scores, distance_protocol, feature_scores
from ganzoo.evaluation.images import CHUNK, HALVING, PixelStatistics, RealImages, halved
from ganzoo.evaluation.real_statistics import RealSide, real_statistics
from ganzoo.evaluation.scores import Fields, Score
from ganzoo.evaluation.statistics import BATCH, FeatureStatistics


def evaluate(
    sample: Callable[[int], Tensor],
    reals: Tensor,
    extractor: Extractor,
    label: str,
    cache_dir: str | Path,
    real_fields: Fields,
) -> list[Score]:
    """Return the scores of as many samples as there are real images.

    Everything comes from one pass of the samples. With n 1000, ``lite0`` features and label ``raw``
    these are, in order:

    - ``fd1k_lite0/raw``: squared Fréchet distance of the features; ``fid1k_inception_tf/raw`` where
      they are Inception's;
    - ``fd1k_lite0_half/raw``: the same for images halved in height and width on both sides, where
      fine texture weighs less;
    - ``deviation/raw`` and ``real_deviation/raw``: standard deviation of a pixel across images,
      averaged over pixels and channels, in [0, 0.5] for pixels in [0, 1];
    - ``mean_image_error/raw``: root mean square difference of the two mean images, in [0, 1];
    - what :func:`feature_scores` adds, and :func:`class_scores` of a classifier.

    Args:
        sample: gives n samples, uint8 (n, C, H, W); called for at most 250 at a time. Only its own
            calls draw random numbers. ``ganzoo.evaluation.sampler`` makes one of a generator.
        reals: uint8 (n, C, H, W), n at least 2, of the samples' size.
        extractor: gives features of an image.
        label: whose samples these are: ``raw``, ``averaged``, ``untrained``.
        cache_dir: folder where statistics of the real images are kept.
        real_fields: what the real images are, for the fingerprints; ``reals`` at least, which must
            differ wherever they do.

    Raises:
        ValueError: for images of a wrong dtype or shape, fewer than two, or features that are not
            finite.

    Source: Heusel et al., GANs Trained by a Two Time-Scale Update Rule, 2017, equation 6.
    """
    images = RealImages.of(reals)
    real = real_statistics(extractor, images, cache_dir, real_fields)
    return scores_beside(real, sample, images, extractor, label, real_fields)


@torch.no_grad()
def scores_beside(
    real: RealSide,
    sample: Callable[[int], Tensor],
    reals: RealImages,
    extractor: Extractor,
    label: str,
    real_fields: Fields,
) -> list[Score]:
    """Return what :func:`evaluate` does, beside statistics of the real images that are at hand."""
    n = reals.n
    pixels: Fields = {**real_fields, "n": n}
    fake = Pass(extractor)
    for chunk in _chunks(sample, reals):
        fake.update(chunk)

    protocol = distance_protocol(extractor, n)
    half = real.half.gaussian().distance(fake.half.gaussian())
    image_error = (real.pixels.mean() - fake.pixels.mean()).square().mean().sqrt().item()
    features = pixels | extractor.fields
    first, *others = feature_scores(extractor, real.full, fake.full, label, features)
    return [
        first,
        Score.of(f"{protocol}_half", half, label, n, features | {"halving": HALVING}),
        Score.of("deviation", fake.pixels.deviation(), label, n, pixels),
        Score.of("real_deviation", real.pixels.deviation(), label, n, pixels),
        Score.of("mean_image_error", image_error, label, n, pixels),
        *others,
        *class_scores(fake.tally, extractor, label, features),
    ]


class Pass:
    """One pass over samples, and all that their scores need of it."""

    def __init__(self, extractor: Extractor) -> None:
        self.extractor = extractor
        self.full = FeatureStatistics(extractor.dimension)
        self.half = FeatureStatistics(extractor.dimension, 1)
        self.tally = ClassTally(extractor) if extractor.classes else None
        self.pixels = PixelStatistics()

    def update(self, images: Tensor) -> None:
        """Add images, uint8 (N, C, H, W)."""
        self.pixels.update(images)
        for batch in images.split(BATCH):
            features = self.extractor(batch)
            self.full.update(features)
            self.half.update(self.extractor(halved(batch)))
            if self.tally is not None:
                self.tally.update(features)


def _chunks(sample: Callable[[int], Tensor], reals: RealImages) -> Iterator[Tensor]:
    for start in range(0, reals.n, CHUNK):
        due = (min(CHUNK, reals.n - start), *reals.shape)
        images = sample(due[0])
        if images.shape != due:
            raise ValueError(
                f"sample({due[0]}) gave images of shape {tuple(images.shape)} where {due} is due: "
                "samples are compared with real images of their own size"
            )
        yield images
