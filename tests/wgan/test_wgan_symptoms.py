"""What the facts say of the posted critic on images, as posted, as advised, and repaired."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import ganzoo
from ganzoo.build import family_of
from ganzoo.callbacks import KeepState
from ganzoo.reversal.symptom import symptom
from ganzoo.trial import trial
from tests.conftest import fit
from tests.reversal.conftest import grafted, small

SHARED = Path(__file__).parents[3] / "shared"


def built(name, **settings):
    torch.manual_seed(0)
    return ganzoo.build(name, **settings)


def test_posted_loss_runs_away_within_fifteen_batches():
    program = built("buggy_wgan", batch_size=20, critic_hidden=1024)
    found = symptom(trial(program, 15))
    assert found.name == "diverging_loss"
    assert found.present
    assert 1 < abs(program.losses[0]) < 100  # the post: -16.4
    assert abs(program.losses[1]) > 1000 * abs(program.losses[0])
    assert found.evidence["largest_loss"] > 1e9
    assert found.evidence["sign_changes"] >= 2
    assert "nothing bounds its slope" in found.sentence


def test_with_a_clamp_in_place_it_stays_small():
    presets = family_of("wgan").FAULTS
    ids = presets.presets["buggy"] - {"clamp_not_in_place"} | {"weight_clipping"}
    loose, clamped = (
        small("wgan", presets.graft(chosen), critic_hidden=128)
        for chosen in (presets.presets["buggy"], ids)
    )
    for program in (loose, clamped):
        trial(program, 15)
    assert float(clamped.largest_loss) < float(loose.largest_loss) / 1000


def test_reversal_is_not_the_cause():
    program = small("wgan", family_of("wgan").FAULTS.classes["buggy"], critic_hidden=128)
    program.adversarial = False  # the generator gets nothing from the game
    assert symptom(trial(program, 15)).present


def test_a_lower_rate_is_far_calmer():
    losses = []
    for rate in (1e-2, 1e-4):
        cls = family_of("wgan").FAULTS.classes["buggy"]
        program = small("wgan", cls, critic_hidden=128, learning_rate=rate)
        trial(program, 15)
        losses.append(float(program.largest_loss))
    assert losses[0] > 100 * losses[1]


def test_fixed_program_has_no_symptom():
    program = small("wgan", family_of("wgan").FAULTS.fixed)
    found = symptom(trial(program, 6))
    assert not found.present
    assert found.evidence["largest_loss"] < 50


def test_advised_loss_leaves_its_bounds_and_comes_back():
    program = built("advised_wgan", batch_size=20)
    found = symptom(trial(program, 40))
    assert not found.present
    assert found.evidence["largest_loss"] > 1000
    assert "came back" in found.sentence


def test_posted_coefficient_follows_forwards_and_ours_steps():
    posted = small("wgan", family_of("wgan").FAULTS.classes["buggy"])
    seen = trial(posted, 4).evidence
    assert posted.critic.forwards == 7  # two a batch, from 0
    assert len(seen["first_losses"]) == 4
    ours = small("wgan", family_of("wgan").FAULTS.fixed)
    trial(ours, 4)
    assert ours.batches_seen == 4 * ours.critic_steps
    assert ours.critic.coefficient == pytest.approx(ours.critic.pieces.ramp(4))
    assert ours.critic.forwards == 0


@pytest.mark.parametrize("id", ["", "schedule_counts_forwards"])
def test_a_resumed_run_goes_on_bit_for_bit_unless_forwards_are_counted(tmp_path, id):
    ids = [id] if id else []
    whole = grafted("wgan", *ids, critic_steps=1)
    fit(whole, generator_steps=4)
    stopped = grafted("wgan", *ids, critic_steps=1)
    fit(stopped, KeepState(tmp_path, every=1), generator_steps=2)
    resumed = grafted("wgan", *ids, critic_steps=1)
    fit(resumed, generator_steps=4, resume=tmp_path / "last.ckpt")
    same = all(
        torch.equal(a, b)
        for a, b in zip(whole.state_dict().values(), resumed.state_dict().values(), strict=True)
    )
    assert resumed.losses == whole.losses or id
    assert (resumed.critic.coefficient == whole.critic.coefficient) is (not id)
    assert same is (not id)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")
@pytest.mark.parametrize("name", ["buggy_wgan", "advised_wgan", "fixed_wgan"])
def test_symptoms_are_the_same_on_cuda(name):
    assert symptom(trial(built(name), 15, accelerator="gpu")).present is (name == "buggy_wgan")


@pytest.mark.skipif(not (SHARED / "tools").is_dir(), reason="no posts beside this checkout")
@pytest.mark.parametrize("model", ["buggy_wgan", "buggy_adapt"])
def test_posted_critic_and_the_port_agree(model):
    done = subprocess.run(
        [sys.executable, str(SHARED / "tools" / "equivalence_wgan.py")],
        env=os.environ | {"SEEDS": str(SHARED / "posts"), "MODEL": model},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("wrong", [{"image_size": 30}, {"image_channels": 2}])
def test_a_size_that_the_generator_cannot_make(wrong):
    with pytest.raises(ValueError, match="image_channels is 1 or 3, image_size a multiple of 4"):
        ganzoo.build("fixed_wgan", **wrong)
