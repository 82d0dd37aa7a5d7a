"""The states of a program: each from its own signature, and named as the numbers say."""

import copy

import pytest
import torch
from torch import nn

from ganzoo.digit_outcome import outcome
from ganzoo.health import losses_and_gradients, measured, named, state_of
from ganzoo.image_program import digits_of
from ganzoo.mlp_gan.faults import FAULTS
from ganzoo.monitor import NetworkSeen, Seen
from ganzoo.trial import seeded_program
from ganzoo.wgan_gp.fixed import FixedWGANGP

SEEN = Seen(NetworkSeen(1, largest_norm=1.0), NetworkSeen(1))
WON = ("overtrained_critic", "unnormalised_generator")
HEALTHY = {
    "generator_loss": 0.9,
    "critic_loss": 1.2,
    "generator_gradient": 1.0,
    "generator_gradient_at_start": 0.1,
    "generator_gradient_largest": 3.0,
    "critic_accuracy": 0.7,
    "not_finite_at": None,
    "diversity": 0.95,
    "pixels_out_of_reach": 0.0,
    "moved": 1.0,
    "classes_covered": 10,
}


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "healthy"),
        ({"classes_covered": None}, "healthy"),
        ({"not_finite_at": 50}, "exploding"),
        ({"generator_loss": float("nan")}, "exploding"),
        ({"generator_gradient_largest": 2e4}, "exploding"),
        ({"pixels_out_of_reach": 0.4}, "range_mismatch"),
        ({"generator_gradient": 0.0, "generator_loss": 100.0}, "saturated"),
        ({"generator_gradient": 0.0, "critic_loss": 100.0}, "saturated"),
        ({"generator_gradient": 1e-5, "critic_accuracy": 1.0}, "vanishing"),
        ({"critic_accuracy": 1.0, "moved": 0.01, "diversity": 0.1}, "overpowered"),
        ({"moved": 0.01, "diversity": 0.1}, "untrained"),
        ({"diversity": 0.2}, "collapse"),
        ({"diversity": 0.9, "classes_covered": 2}, "collapse"),
        ({"diversity": 0.6}, "undecided"),
        ({"classes_covered": 6}, "undecided"),
        # a critic that is right is no collapse, nor is a small gradient beside good samples
        ({"critic_accuracy": 1.0}, "healthy"),
    ],
)
def test_a_state_is_named_by_its_signature(changes, name):
    assert named(HEALTHY | changes) == name


@pytest.mark.parametrize(
    ("ids", "steps", "name"),
    [
        ((*WON, "sigmoid_bce", "default_betas"), 100, "saturated"),
        ((*WON, "saturating_generator_loss"), 60, "vanishing"),
        (WON, 40, "overpowered"),
        (("range_mismatch",), 30, "range_mismatch"),
        (("log_of_zero", "overtrained_critic"), 55, "exploding"),
        (("clamped_critic", "unnormalised_generator"), 100, "collapse"),
    ],
)
def test_a_fault_leads_to_its_state(ids, steps, name):
    found = outcome(seeded_program(FAULTS.graft(ids), 0), steps)
    assert found.state.name == name, found.state.sentence
    assert "{" not in found.state.sentence


@pytest.mark.slow
def test_the_repaired_programs_are_healthy():
    found = outcome(seeded_program(FAULTS.fixed, 0), 700)
    assert (found.state.name, found.covered) == ("healthy", 10)
    found = outcome(seeded_program(FixedWGANGP, 0, layout="flat"), 150)
    assert found.state.name == "healthy"
    assert found.covered >= 8


def test_without_training_it_is_untrained():
    program = seeded_program(FAULTS.fixed, 0)
    reals = digits_of((1, 8, 8))[0][:64]
    assert state_of(program, copy.deepcopy(program), SEEN, reals, None).name == "untrained"


def test_an_examination_changes_nothing():
    program = seeded_program(FAULTS.fixed, 0).train()
    before = {name: value.clone() for name, value in program.state_dict().items()}
    random = torch.get_rng_state()
    measured(program, program, SEEN, digits_of((1, 8, 8))[0][:64])
    assert all(before[name].equal(value) for name, value in program.state_dict().items())
    assert all(p.grad is None for p in program.parameters())
    assert torch.equal(random, torch.get_rng_state())
    assert all(module.training for module in program.modules())
    assert not program.readings


def test_a_frozen_critic_has_no_gradient():
    program = seeded_program(FixedWGANGP, layout="flat")
    for parameter in program.critic.parameters():
        parameter.requires_grad_(False)
    found = losses_and_gradients(program, digits_of(program.image_shape)[0][:32])
    assert found["critic_gradient"] == 0
    assert found["generator_gradient"] > 0


def test_reach_is_that_of_the_last_layer():
    program = seeded_program(FAULTS.fixed, 0)
    reals = digits_of((1, 8, 8))[0][:64]
    assert measured(program, program, SEEN, reals)["pixels_out_of_reach"] == 0
    *layers, _, shape = program.generator
    program.generator = nn.Sequential(*layers, nn.Sigmoid(), shape)
    numbers = measured(program, program, SEEN, reals)
    below = float((reals < 125).float().mean())
    assert numbers["pixels_out_of_reach"] == pytest.approx(below, abs=0.02)


def test_accuracy_of_a_wasserstein_critic_has_no_fixed_middle():
    program = seeded_program(FixedWGANGP, 0)
    reals, fakes = torch.tensor([[11.0], [12.0]]), torch.tensor([[9.0], [8.0]])
    assert program.critic_accuracy(reals, fakes) == 1
    assert seeded_program(FAULTS.fixed, 0).critic_accuracy(reals, fakes) == 0.5
