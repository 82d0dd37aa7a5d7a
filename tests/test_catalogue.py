"""What a catalogue refuses, and what a graft is."""

import dataclasses
import pickle

import pytest
import torch

from ganzoo.catalogue import Catalogue
from ganzoo.dcgan.buggy import BuggyDCGAN
from ganzoo.dcgan.faults import FAULTS
from ganzoo.dcgan.fixed import FixedDCGAN


def catalogue(*faults):
    return Catalogue(FixedDCGAN, BuggyDCGAN, faults)


def variant(original, **changes):
    return dataclasses.replace(FAULTS[original], **changes)


def test_two_faults_of_one_id():
    with pytest.raises(ValueError, match="two faults are called 'rounded_fakes'"):
        catalogue(FAULTS["rounded_fakes"], FAULTS["rounded_fakes"])


def test_two_silent_faults_of_one_origin_own_no_name_together():
    with pytest.raises(ValueError, match="'other' and 'rounded_fakes' both take 'shown_to_critic'"):
        catalogue(FAULTS["rounded_fakes"], variant("rounded_fakes", id="other"))
    catalogue(FAULTS["rounded_fakes"], variant("rounded_fakes", id="other", origin="answer"))


@pytest.mark.parametrize("name", ["no_such_piece", "generator_stepped"])
def test_a_name_that_one_side_lacks(name):
    with pytest.raises(ValueError, match=f"takes '{name}', which one side lacks"):
        catalogue(variant("rounded_fakes", takes=(name,)))


def test_presets_are_the_variants():
    assert FAULTS.presets["fixed"] == frozenset()
    assert "lightning_1_api" not in FAULTS.presets["buggy"]
    assert {FAULTS[id].origin for id in FAULTS.presets["buggy"]} == {"post"}
    for name, preset in FAULTS.presets.items():
        assert FAULTS.program_class(preset) is FAULTS.classes[name]


def test_a_graft_is_made_once_and_pickles():
    one, same = (
        FAULTS.graft(["raw_pixels", "nan_replaced"]),
        FAULTS.graft(["nan_replaced", "raw_pixels"]),
    )
    assert one is same
    assert issubclass(one, FixedDCGAN)
    assert pickle.loads(pickle.dumps(one)) is one  # noqa: S301


def test_a_grafted_program_pickles():
    grafted = FAULTS.graft(["raw_pixels", "no_averaged_generator"])
    program = grafted(generator_channels=4, critic_channels=4)
    program.generator_steps = 7
    copied = pickle.loads(pickle.dumps(program))  # noqa: S301
    assert type(copied) is type(program)
    assert copied.generator_steps == 7
    weights = copied.state_dict()
    assert all(torch.equal(weight, weights[key]) for key, weight in program.state_dict().items())


def test_a_graft_holds_what_its_faults_take_and_nothing_else():
    assert FAULTS.graft([]) is FixedDCGAN
    both = FAULTS.graft(["batch_of_one", "raw_pixels"])
    taken = {*FAULTS["batch_of_one"].takes, *FAULTS["raw_pixels"].takes}
    assert {name for name in vars(both) if not name.startswith("__")} == taken
    assert all(vars(both)[name] is vars(BuggyDCGAN)[name] for name in taken), "static methods too"


def test_a_catalogue_is_a_mapping():
    assert "rounded_fake" not in FAULTS
    assert FAULTS.get("rounded_fake") is None
    assert list(FAULTS) == [fault.id for fault in FAULTS.values()]
    with pytest.raises(KeyError):
        FAULTS["rounded_fake"]


def test_faults_that_replace_one_name_exclude_each_other():
    with pytest.raises(
        ValueError, match="'mismatched_scale' and 'raw_pixels' both replace 'reals_in"
    ):
        FAULTS.graft(["raw_pixels", "mismatched_scale"])


def test_unknown_id_has_a_near_miss():
    with pytest.raises(
        ValueError, match=r"no fault of dcgan 'rounded_fake'. Did you mean 'rounded_fakes'"
    ):
        FAULTS["rounded_fake"]
