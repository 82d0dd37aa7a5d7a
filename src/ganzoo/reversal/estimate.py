"""A critic trained alone on two sets of features: an estimate of their Wasserstein-1 distance."""

from collections.abc import Callable

import torch
from torch import Tensor

from ganzoo.reversal.base import ReversalProgram

Draw = Callable[[], tuple[Tensor, Tensor]]


def fit_critic(program: ReversalProgram, draw: Draw, steps: int) -> None:
    """Train a program's critic in place, by the program's own loss, penalty and optimiser.

    Args:
        program: its generator is not used.
        draw: gives source and target features, (N, d) each, for one step.
        steps: how many.
    """
    optimizer = program.configure_optimizers()[1]
    for _ in range(steps):
        program.set_coefficient()
        source, target = (side.detach().requires_grad_() for side in draw())
        loss = program.wasserstein_loss(*program.both_scores(target, source))
        loss = loss + program.critic_penalty(source.detach(), target.detach())
        optimizer.zero_grad()
        loss.backward()
        program.before_critic_step()
        optimizer.step()
        program.bound_critic()


@torch.no_grad()
def estimate(program: ReversalProgram, source: Tensor, target: Tensor) -> float:
    """Return the critic's estimate of the distance of two sets of features, (N, d) each.

    At its best under a penalty of weight w, a critic that is linear between the sides has a slope
    of 1 + W/(2w), so that the estimate is W (1 + W/(2w)) for a distance W.
    """
    critic = program.critic.eval()
    return float(critic.score(target).mean() - critic.score(source).mean())
