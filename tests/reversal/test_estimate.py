"""The critic alone: its estimate between two Gaussians against the penalty's closed form."""

import pytest
import torch

from ganzoo.adapt.faults import FAULTS
from ganzoo.reversal.estimate import estimate, fit_critic

SHIFT = torch.tensor([3.0, 4.0])


def fitted(*ids: str) -> float:
    torch.manual_seed(0)
    program = FAULTS.graft(ids)(features=2, critic_hidden=32, learning_rate=5e-4)
    rows = torch.Generator().manual_seed(1)

    def draw():
        return torch.randn(512, 2, generator=rows), torch.randn(512, 2, generator=rows) + SHIFT

    fit_critic(program, draw, 1600)
    sides = torch.randn(20_000, 2, generator=rows), torch.randn(20_000, 2, generator=rows) + SHIFT
    return estimate(program, *sides)


def test_the_fixed_critic_finds_the_distance_of_two_gaussians():
    # W1 of N(0, I) and N((3, 4), I) is 5; at weight 10 the best linear critic's slope is 1 + 5/20
    assert fitted() == pytest.approx(5 * (1 + 5 / 20), rel=0.03)


@pytest.mark.slow
def test_a_reversal_before_the_last_layer_does_not():
    assert abs(fitted("reversal_before_last_layer") - 6.25) > 1


def test_the_slope_and_the_penalty_of_a_linear_critic():
    torch.manual_seed(0)
    program = FAULTS.fixed(features=3, critic_hidden=8).double()
    with torch.no_grad():
        for parameter in program.critic.parameters():
            parameter.abs_()  # with features above 0 no unit is cut off: the critic is linear
    first, second = (program.critic.hide[k].weight for k in (0, 3))
    slope = float((program.critic.judge.weight @ second @ first).norm().detach())
    points = torch.rand(5, 3, dtype=torch.float64, requires_grad=True)
    assert torch.allclose(program.critic_slope(points), torch.tensor(slope, dtype=torch.float64))
    penalty = float(program.critic_penalty(points.detach(), points.detach() + 1).detach())
    assert penalty == pytest.approx(10 * (slope - 1) ** 2, rel=1e-9)


def test_the_penalty_is_safe_where_the_slope_is_zero():
    program = FAULTS.fixed(features=3, critic_hidden=8)
    with torch.no_grad():
        program.critic.judge.weight.zero_()
    penalty = program.critic_penalty(torch.rand(4, 3), torch.rand(4, 3))
    assert float(penalty.detach()) == pytest.approx(10)
    penalty.backward()
    assert all(p.grad.isfinite().all() for p in program.critic.parameters() if p.grad is not None)
