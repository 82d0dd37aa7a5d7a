"""The moving average that an averaged generator follows."""

import torch
from torch import Tensor


class MovingAverage:
    """An exponential moving average for ``AveragedModel``, short at first.

    Early on it looks back over a tenth of the steps at most, so that the weights before training
    are soon forgotten (as TensorFlow's ``ExponentialMovingAverage`` does with ``num_updates``).

    Args:
        decay: of the average in the long run, in [0, 1).
    """

    def __init__(self, decay: float) -> None:
        self.decay = decay

    def __call__(self, averaged: list[Tensor], current: list[Tensor], steps: Tensor | int) -> None:
        decay = min(self.decay, (1 + int(steps)) / (10 + int(steps)))
        if torch.is_floating_point(averaged[0]):
            torch._foreach_lerp_(averaged, current, 1 - decay)
        else:  # counters are not averaged
            torch._foreach_copy_(averaged, current)
