"""What a short training on handwritten digits comes to, as small experiments ask it."""

import copy
from dataclasses import dataclass
from statistics import mean, stdev

import torch

from ganzoo.evaluation import extractor
from ganzoo.evaluation.class_tally import ClassTally
from ganzoo.evaluation.distances import frechet_distance
from ganzoo.health import REALS, State, state_of
from ganzoo.image_program import ImageProgram, digits_of
from ganzoo.monitor import Seen
from ganzoo.trial import trial

SAMPLES = 500


@dataclass(frozen=True)
class Outcome:
    """What was reached: the state, and the distance in a digit classifier's features."""

    state: State
    distance: float
    covered: int
    seen: Seen

    @property
    def accuracy(self) -> float:
        """The critic's accuracy after training, in [0, 1]."""
        return self.state.evidence["critic_accuracy"]

    @property
    def diversity(self) -> float:
        """How far apart samples are, as a share of reals."""
        return self.state.evidence["diversity"]


def outcome(program: ImageProgram, steps: int, seed: int = 0) -> Outcome:
    """Return what a program of one colour comes to in some generator steps; it is trained."""
    start = copy.deepcopy(program)
    seen = trial(program, steps, seed=seed)
    pixels, _ = digits_of(program.image_shape)
    order = torch.randperm(len(pixels), generator=torch.Generator().manual_seed(0))
    reals = pixels[order[:SAMPLES]]
    fakes = program.sample(SAMPLES, seed=1)
    network = extractor("digits")
    features = network(fakes)
    tally = ClassTally(network)
    tally.update(features)
    covered = tally.covered()
    finite = bool(features.isfinite().all())
    distance = frechet_distance(network(reals), features) if finite else float("inf")
    return Outcome(state_of(program, start, seen, reals[:REALS], covered), distance, covered, seen)


def spread_of(values: list[float]) -> str:
    """Return mean and deviation over seeds, as a reason has them."""
    return f"{mean(values):.3g} ({stdev(values):.2g})" if len(values) > 1 else f"{values[0]:.3g}"
