"""What a classifier says of samples, added up, against the definitions."""

import pytest
import torch
from torch import Tensor

from ganzoo.evaluation.class_tally import ClassTally
from ganzoo.evaluation.statistics import BLOCKS, dealt


class Classes:
    """The features are the logits."""

    classes = 4

    def probabilities(self, features: Tensor) -> Tensor:
        return features.softmax(1)


def tallied(logits: Tensor, batch: int = 7) -> ClassTally:
    found = ClassTally(Classes())
    for part in logits.split(batch):
        found.update(part)
    return found


def logits(n: int, seed: int = 0, scale: float = 2.0) -> Tensor:
    return scale * torch.randn(n, 4, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("n", [20, 73])
def test_the_inception_score_is_its_definition(n):
    chances = logits(n).double().softmax(1)
    due = []
    for block in range(BLOCKS):
        own = chances[dealt(n) == block]
        apart = (own * (own.log() - own.mean(0).log())).sum(1).mean()
        due.append(float(apart.exp()))
    value, (low, high) = tallied(logits(n)).inception_score()
    assert value == pytest.approx(sum(due) / BLOCKS, rel=1e-6)
    assert low < value < high


def test_equals_torch_fidelity():
    fidelity = pytest.importorskip("torch_fidelity.metric_isc")
    features = logits(200)
    # its splits are runs of rows
    sorted_rows = torch.cat([features[dealt(200) == block] for block in range(BLOCKS)])
    theirs = fidelity.isc_features_to_metric(sorted_rows, splits=BLOCKS, shuffle=False)
    value, _ = tallied(features).inception_score()
    assert value == pytest.approx(theirs["inception_score_mean"], rel=1e-6)


def test_certain_classes_score_as_many_as_there_are():
    sure = torch.eye(4).repeat(50, 1) * 1e4  # whose other probabilities are exactly 0
    value, (low, high) = tallied(sure).inception_score()
    assert value == pytest.approx(4, rel=0.1)
    assert low <= value <= high
    in_turn = torch.eye(10).repeat(20, 1)[:, :4] * 1e4
    assert tallied(in_turn).inception_score()[0] > 1.5  # not one class to a block
    assert tallied(sure[::4]).inception_score()[0] == pytest.approx(1)


def test_covered_and_confident_are_counted():
    found = tallied(torch.tensor([[9.0, 0, 0, 0]] * 98 + [[0, 9.0, 0, 0]] + [[0, 0, 0.1, 0]]))
    assert found.covered() == 1
    assert found.confident() == 0.99
