"""The penalty against closed forms, flat and 4-D, and where it used to break."""

import pytest
import torch
from torch import nn

from ganzoo.wgan_gp.faults import FAULTS
from tests.article.conftest import grafted, small

SHAPES = {"flat": (5, 12), "images": (5, 3, 2, 2)}


def linear(layout: str, ids: tuple[str, ...] = ()):
    """Return a program in float64 whose critic is linear, with its weights (12,)."""
    program = grafted("wgan_gp", *ids, layout=layout, image_channels=3, image_size=4).double()
    layer = nn.Linear(12, 1, dtype=torch.float64)
    program.critic = nn.Sequential(nn.Flatten(), layer) if layout == "images" else layer
    return program, layer.weight.detach().flatten()


@pytest.mark.parametrize("layout", SHAPES)
def test_the_penalty_of_a_linear_critic_is_its_closed_form(layout):
    program, weights = linear(layout)
    reals, fakes = torch.rand(2, *SHAPES[layout], dtype=torch.float64)
    penalty = float(program.critic_penalty(reals, fakes).detach())
    # the slope of a linear critic is its weight's norm everywhere
    assert penalty == pytest.approx(10 * (float(weights.norm()) - 1) ** 2, abs=1e-6)


def test_the_printed_penalty_is_another_number():
    program, weights = linear("images", ("per_pixel_penalty",))
    reals, fakes = torch.rand(2, *SHAPES["images"], dtype=torch.float64)
    penalty = float(program.critic_penalty(reals, fakes).detach())
    per_pixel = weights.view(3, 2, 2).norm(dim=0)
    assert penalty == pytest.approx(10 * float((per_pixel - 1).square().mean()), abs=1e-6)
    assert abs(penalty - 10 * (float(weights.norm()) - 1) ** 2) > 0.1


@pytest.mark.parametrize("layout", SHAPES)
def test_points_lie_between_the_sides_one_share_for_an_image(layout):
    program = grafted("wgan_gp", layout=layout)
    reals, fakes = torch.zeros(SHAPES[layout]), torch.ones(SHAPES[layout])
    points = torch.lerp(reals, fakes, program.share(reals)).flatten(1)
    assert (points == points[:, :1]).all()
    assert len(points[:, 0].unique()) == 5
    assert ((points >= 0) & (points < 1)).all()


@pytest.mark.parametrize("layout", SHAPES)
def test_a_level_critic_has_a_finite_gradient(layout):
    program, _ = linear(layout)
    with torch.no_grad():
        for parameter in program.critic.parameters():
            parameter.zero_()
    reals, fakes = torch.rand(2, *SHAPES[layout], dtype=torch.float64)
    penalty = program.critic_penalty(reals, fakes)
    assert float(penalty.detach()) == pytest.approx(10)
    penalty.backward()
    assert all(p.grad.isfinite().all() for p in program.critic.parameters() if p.grad is not None)


def test_the_penalty_trains_no_generator():
    program = small(FAULTS.fixed)
    fakes = program.generate(program.draw_latents(4))
    program.critic_penalty(torch.zeros_like(fakes), fakes).backward()
    assert all(p.grad is None for p in program.generator.parameters())
    assert any(p.grad is not None for p in program.critic.parameters())


def test_unequal_sides_count_as_many_as_the_smaller():
    program, weights = linear("flat")
    reals, fakes = torch.rand(5, 12).double(), torch.rand(3, 12).double()
    penalty = float(program.critic_penalty(reals, fakes).detach())
    assert penalty == pytest.approx(10 * (float(weights.norm()) - 1) ** 2, abs=1e-6)


def test_the_measured_slope_is_that_of_an_image_whatever_the_penalty():
    program, weights = linear("images", ("per_pixel_penalty",))
    reals, fakes = torch.rand(2, *SHAPES["images"], dtype=torch.float64)
    assert float(program.seen_slope(reals, fakes)) == pytest.approx(float(weights.norm()))


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"layout": "flatt"}, "no layout 'flatt'. Did you mean 'flat'"),
        ({"image_size": 6}, "image_size is a multiple of 4, not 6"),
        ({"image_channels": 2}, "image_channels is 1 or 3, not 2"),
    ],
)
def test_what_is_wrong_is_named(settings, text):
    with pytest.raises(ValueError, match=text):
        small(FAULTS.fixed, **settings)
