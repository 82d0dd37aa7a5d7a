"""Each oracle sees its own fault and no other, in both families."""

import re

import pytest

import ganzoo
from ganzoo.build import family_of
from ganzoo.trial import trial
from tests.reversal.conftest import FAMILIES, grafted, small

CASES = [(family, id) for family in FAMILIES for id in ("", *ganzoo.faults(family))]
CRASHES = {
    "wrong_super": "NameError: name 'AdversarialNetworkforCDAN' is not defined",
    "numpy_float": "AttributeError: module 'numpy' has no attribute 'float'",
}


@pytest.mark.parametrize(("family", "present"), CASES)
def test_each_oracle_sees_its_own_fault_and_no_other(family, present):
    program = grafted(family, *filter(None, [present]))
    for id, fault in ganzoo.faults(family).items():
        if id == present:
            with pytest.raises(AssertionError, match=r"\w"):
                fault.oracle(program)
        else:
            fault.oracle(program)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_oracle_leaves_the_program_as_it_was(family):
    program = grafted(family)
    before = {name: value.clone() for name, value in program.state_dict().items()}
    for fault in ganzoo.faults(family).values():
        fault.oracle(program)
    assert all(before[n].equal(v) for n, v in program.state_dict().items())
    assert all(p.grad is None for p in program.parameters())
    assert (program.critic.forwards, program.critic.coefficient) == (0, 0.0)


@pytest.mark.parametrize("family", FAMILIES)
def test_crash_faults_show_the_exact_error(family):
    catalogue = ganzoo.faults(family)
    assert {id for id, fault in catalogue.items() if fault.kind == "crash"} == set(CRASHES)
    for id, text in CRASHES.items():
        with pytest.raises(AssertionError, match=re.escape(text)):
            catalogue[id].oracle(grafted(family, id))


def test_a_critic_of_the_wrong_class_cannot_be_built():
    with pytest.raises(NameError, match="AdversarialNetworkforCDAN"):
        ganzoo.build("fixed_wgan", faults={"wrong_super": True})


@pytest.mark.parametrize(
    ("family", "id"),
    [(g, i) for g in FAMILIES for i, f in ganzoo.faults(g).items() if f.kind == "silent"],
)
def test_a_silent_fault_trains_or_diverges_without_an_error(family, id):
    program = grafted(family, id)
    assert trial(program, 2).generator.steps == 2


@pytest.mark.parametrize("family", FAMILIES)
def test_subtracting_the_loss_is_negating_the_last_layer_bit_for_bit(family):
    import torch

    subtracted = grafted(family, "loss_subtracted_and_reversed")
    with torch.no_grad():
        for parameter in subtracted.critic.judge.parameters():
            parameter.neg_()
    plain = small(family, family_of(family).FAULTS.fixed)
    for program in (subtracted, plain):
        trial(program, 3)
    for one, other in zip(
        subtracted.generator.parameters(), plain.generator.parameters(), strict=True
    ):
        assert torch.equal(one, other)


def test_the_weight_counts_whoever_keeps_the_schedule():
    for ids in ([], ["schedule_counts_forwards"]):
        program = grafted("adapt", *ids, reversal_weight=0.0)
        trial(program, 2)
        assert program.critic.coefficient == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_every_entry_is_told_in_full(family):
    for fault in ganzoo.faults(family).values():
        for text in (fault.symptom, fault.cause, fault.source):
            assert len(text) > 10
        assert re.fullmatch(r"[a-z0-9_]+", fault.id)
