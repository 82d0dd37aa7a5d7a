"""How a critic and what feeds it are trained by one loss, on two sides, through a reversal."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

from ganzoo.program import Program
from ganzoo.reversal.critic import Critic, Pieces

TRACED = 20  # losses of the first batches that are kept as they were


class ReversalProgram(Program):
    """The game of the posted critic; families say where its two sides come from.

    The critic raises its mean score of the target side above that of the source side. Whatever
    makes the features gets the reversed gradient of the same loss, so that one backward pass
    trains both against each other.

    Settings: ``critic_hidden`` (width), ``critic_steps`` (batches for each generator step),
    ``learning_rate``, ``penalty_weight``, ``reversal_weight``, ``ramp_alpha``, ``ramp_steps``.
    """

    settings = (
        "critic_hidden",
        "critic_steps",
        "batch_size",
        "learning_rate",
        "penalty_weight",
        "reversal_weight",
        "ramp_alpha",
        "ramp_steps",
    )

    critic_hidden: int = 512
    critic_steps: int
    critic_dropout: float
    learning_rate: float
    penalty_weight: float = 10.0  # Gulrajani et al. 2017, algorithm 1
    reversal_weight: float = 1.0
    ramp_alpha: float
    ramp_steps: int
    first_count: int
    adversarial: bool = True  # False: nothing of the game reaches the generator

    ramp: Callable[..., float]
    count_forward: Callable[[Critic], None]
    reverse: Callable[[Tensor, float], Tensor]
    enter: Callable[[Critic, Tensor], Tensor]
    leave: Callable[[Critic, Tensor], Tensor]
    set_coefficient: Callable[[], None]
    both_scores: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
    wasserstein_loss: Callable[[Tensor, Tensor], Tensor]
    critic_penalty: Callable[[Tensor, Tensor], Tensor]
    critic_slope: Callable[[Tensor], Tensor]
    before_critic_step: Callable[[], None]
    bound_critic: Callable[[], None]

    def __init__(self, scale: str = "quick", **settings: Any) -> None:
        super().__init__(scale, **settings)
        self.losses: list[float] = []
        self.largest_loss = torch.zeros(())
        self.last_loss = torch.zeros(())  # mean magnitude of the last batches

    @property
    def feature_length(self) -> int:
        """Return the length of a feature vector, which the critic reads."""
        raise NotImplementedError(f"{type(self).__name__} has no features")

    def sides(self, batch: Sequence[Tensor], moves: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Return source and target features (N, d), and the generator's own loss, a scalar.

        Args:
            batch: of the family's data.
            moves: whether the generator is stepped on this batch; if not, no graph is kept.
        """
        raise NotImplementedError(f"{type(self).__name__} has no sides")

    def make_critic(self) -> Critic:
        """Return the critic, with PyTorch's own initial weights."""
        pieces = Pieces(
            count=self.count_forward,
            enter=self.enter,
            leave=self.leave,
            reverse=self.reverse,
            ramp=partial(self.ramp, alpha=self.ramp_alpha, steps=self.ramp_steps),
            weight=self.reversal_weight,
            first_count=self.first_count,
            last_count=self.ramp_steps,
        )
        return Critic(self.feature_length, self.critic_hidden, self.critic_dropout, pieces)

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        generator_optimizer, critic_optimizer = self.both_optimizers()
        moves = self.batches_seen % self.critic_steps == 0
        self.set_coefficient()
        source, target, own_loss = self.sides(batch, moves)
        source, target = source.float(), target.float()  # a slope of half precision is too coarse
        if not self.adversarial:
            source, target = source.detach(), target.detach()
        # the posted hook fails on a tensor that needs no gradient
        source, target = (s if s.requires_grad else s.requires_grad_() for s in (source, target))
        target_scores, source_scores = self.both_scores(target, source)
        loss = self.wasserstein_loss(target_scores, source_scores)
        with torch.autocast(self.device.type, enabled=False):
            penalty = self.critic_penalty(source.detach(), target.detach())
        generator_optimizer.zero_grad()
        critic_optimizer.zero_grad()
        self.manual_backward(loss + penalty + own_loss)
        self.before_critic_step()
        critic_optimizer.step()
        self.bound_critic()
        if moves:
            generator_optimizer.step()
            self.generator_steps += 1
        self.keep_reversal(loss.detach().float(), own_loss.detach().float())

    def keep_reversal(self, loss: Tensor, own_loss: Tensor) -> None:
        """Keep this batch's loss, estimate and coefficient for the monitor."""
        if len(self.losses) < TRACED:
            self.losses.append(float(loss))
        # a NaN stays: maximum propagates it
        self.largest_loss = torch.maximum(self.largest_loss.to(loss.device), loss.abs())
        self.last_loss = torch.lerp(self.last_loss.to(loss.device), loss.abs(), 0.3)
        self.keep_losses(own_loss - loss, loss)
        self.readings["wasserstein"] = -loss
        self.readings["coefficient"] = torch.tensor(self.critic.coefficient)

    def evidence(self) -> dict[str, Any]:
        """Return the first losses, their sign changes, the largest magnitude, the directions.

        ``layer_cosines`` has, for each of the critic's tensors but the last bias, the cosine
        between its gradient and the one that its own objective asks for.
        """
        from ganzoo.reversal.oracles import layer_cosines  # which know this class

        signs = [math.copysign(1, loss) for loss in self.losses]
        return {
            "first_losses": list(self.losses),
            "sign_changes": sum(a != b for a, b in pairwise(signs)),
            "largest_loss": float(self.largest_loss),
            "last_loss": float(self.last_loss),
            "layer_cosines": layer_cosines(self),
        }

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        super().on_save_checkpoint(checkpoint)
        checkpoint["ganzoo"]["losses"] = (list(self.losses), self.largest_loss, self.last_loss)

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        super().on_load_checkpoint(checkpoint)
        self.losses, self.largest_loss, self.last_loss = checkpoint["ganzoo"]["losses"]
