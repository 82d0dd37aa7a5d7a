"""Adaptation at a small size: what is judged, and what the variants do."""

import pytest
import torch

import ganzoo
from ganzoo.adapt.examine import accuracies, examine, fresh_estimate, proxy_a_distance
from ganzoo.build import family_of
from ganzoo.reversal.symptom import symptom
from ganzoo.trial import trial
from tests.reversal.conftest import small

FAULTS = family_of("adapt").FAULTS


@pytest.fixture(name="pair")
def _pair():
    data = ganzoo.datamodule("digits_inverted", small("adapt", FAULTS.fixed))
    data.setup()
    return data


def test_posted_features_run_away():
    program = small("adapt", FAULTS.classes["buggy"], critic_hidden=128, features=32)
    assert symptom(trial(program, 15)).present


def test_fixed_program_learns_the_source(pair):
    torch.manual_seed(0)
    program = FAULTS.fixed(
        features=16, critic_hidden=16, batch_size=32, learning_rate=2e-3, critic_steps=2
    )
    before = accuracies(program, pair)
    found = symptom(trial(program, 90))
    assert not found.present
    after = accuracies(program, pair)
    assert before["source_accuracy"] < 0.3
    assert after["source_accuracy"] > 0.8


def test_the_control_gets_nothing_from_the_critic():
    programs = [small("adapt", FAULTS.fixed, reversal_weight=weight) for weight in (0.25, 5.0)]
    for program in programs:
        program.adversarial = False
        trial(program, 2)
    for one, other in zip(*(p.generator.parameters() for p in programs), strict=True):
        assert torch.equal(one, other)


def test_examine_reports_both_and_trains_the_control_alike(pair):
    start = small("adapt", FAULTS.fixed)
    program = small("adapt", FAULTS.fixed)
    program.adversarial = False  # then both are the same program on the same batches
    trial(program, 3, seed=pair.seed, batches=pair.stream(pair.seed))
    scores = {score.name: score.value for score in examine(program, start, pair)}
    kinds = ("target_accuracy", "source_accuracy", "proxy_a_distance", "wasserstein")
    assert list(scores) == [f"{k}/{label}" for label in ("adapted", "source_only") for k in kinds]
    for kind in kinds:
        assert scores[f"{kind}/adapted"] == scores[f"{kind}/source_only"]


def test_labels_of_the_target_change_nothing_but_the_report(pair):
    batches = [pair.stream(0).batch(k) for k in range(3)]
    pair.domains["target"].labels = pair.domains["target"].labels * 0
    for (a, b, c), (d, e, f) in zip(
        batches, (pair.stream(0).batch(k) for k in range(3)), strict=True
    ):
        assert torch.equal(a, d)
        assert torch.equal(b, e)
        assert torch.equal(c, f)


def test_proxy_a_distance_of_equal_and_of_separate_sides():
    rows = torch.Generator().manual_seed(0)
    one, other, far = (torch.randn(400, 5, generator=rows) + shift for shift in (0, 0, 20))
    assert abs(proxy_a_distance(one[:200], other[:200], one[200:], other[200:])) < 0.35
    assert proxy_a_distance(one[:200], far[:200], one[200:], far[200:]) == pytest.approx(2)


def test_fresh_estimate_grows_with_the_distance_and_leaves_the_random_state():
    rows = torch.Generator().manual_seed(0)
    sides = [torch.randn(300, 3, generator=rows) + shift for shift in (0.0, 0.0, 2.0)]
    before = torch.get_rng_state()
    near = fresh_estimate(sides[0], sides[1], sides[0], sides[1])
    far = fresh_estimate(sides[0], sides[2], sides[0], sides[2])
    assert torch.equal(before, torch.get_rng_state())
    assert abs(near) < 0.7 < 2 < far


def test_images_that_are_too_small():
    with pytest.raises(ValueError, match="6 pixels and more, not 4"):
        ganzoo.build("fixed_adapt", image_size=4)
