"""The three files tell the truth: their differences are the catalogue, and nothing else."""

import ast
import inspect
import re

import pytest
import torch

from ganzoo.data import BatchStream, draw_faces
from ganzoo.dcgan import advised, buggy, fixed
from ganzoo.dcgan.faults import FAULTS
from ganzoo.trial import trial
from tests.dcgan.conftest import small

VARIANTS = {"buggy": buggy.BuggyDCGAN, "advised": advised.AdvisedDCGAN}


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_faults_of_a_variant_grafted_are_that_variant_bit_for_bit(variant):
    ids = FAULTS.presets[variant]
    seen = [trial(small(cls), steps=4) for cls in (FAULTS.graft(ids), VARIANTS[variant])]
    assert seen[0] == seen[1]
    programs = [small(cls) for cls in (FAULTS.graft(ids), VARIANTS[variant])]
    for program in programs:
        trial(program, steps=3)
    for one, other in zip(*(p.state_dict().values() for p in programs), strict=True):
        assert torch.equal(one, other)


def pieces(module):
    """Return the methods and constants of a module's one class, without their docstrings."""
    (cls,) = [n for n in ast.parse(inspect.getsource(module)).body if isinstance(n, ast.ClassDef)]
    found = {}
    for node in cls.body:
        if isinstance(node, ast.FunctionDef):
            node.body = [n for n in node.body if not is_text(n)] or [ast.Pass()]
            found[node.name] = ast.dump(node)
        elif isinstance(node, ast.Assign):
            found[node.targets[0].id] = ast.dump(node)
    return found


def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_names_that_differ_are_those_that_the_faults_take(variant):
    theirs, ours = pieces(inspect.getmodule(VARIANTS[variant])), pieces(fixed)
    assert list(theirs) == list(ours)
    taken = {name for id in FAULTS.presets[variant] for name in FAULTS[id].takes}
    assert {name for name in ours if theirs[name] != ours[name]} == taken


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_tags_are_the_faults(variant):
    source = inspect.getsource(inspect.getmodule(VARIANTS[variant]))
    assert set(re.findall(r"# FAULT (\w+)", source)) == set(FAULTS.presets[variant])


def test_the_fixed_file_holds_no_tag():
    assert "# FAULT" not in inspect.getsource(fixed)


def test_grafting_nothing_is_the_fixed_class():
    assert FAULTS.graft([]) is fixed.FixedDCGAN


def test_a_donor_does_not_use_zero_argument_super():
    for fault in FAULTS.values():
        for name in fault.takes:
            piece = vars(fault.donor)[name]
            code = getattr(getattr(piece, "__func__", piece), "__code__", None)
            assert code is None or "__class__" not in code.co_freevars


def test_a_loop_written_by_hand_gives_the_losses_of_the_fixed_program():
    steps, batch = 9, 4  # nine steps meet the penalty twice
    program, twin = small(fixed.FixedDCGAN, batch_size=batch), small(fixed.FixedDCGAN)
    seen = trial(program, steps)
    images, _ = draw_faces(16, program.image_shape[1:])
    stream = BatchStream(images, torch.zeros(16, dtype=torch.int64), batch)
    torch.manual_seed(0)
    g_losses, d_losses = by_hand(twin.generator, twin.critic, stream, steps)
    assert seen.losses["g_loss"] == pytest.approx(sum(g_losses) / steps, rel=1e-6)
    assert seen.losses["d_loss"] == pytest.approx(sum(d_losses) / steps, rel=1e-6)
    for one, other in zip(program.generator.parameters(), twin.generator.parameters(), strict=True):
        assert torch.allclose(one, other, rtol=1e-5, atol=1e-7)


def by_hand(generator, critic, stream, steps):
    """Train with nothing of the program: softplus losses, R1 and Adam written out."""
    rates = {"lr": fixed.FixedDCGAN.learning_rate, "betas": fixed.FixedDCGAN.betas}
    g_adam = torch.optim.Adam(generator.parameters(), **rates)
    d_adam = torch.optim.Adam(critic.parameters(), **rates)
    softplus = torch.nn.functional.softplus
    g_losses, d_losses = [], []
    for step in range(steps):
        reals = stream.batch(step)[0] / 127.5 - 1
        fakes = 2 * generator(torch.randn(len(reals), 100)) - 1
        g_loss = softplus(-critic(fakes)).mean()
        g_adam.zero_grad()
        g_loss.backward()
        g_adam.step()
        reals.requires_grad_()
        real_scores = critic(reals)
        d_loss = (softplus(-real_scores).mean() + softplus(critic(fakes.detach())).mean()) / 2
        total = d_loss
        interval, weight = fixed.FixedDCGAN.penalty_interval, fixed.FixedDCGAN.penalty_weight
        if step % interval == 0:
            (slope,) = torch.autograd.grad(critic(reals).sum(), reals, create_graph=True)
            total = d_loss + interval * weight / 2 * (slope**2).sum() / len(reals)
        d_adam.zero_grad()
        total.backward()
        d_adam.step()
        g_losses.append(float(g_loss.detach()))
        d_losses.append(float(d_loss.detach()))
    return g_losses, d_losses
