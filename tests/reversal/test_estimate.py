"""The critic alone: its estimate between two Gaussians against the penalty's closed form."""

import pytest
import torch

from ganzoo.adapt.faults import FAULTS
from ganzoo.reversal.estimate import estimate, fit_critic

SHIFT = torch.tensor([3.0, 4.0])


def fitted(*ids: str) -> float:
    torch.manual_seed(0)
    program = FAULTS.graft(ids)(features=2, critic_hidden=32)
    rows = torch.Generator().manual_seed(1)

    def draw():
        return torch.randn(512, 2, generator=rows), torch.randn(512, 2, generator=rows) + SHIFT

    fit_critic(program, draw, 1600)
    sides = torch.randn(20_000, 2, generator=rows), torch.randn(20_000, 2, generator=rows) + SHIFT
    return estimate(program, *sides)


def test_the_fixed_critic_finds_the_distance_of_two_gaussians():
    # W1 of N(0, I) and N((3, 4), I) is 5; at weight 10 the best linear critic's slope is 1 + 5/20
    assert fitted() == pytest.approx(5 * (1 + 5 / 20), rel=0.03)


def test_a_reversal_before_the_last_layer_does_not():
    assert abs(fitted("reversal_before_last_layer") - 6.25) > 1
