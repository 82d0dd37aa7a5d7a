"""The moving average that an averaged generator follows."""

from typing import Any

from torch import Tensor
from torch.optim.swa_utils import get_ema_multi_avg_fn


class MovingAverage:
    """An exponential moving average for ``AveragedModel``, short at first.

    Early on it looks back over a tenth of the steps at most, so that the weights before training
    are soon forgotten (as TensorFlow's ``ExponentialMovingAverage`` does with ``num_updates``).

    Args:
        decay: of the average in the long run, in [0, 1).
    """

    def __init__(self, decay: float) -> None:
        self.decay = decay

    def __call__(self, averaged: Any, current: Any, steps: Tensor | int) -> None:
        decay = min(self.decay, (1 + int(steps)) / (10 + int(steps)))
        get_ema_multi_avg_fn(decay)(averaged, current, steps)
