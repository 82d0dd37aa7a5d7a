"""The scores that features alone give."""

import logging
from functools import cache

from ganzoo.evaluation.class_tally import ClassTally
from ganzoo.evaluation.distances import Gaussian
from ganzoo.evaluation.extractors import Extractor
from ganzoo.evaluation.intervals import distance_interval, limit_of_distance
from ganzoo.evaluation.kernel import BLOCKS, kernel_distance
from ganzoo.evaluation.manifold import manifold
from ganzoo.evaluation.scores import Fields, Score, count_word
from ganzoo.evaluation.statistics import FeatureStatistics

NEIGHBOURS = 5  # Naeem et al. 2020, section 3.2.3

log = logging.getLogger(__name__)


def feature_scores(
    extractor: Extractor,
    real: FeatureStatistics,
    fake: FeatureStatistics,
    label: str,
    fields: Fields,
) -> list[Score]:
    """Return the scores that features alone give, in this order.

    - ``fd1k_lite0``: the squared Fréchet distance, with an interval (n at least 20);
    - ``fd_limit1k_lite0``: what it tends to for ever more samples (n above twice the features);
    - ``kd1k_lite0``: the squared kernel distance (``kid...`` for Inception's), n at least 20;
    - ``precision1k_lite0``, ``recall...``, ``density...``, ``coverage...``, ``nearest...``,
      ``copied...``, ``repeated...`` (n at least 6), with 5 neighbours.

    From 10,000 images on, all but the Fréchet distance are of the first 10,000. What needs rows of
    features is left out where one side is a mean and a covariance. See ``intervals.py``,
    ``kernel.py`` and ``manifold.py``.

    Args:
        extractor: which gave the features.
        real: of the real images.
        fake: of the samples.
        label: whose samples these are.
        fields: what fixes the numbers, for their fingerprints.
    """
    n, ready = fake.n, real.gaussian()
    warn_of_few(extractor, real, n)
    protocol = distance_protocol(extractor, n)
    distance = ready.distance(fake.gaussian())
    interval = distance_interval(ready, fake, distance) if n >= 2 * BLOCKS else None
    scores = [Score.of(protocol, distance, label, n, fields, interval)]
    tail = f"{count_word(n)}_{extractor.name}"
    if n > 2 * extractor.dimension:
        value, interval = limit_of_distance(ready, fake)
        word = distance_word("f", extractor)
        scores.append(Score.of(f"{word}_limit{tail}", value, label, n, fields, interval))
    least = min(len(real.rows), len(fake.rows))
    rows: Fields = fields | {"rows": least}
    if least >= 2 * BLOCKS:
        found = kernel_distance(real.rows, fake.rows)
        word = distance_word("k", extractor)
        blocks = rows | {"blocks": BLOCKS}
        scores.append(Score.of(f"{word}{tail}", found.value, label, n, blocks, found.interval))
    if least > NEIGHBOURS:
        near = rows | {"neighbours": NEIGHBOURS}
        for word, (value, span) in manifold(real.rows, fake.rows, NEIGHBOURS).scores().items():
            scores.append(Score.of(f"{word}{tail}", value, label, n, near, span))
    return scores


def class_scores(
    tally: ClassTally | None, extractor: Extractor, label: str, fields: Fields
) -> list[Score]:
    """Return what a classifier says of samples; nothing where the extractor is none.

    - ``is1k_digits``: the inception score, with an interval (n at least 20);
    - ``classes_covered``: how many classes get at least 2 % of the samples;
    - ``confident``: share of samples whose class has a probability above 0.9.

    The last two are only given where the classes are those that the images are meant to have.
    """
    if tally is None:
        return []
    n, scores = tally.n, []
    if n >= 2 * BLOCKS:
        value, interval = tally.inception_score()
        protocol = f"is{count_word(n)}_{extractor.name}"
        blocks = fields | {"blocks": BLOCKS}
        scores.append(Score.of(protocol, value, label, n, blocks, interval))
    if extractor.knows_data:
        scores.append(Score.of("classes_covered", tally.covered(), label, n, fields))
        scores.append(Score.of("confident", tally.confident(), label, n, fields))
    return scores


def warn_of_few(extractor: Extractor, real: FeatureStatistics, n: int) -> None:
    """Log a line where there are fewer samples than features, with the size of the bias."""
    d = extractor.dimension
    if n > d:
        return
    text = f"{n} images for {d} features: the distance is biased upwards: compare it at equal n"
    if real.complete and real.n >= 4:
        halves = (Gaussian.from_features(rows) for rows in (real.rows[::2], real.rows[1::2]))
        floor = next(halves).distance(next(halves))
        text += f" (two halves of the real images, {real.n // 2} each, lie {floor:.3g} apart)"
    warn_once(text)


@cache
def warn_once(text: str) -> None:
    """Log a warning, the first time that it comes in a process."""
    log.warning(text)


def distance_protocol(extractor: Extractor, n: int) -> str:
    """Return the name of the Fréchet distance of n samples: ``fd1k_lite0``."""
    return f"{distance_word('f', extractor)}{count_word(n)}_{extractor.name}"


def distance_word(letter: str, extractor: Extractor) -> str:
    """Return "fid" or "kid" for Inception's features, the only ones called so, else "fd", "kd"."""
    return f"{letter}{'i' if extractor.is_inception else ''}d"
