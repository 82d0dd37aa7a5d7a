"""Small programs for the experiments, always with the same weights."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import torch
from torch import Tensor

from ganzoo.digit_outcome import Outcome, outcome
from ganzoo.image_program import digits_of
from ganzoo.mlp_gan.faults import FAULTS
from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.trial import seeded_program

PLAIN = ("sigmoid_bce", "unnormalised_generator")  # the article's networks, with its loss
STRONG = {"critic_rate": 2e-3, "generator_rate": 5e-5}  # a critic that is ahead
SEEDS = (0, 1, 2)


def program_of(ids: Iterable[str] = (), seed: int = 0, **settings: Any) -> FixedMLPGAN:
    """Return the fixed program with some faults."""
    return seeded_program(FAULTS.graft(ids), seed, **settings)


def outcomes(ids: Iterable[str], steps: int, **settings: Any) -> tuple[Outcome, ...]:
    """Return what the program with some faults comes to, for each of three seeds."""
    return _outcomes(tuple(ids), steps, tuple(sorted(settings.items())))


@cache  # several claims have one baseline
def _outcomes(
    ids: tuple[str, ...], steps: int, settings: tuple[tuple[str, Any], ...]
) -> tuple[Outcome, ...]:
    return tuple(outcome(program_of(ids, seed, **dict(settings)), steps, seed) for seed in SEEDS)


def error_of(id: str) -> str:
    """Return the error by which a crash fault stops the fixed program, or nothing."""
    return FAULTS[id].seen_in(program_of([id]))


def some_digits(program: FixedMLPGAN, count: int = 64) -> Tensor:
    """Return real digits (count, C, H, W), uint8."""
    return digits_of(program.image_shape)[0][:count]


def critic_only(program: FixedMLPGAN, steps: int, optimizer: torch.optim.Optimizer) -> None:
    """Train the critic against a generator that stays as it is."""
    reals = program.reals_in_range(some_digits(program))
    with program.seeded(0):
        for _ in range(steps):
            fakes = program.generate(program.draw_latents(len(reals))).detach()
            optimizer.zero_grad()
            torch.autograd.backward(program.critic_loss(reals, fakes))
            program.before_critic_step()
            optimizer.step()
            program.after_critic_step()


def generator_gradient(program: FixedMLPGAN) -> float:
    """Return the norm of the generator's gradient on one batch of noise."""
    with program.seeded(1):
        loss = program.generator_loss(program.generate(program.draw_latents(64)))
    gradients = torch.autograd.grad(loss, list(program.generator.parameters()))
    return float(torch.nn.utils.get_total_norm(gradients))
