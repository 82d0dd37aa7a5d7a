"""How close samples are to real images, as scores that carry how they were measured."""

from ganzoo.evaluation.distances import frechet_distance
from ganzoo.evaluation.extractors import Extractor, extractor
from ganzoo.evaluation.metrics import FrechetDistance
from ganzoo.evaluation.protocols import evaluate
from ganzoo.evaluation.sampler import sampler
from ganzoo.evaluation.scores import Score

__all__ = [
    "Extractor",
    "FrechetDistance",
    "Score",
    "evaluate",
    "extractor",
    "frechet_distance",
    "sampler",
]
