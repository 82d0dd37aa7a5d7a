"""The posted critic: two hidden layers on features, and a reversal at a place of choice."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor, nn


@dataclass(frozen=True)
class Pieces:
    """What a program puts around the critic's layers.

    Attributes:
        count: called with the critic at every forward.
        enter: called with the critic and the features; returns the features.
        leave: called with the critic and the last hidden layer's output; returns that.
        reverse: from a tensor and a coefficient to the tensor with its gradient reversed.
        ramp: from a count to the coefficient.
        weight: what the ramp is multiplied by.
        first_count: the count of the first training forward.
        last_count: the count at which the ramp ends.
    """

    count: Callable[["Critic"], None]
    enter: Callable[["Critic", Tensor], Tensor]
    leave: Callable[["Critic", Tensor], Tensor]
    reverse: Callable[[Tensor, float], Tensor]
    ramp: Callable[[int], float]
    weight: float
    first_count: int
    last_count: int


class Critic(nn.Module):
    """Features (N, in_features) to scores (N, 1).

    Args:
        in_features: length of a feature vector.
        hidden: width of the two hidden layers.
        dropout: probability in [0, 1) after each of them.
        pieces: what happens around the layers.

    Attributes:
        forwards: training forwards that ``pieces.count`` has counted.
        coefficient: of the reversal, as last set.
    """

    def __init__(self, in_features: int, hidden: int, dropout: float, pieces: "Pieces") -> None:
        super().__init__()
        self.pieces = pieces
        self.forwards = pieces.first_count - 1
        self.coefficient = 0.0
        self.hide = nn.Sequential(
            nn.Linear(in_features, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
        )
        self.judge = nn.Linear(hidden, 1)

    def forward(self, features: Tensor) -> Tensor:
        self.pieces.count(self)
        hidden = self.hide(self.pieces.enter(self, features))
        return self.judge(self.pieces.leave(self, hidden))

    def score(self, features: Tensor) -> Tensor:
        """Return the scores without any reversal, as a penalty or an estimate needs them."""
        return self.judge(self.hide(features))
