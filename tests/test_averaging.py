"""The moving average against its formula."""

import pytest
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

from ganzoo.averaging import MovingAverage


def test_it_follows_the_formula_with_a_short_memory_at_first():
    model = nn.Linear(1, 1, bias=False)
    averaged = AveragedModel(model, multi_avg_fn=MovingAverage(0.5), use_buffers=True)
    expected = None
    for step in range(20):
        with torch.no_grad():
            model.weight.fill_(float(step))
        averaged.update_parameters(model)
        decay = min(0.5, (1 + step) / (10 + step))
        expected = float(step) if expected is None else decay * expected + (1 - decay) * step
    assert float(averaged.module.weight.detach()) == pytest.approx(expected)
