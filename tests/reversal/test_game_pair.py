"""The files tell the truth: their differences are the catalogue, and nothing else."""

import inspect
import re

import pytest
import torch

from ganzoo.build import family_of
from ganzoo.data import BatchStream, draw_faces
from ganzoo.reversal import advised, buggy, fixed
from ganzoo.trial import trial
from ganzoo.wgan.fixed import FixedWGAN
from tests.dcgan.test_pair import pieces
from tests.reversal.conftest import FAMILIES, small

GAMES = {"buggy": buggy, "advised": advised, "fixed": fixed}
CASES = [(family, variant) for family in FAMILIES for variant in ("buggy", "advised")]


def modules(family, variant):
    """Return the two files of a variant: the shared game, and the family's own."""
    own = inspect.getmodule(family_of(family).FAULTS.classes[variant])
    return GAMES[variant], own


@pytest.mark.parametrize(("family", "variant"), CASES)
def test_all_faults_of_a_variant_grafted_are_that_variant_bit_for_bit(family, variant):
    catalogue = family_of(family).FAULTS
    classes = catalogue.graft(catalogue.presets[variant]), catalogue.classes[variant]
    programs = [small(family, cls) for cls in classes]
    seen = [trial(program, steps=4) for program in programs]
    assert seen[0] == seen[1]
    for one, other in zip(*(p.state_dict().values() for p in programs), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize(("family", "variant"), CASES)
def test_the_names_that_differ_are_those_that_the_faults_take(family, variant):
    catalogue = family_of(family).FAULTS
    differing = set()
    for theirs, ours in zip(modules(family, variant), modules(family, "fixed"), strict=True):
        left, right = pieces(theirs), pieces(ours)
        assert list(left) == list(right)
        differing |= {name for name in left if left[name] != right[name]}
    taken = {name for id in catalogue.presets[variant] for name in catalogue[id].takes}
    assert differing == taken


@pytest.mark.parametrize(("family", "variant"), CASES)
def test_the_tags_are_the_faults(family, variant):
    source = "".join(inspect.getsource(module) for module in modules(family, variant))
    presets = family_of(family).FAULTS.presets
    assert set(re.findall(r"# FAULT (\w+)", source)) == set(presets[variant])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_fixed_files_hold_no_tag(family):
    for module in modules(family, "fixed"):
        assert "# FAULT" not in inspect.getsource(module)


def test_a_donor_does_not_use_zero_argument_super():
    for family in FAMILIES:
        for fault in family_of(family).FAULTS.values():
            for name in fault.takes:
                piece = vars(fault.donor)[name]
                code = getattr(getattr(piece, "__func__", piece), "__code__", None)
                assert code is None or "__class__" not in code.co_freevars


def test_a_loop_written_by_hand_gives_the_losses_of_the_fixed_program():
    """Alternating steps with opposite losses are what the reversal does in one backward."""
    steps = 3
    program, twin = (small("wgan", FixedWGAN, critic_steps=1) for _ in range(2))
    trial(program, steps)
    images, _ = draw_faces(16, (8, 8))
    stream = BatchStream(images, torch.zeros(16), 8)
    torch.manual_seed(0)
    losses = by_hand(twin.generator, twin.critic, stream, steps)
    assert program.losses == pytest.approx(losses, rel=1e-5, abs=1e-6)
    for one, other in zip(program.generator.parameters(), twin.generator.parameters(), strict=True):
        assert torch.allclose(one, other, rtol=1e-4, atol=1e-6)


def by_hand(generator, critic, stream, steps):
    """Train with two backward passes of opposite losses and no reversal anywhere."""
    rates = {"lr": FixedWGAN.learning_rate, "betas": (0.0, 0.9)}
    g_adam = torch.optim.Adam(generator.parameters(), **rates)
    d_adam = torch.optim.Adam(critic.parameters(), **rates)
    losses = []
    for step in range(steps):
        reals = (stream.batch(step)[0] / 127.5 - 1).flatten(1)
        fakes = (2 * generator(torch.randn(len(reals), 64)) - 1).flatten(1)
        loss = critic.score(reals).mean() - critic.score(fakes.detach()).mean()
        share = torch.rand(len(reals), 1)
        between = (share * reals + (1 - share) * fakes.detach()).requires_grad_()
        (slope,) = torch.autograd.grad(critic.score(between).sum(), between, create_graph=True)
        penalty = 10 * ((slope.norm(dim=1) - 1) ** 2).mean()
        critic_gradients = torch.autograd.grad(loss + penalty, list(critic.parameters()))
        # the generator lowers D's estimate, E[D(fake)] - E[D(real)], weighted by the ramp
        weight = torch.tensor(0.5 * (step + 1) / 15).tanh()
        g_adam.zero_grad()
        (weight * critic.score(fakes).mean()).backward()
        for parameter, gradient in zip(critic.parameters(), critic_gradients, strict=True):
            parameter.grad = gradient
        g_adam.step()
        d_adam.step()
        losses.append(float(loss.detach()))
    return losses
