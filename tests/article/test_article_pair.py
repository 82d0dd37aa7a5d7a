"""The files tell the truth: their differences are the catalogue, and nothing else."""

import inspect
import re

import pytest
import torch
from torch.nn import functional

import ganzoo
from ganzoo.build import family_of
from ganzoo.data import BatchStream
from ganzoo.image_program import digits_of
from ganzoo.trial import trial
from tests.article.conftest import FAMILIES, VARIANTS, small
from tests.dcgan.test_pair import pieces


def catalogue_of(family):
    return family_of(family).FAULTS


@pytest.mark.parametrize(("family", "variant"), VARIANTS)
def test_all_faults_of_a_variant_grafted_are_that_variant_bit_for_bit(family, variant):
    catalogue = catalogue_of(family)
    classes = catalogue.graft(catalogue.presets[variant]), catalogue.classes[variant]
    programs = [small(cls) for cls in classes]
    seen = [trial(program, steps=3) for program in programs]
    assert seen[0] == seen[1]
    for one, other in zip(*(p.state_dict().values() for p in programs), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize(("family", "variant"), VARIANTS)
def test_the_names_that_differ_are_those_that_the_faults_take(family, variant):
    catalogue = catalogue_of(family)
    theirs, ours = (
        pieces(inspect.getmodule(catalogue.classes[name])) for name in (variant, "fixed")
    )
    assert list(theirs) == list(ours)
    taken = {name for id in catalogue.presets[variant] for name in catalogue[id].takes}
    assert {name for name in ours if theirs[name] != ours[name]} == taken


@pytest.mark.parametrize(("family", "variant"), VARIANTS)
def test_the_tags_are_the_faults(family, variant):
    catalogue = catalogue_of(family)
    source = inspect.getsource(inspect.getmodule(catalogue.classes[variant]))
    assert set(re.findall(r"# FAULT (\w+)", source)) == set(catalogue.presets[variant])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_fixed_file_holds_no_tag(family):
    assert "# FAULT" not in inspect.getsource(inspect.getmodule(catalogue_of(family).fixed))


def test_a_donor_does_not_use_zero_argument_super():
    for family in FAMILIES:
        for fault in catalogue_of(family).values():
            for name in fault.takes:
                code = getattr(vars(fault.donor)[name], "__code__", None)
                assert code is None or "__class__" not in code.co_freevars


def test_the_article_has_no_answer_to_its_penalty():
    assert "advised_wgan_gp" not in ganzoo.models()
    with pytest.raises(
        ValueError, match=r"no model 'advised_wgan_gp'. Did you mean 'advised_wgan'"
    ):
        ganzoo.build("advised_wgan_gp")


def stream(batch):
    pixels, labels = digits_of((1, 8, 8))
    return BatchStream(pixels, labels, batch)


def test_a_loop_written_by_hand_gives_the_losses_of_the_fixed_gan():
    program, twin = (small(catalogue_of("mlp_gan").fixed) for _ in range(2))
    steps = 4
    trial(program, steps)
    rates = {"lr": 2e-4, "betas": (0.5, 0.999)}
    g_adam = torch.optim.Adam(twin.generator.parameters(), **rates)
    d_adam = torch.optim.Adam(twin.critic.parameters(), **rates)
    torch.manual_seed(0)
    for step in range(steps):
        reals = stream(8).batch(step)[0] / 127.5 - 1
        fakes = twin.generator(torch.randn(8, 4))
        d_loss = functional.softplus(-twin.critic(reals)).mean()
        d_loss = d_loss + functional.softplus(twin.critic(fakes.detach())).mean()
        d_adam.zero_grad()
        d_loss.backward()
        d_adam.step()
        g_loss = functional.softplus(-twin.critic(fakes)).mean()
        g_adam.zero_grad()
        g_loss.backward()
        g_adam.step()
    assert float(program.readings["g_loss"]) == pytest.approx(float(g_loss.detach()), rel=1e-5)
    assert float(program.readings["d_loss"]) == pytest.approx(float(d_loss.detach()), rel=1e-5)
    # not the generator's: Adam follows the rounding of a bias that BatchNorm takes out again
    for one, other in zip(program.critic.parameters(), twin.critic.parameters(), strict=True):
        assert torch.allclose(one, other, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("layout", ["images", "flat"])
def test_a_loop_written_by_hand_gives_the_losses_of_the_fixed_wgan_gp(layout):
    settings = {"layout": layout, "critic_steps": 2}
    program, twin = (small(catalogue_of("wgan_gp").fixed, **settings) for _ in range(2))
    trial(program, 2)
    rates = {"lr": 5e-4, "betas": (0.0, 0.9)}
    g_adam = torch.optim.Adam(twin.generator.parameters(), **rates)
    d_adam = torch.optim.Adam(twin.critic.parameters(), **rates)
    each = (8, 1, 1, 1) if layout == "images" else (8, 1)
    torch.manual_seed(0)
    for step in range(4):
        reals = stream(8).batch(step)[0] / 127.5 - 1
        fakes = twin.generator(torch.randn(8, 4)).detach()
        if layout == "flat":
            reals, fakes = reals.flatten(1), fakes.flatten(1)
        share = torch.rand(each)
        between = ((1 - share) * reals + share * fakes).requires_grad_()
        (slope,) = torch.autograd.grad(twin.critic(between).sum(), between, create_graph=True)
        norm = slope.square().flatten(1).sum(1).sqrt()
        d_loss = twin.critic(fakes).mean() - twin.critic(reals).mean()
        d_adam.zero_grad()
        (d_loss + 10 * ((norm - 1) ** 2).mean()).backward()
        d_adam.step()
        if step % 2:
            fakes = twin.generator(torch.randn(8, 4))
            g_loss = -twin.critic(fakes.flatten(1) if layout == "flat" else fakes).mean()
            g_adam.zero_grad()
            g_loss.backward()
            g_adam.step()
    assert float(program.readings["g_loss"]) == pytest.approx(float(g_loss.detach()), rel=1e-4)
    assert float(program.readings["d_loss"]) == pytest.approx(float(d_loss.detach()), rel=1e-4)
    # not the generator's: Adam follows the rounding of a bias that BatchNorm takes out again
    for one, other in zip(program.critic.parameters(), twin.critic.parameters(), strict=True):
        assert torch.allclose(one, other, rtol=1e-3, atol=1e-5)
