"""The scores of a set of samples, each under a name that says how it is measured."""

from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import Tensor

from ganzoo.evaluation.distances import frechet_distance
from ganzoo.evaluation.extractors import Extractor
from ganzoo.evaluation.images import HALVING, PixelStatistics, checked
from ganzoo.evaluation.kernel import BLOCKS, kernel_distance
from ganzoo.evaluation.manifold import manifold
from ganzoo.evaluation.real_features import both_features, real_features
from ganzoo.evaluation.scores import Score, count_word

# Samples at hand at one time: 29 MB at 218x178 in RGB.
CHUNK = 250
NEIGHBOURS = 5  # Naeem et al. 2020, section 3.2.3
LEAST_SHARE = 0.02  # of the samples that makes a class covered; a fifth of an even share of ten

Fields = dict[str, str | int]


@torch.no_grad()
def evaluate(
    sample: Callable[[int], Tensor],
    reals: Tensor,
    extractor: Extractor,
    label: str,
    cache_dir: str | Path,
    real_fingerprint: str,
) -> list[Score]:
    """Return the scores of as many samples as there are real images.

    With n 1000, ``lite0`` features and label ``raw`` these are, in order:

    - ``fd1k_lite0/raw``: squared Fréchet distance of the features; ``fid1k_inception/raw`` where
      they are Inception's;
    - ``fd1k_lite0_half/raw``: the same for images halved in height and width on both sides, where
      fine texture weighs less;
    - ``deviation/raw`` and ``real_deviation/raw``: standard deviation of a pixel across images,
      averaged over pixels and channels, in [0, 0.5] for pixels in [0, 1];
    - ``mean_image_error/raw``: root mean square difference of the two mean images, in [0, 1].

    From the same features, where there are enough images:

    - ``kd1k_lite0/raw`` (n at least 20): the squared kernel distance (``kid...`` for Inception's),
      with an interval from ten disjoint blocks; see ``kernel.py``;
    - ``precision1k_lite0/raw``, ``recall...``, ``density...``, ``coverage...`` (n at least 6), with
      5 neighbours; see ``manifold.py``.

    An extractor that is a classifier adds

    - ``classes_covered/raw``: how many classes get at least 2 % of the samples;
    - ``confident/raw``: share of samples whose class has a probability above 0.9.

    Only the kernel distance has an interval. Drawing the samples again with replacement repeats
    some of them, which makes their covariance poorer and moves the Fréchet distance by ten times
    its spread and more (of 1280 ReLU features: up by 10 % at n 200 and by 30 % at n 1000, with a
    spread of 1 %), so that the usual bootstrap interval would lie beside the value.

    Args:
        sample: gives n samples, uint8 (n, C, H, W); called for at most 250 at a time. Only its own
            calls draw random numbers.
        reals: uint8 (n, C, H, W), n at least 2, of the samples' size.
        extractor: gives features of an image.
        label: whose samples these are: ``raw``, ``averaged``, ``untrained``.
        cache_dir: folder where features of the real images are kept.
        real_fingerprint: of the real images, from their data set.

    Raises:
        ValueError: for images of a wrong dtype or shape, fewer than two, or features that are not
            finite.

    Source: Heusel et al., GANs Trained by a Two Time-Scale Update Rule, 2017, equation 6.
    """
    n = len(checked(reals))
    if n < 2 or min(reals.shape[2:]) < 2:
        raise ValueError(
            f"real images of shape {tuple(reals.shape)}: give at least 2, of at least 2x2 pixels"
        )
    real_pixels, fake_pixels = PixelStatistics(), PixelStatistics()
    for chunk in reals.split(CHUNK):
        real_pixels.update(chunk)
    real = real_features(extractor, reals, cache_dir, real_fingerprint)
    fake = both_features(extractor, _samples(sample, reals, fake_pixels))

    distance = f"{distance_word('f', extractor)}{count_word(n)}_{extractor.name}"
    image_error = (real_pixels.mean() - fake_pixels.mean()).square().mean().sqrt().item()
    pixels: Fields = {"reals": real_fingerprint, "n": n}
    features: Fields = pixels | {"extractor": extractor.fingerprint}
    full = frechet_distance(real["full"], fake["full"])
    half = frechet_distance(real["half"], fake["half"])
    scores = [
        Score.of(distance, full, label, n, features),
        Score.of(f"{distance}_half", half, label, n, features | {"halving": HALVING}),
        Score.of("deviation", fake_pixels.deviation(), label, n, pixels),
        Score.of("real_deviation", real_pixels.deviation(), label, n, pixels),
        Score.of("mean_image_error", image_error, label, n, pixels),
    ]
    scores += feature_scores(extractor, real["full"], fake["full"], label, features)
    if extractor.classes:
        chances = extractor.probabilities(fake["full"].float())
        sure = float((chances.max(1).values > 0.9).float().mean())
        scores.append(Score.of("classes_covered", classes_covered(chances), label, n, features))
        scores.append(Score.of("confident", sure, label, n, features))
    return scores


def classes_covered(probabilities: Tensor) -> int:
    """Return how many classes get at least 2 % of the samples, from probabilities (n, classes)."""
    n, classes = probabilities.shape
    shares = probabilities.argmax(1).bincount(minlength=classes) / n
    return int((shares >= LEAST_SHARE).sum())


def feature_scores(
    extractor: Extractor, real: Tensor, fake: Tensor, label: str, fields: Fields
) -> list[Score]:
    """Return the kernel distance, precision, recall, density and coverage of features.

    Args:
        extractor: which gave the features.
        real: features (n, d).
        fake: features (m, d).
        label: whose samples these are.
        fields: what fixes the numbers, for their fingerprints.
    """
    least, n = min(len(real), len(fake)), len(fake)
    tail = f"{count_word(n)}_{extractor.name}"
    scores: list[Score] = []
    if least >= 2 * BLOCKS:
        found = kernel_distance(real, fake)
        protocol = f"{distance_word('k', extractor)}{tail}"
        blocks = fields | {"blocks": BLOCKS}
        scores.append(Score.of(protocol, found.value, label, n, blocks, found.interval))
    if least > NEIGHBOURS:
        near = fields | {"neighbours": NEIGHBOURS}
        lies = vars(manifold(real, fake, NEIGHBOURS))
        scores += [Score.of(f"{word}{tail}", value, label, n, near) for word, value in lies.items()]
    return scores


def _samples(
    sample: Callable[[int], Tensor], reals: Tensor, pixels: PixelStatistics
) -> Iterator[Tensor]:
    for start in range(0, len(reals), CHUNK):
        due = (min(CHUNK, len(reals) - start), *reals.shape[1:])
        images = sample(due[0])
        if images.shape != due:
            raise ValueError(
                f"sample({due[0]}) gave images of shape {tuple(images.shape)} where {due} is due: "
                "samples are compared with real images of their own size"
            )
        pixels.update(images)
        yield images


def distance_word(letter: str, extractor: Extractor) -> str:
    """Return "fid" or "kid" for Inception's features, the only ones called so, else "fd", "kd"."""
    return f"{letter}{'i' if extractor.name == 'inception' else ''}d"
