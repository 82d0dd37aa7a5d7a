"""What the facts say of the posted program, alone and with one fault taken out or put in."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from ganzoo.dcgan.symptom import symptom
from ganzoo.trial import trial
from tests.dcgan.conftest import built, grafted

STEPS = 3
SHARED = Path(__file__).parents[3] / "shared"


def test_posted_program_never_moves():
    program = built("buggy_dcgan")
    seen = trial(program, STEPS)
    assert (seen.generator.tensors, seen.critic.tensors) == (8, 12)
    assert (seen.generator.most_missing, seen.generator.largest_norm) == (0, 0.0)
    assert (seen.generator.change, seen.critic.change) == (0.0, 0.0)
    assert (seen.generator.held, seen.generator.foreign) == (0, 2)
    assert (seen.critic.held, seen.critic.foreign) == (0, 12)
    assert seen.critic.largest_norm > 0
    assert seen.printed_gradients == {0: None}
    found = symptom(seen)
    assert found.present
    assert "exactly 0" in found.sentence


def test_without_rounding_the_gradient_lives_and_nothing_moves():
    seen = trial(built("buggy_dcgan", rounded_fakes=False), STEPS)
    assert seen.generator.largest_norm > 0
    assert (seen.generator.change, seen.critic.change) == (0.0, 0.0)
    assert symptom(seen).present


def test_bound_but_rounded_only_the_critic_trains():
    seen = trial(built("buggy_dcgan", foreign_optimizers=False), STEPS)
    assert (seen.generator.largest_norm, seen.generator.change) == (0.0, 0.0)
    assert seen.critic.change > 0


def test_advised_program_trains_a_little():
    seen = trial(built("advised_dcgan"), STEPS)
    assert seen.generator.largest_norm > 0
    assert 0 < seen.generator.change < 1e-4  # Adam at 1e-5
    assert not symptom(seen).present


def test_fixed_program_has_no_symptom():
    seen = trial(grafted(), STEPS)
    assert seen.generator.largest_norm > 0
    assert min(seen.generator.change, seen.critic.change) > 1e-4
    assert not symptom(seen).present


def test_own_optimizers_train_two_of_eight_tensors():
    program = grafted("optimizer_before_layers")
    start = [p.clone() for p in program.generator.parameters()]
    seen = trial(program, STEPS)
    moved = [
        not torch.equal(a, b) for a, b in zip(start, program.generator.parameters(), strict=True)
    ]
    assert moved == [True, True] + [False] * 6
    assert (seen.generator.held, seen.generator.foreign) == (2, 0)


def test_without_clearing_foreign_gradients_add_up():
    kept = trial(built("buggy_dcgan", rounded_fakes=False), 6)
    summed = trial(built("buggy_dcgan", rounded_fakes=False, zero_grad_in_step=False), 6)
    assert summed.generator.last_norm > 2 * kept.generator.last_norm


def test_replaced_nan_hides_the_failure():
    losses = {}
    for id in ("nan_replaced", ""):
        program = built("buggy_dcgan", nan_replaced=bool(id))
        with torch.no_grad():
            next(program.critic.parameters()).fill_(float("nan"))
        if id:
            losses = trial(program, STEPS).losses
        else:
            with pytest.raises(RuntimeError, match="between 0 and 1"):
                trial(program, STEPS)
    assert losses == {"g_loss": 100.0, "d_loss": 0.0}


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")
@pytest.mark.parametrize("name", ["buggy_dcgan", "advised_dcgan", "fixed_dcgan"])
def test_symptoms_are_the_same_on_cuda(name):
    seen = trial(built(name), STEPS, accelerator="gpu")
    dead = name == "buggy_dcgan"
    assert (seen.generator.largest_norm == 0) is dead
    assert (seen.generator.change == 0) is dead
    assert symptom(seen).present is dead


@pytest.mark.skipif(not (SHARED / "tools").is_dir(), reason="no posts beside this checkout")
def test_posted_code_and_the_port_have_the_same_losses():
    done = subprocess.run(
        [sys.executable, str(SHARED / "tools" / "equivalence_dcgan.py")],
        env=os.environ | {"SEEDS": str(SHARED / "posts"), "STEPS": "2", "CRITIC": "6", "GEN": "6"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
