"""Each oracle sees its own fault and no other, in both families."""

import re

import pytest

import ganzoo
from ganzoo.build import family_of
from ganzoo.trial import trial
from tests.article.conftest import FAMILIES, grafted

LAYOUTS = {"mlp_gan": [{}], "wgan_gp": [{"layout": "images"}, {"layout": "flat"}]}
CASES = [
    (family, id, layout)
    for family in FAMILIES
    for id in ("", *ganzoo.faults(family))
    for layout in LAYOUTS[family]
]
CRASHES = {
    "unused_parameters": "RuntimeError: Expected to have finished reduction in the prior iteration",
    "fid_float": "ValueError: Expecting image as torch.Tensor with dtype=torch.uint8",
    "fid_grey": "RuntimeError: expected input[8, 1, 4, 4] to have 3 channels",
    "label_shape": "ValueError: Target size (torch.Size([4])) must be the same as input size",
    "reused_fakes": "RuntimeError: Trying to backward through the graph a second time",
    "alpha_on_cpu": "the shares are on cpu and the images on another device",
    "unequal_sides": "RuntimeError: The size of tensor a (4) must match the size of tensor b (3)",
    "activation_in_place": "RuntimeError: one of the variables needed for gradient computation",
    "step_before_backward": "RuntimeError: one of the variables needed for gradient computation",
    "fakes_through_numpy": "no path leads from the generator's loss to what it made",
    "integer_betas": "ValueError: betas must be either both floats or both Tensors",
}


@pytest.mark.parametrize(("family", "present", "settings"), CASES)
def test_each_oracle_sees_its_own_fault_and_no_other(family, present, settings):
    program = grafted(family, *filter(None, [present]), **settings)
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
    assert not program.readings


def test_crash_faults_show_the_exact_error():
    catalogues = {family: ganzoo.faults(family) for family in FAMILIES}
    found = {
        id: family
        for family, catalogue in catalogues.items()
        for id, fault in catalogue.items()
        if fault.kind == "crash"
    }
    assert set(found) == set(CRASHES)
    for id, text in CRASHES.items():
        with pytest.raises(AssertionError, match=re.escape(text)):
            catalogues[found[id]][id].oracle(grafted(found[id], id))


SILENT = [
    (f, i) for f in FAMILIES for i, fault in ganzoo.faults(f).items() if fault.kind == "silent"
]


@pytest.mark.parametrize(("family", "id"), SILENT)
def test_a_silent_fault_trains_without_an_error(family, id):
    assert trial(grafted(family, id), 1).generator.steps == 1


@pytest.mark.parametrize(
    ("family", "id", "error"),
    [("mlp_gan", "label_shape", ValueError), ("mlp_gan", "reused_fakes", RuntimeError)],
)
def test_a_crash_fault_stops_the_training(family, id, error):
    with pytest.raises(error):
        trial(grafted(family, id), 2)


def test_integers_stop_adam_in_a_run_too():
    with pytest.raises(ValueError, match="betas must be"):
        grafted("wgan_gp", "integer_betas").configure_optimizers()


def test_the_faults_that_the_article_is_known_for_are_there():
    wanted = """
        saturating_generator_loss sigmoid_bce overtrained_critic range_mismatch unbounded_output
        default_betas gradient_clip_as_weight_clip clip_hides_nan noise_on_real_only label_shape
        label_broadcast reused_fakes norm_of_last_parameter fid_range fid_grey fid_not_reset
        per_pixel_penalty flat_alpha_broadcast alpha_on_cpu sigmoid_critic batchnorm_critic
        square_root_at_zero
    """
    assert set(wanted.split()) <= {id for family in FAMILIES for id in ganzoo.faults(family)}


def test_every_entry_is_told_in_full():
    for family in FAMILIES:
        for fault in family_of(family).FAULTS.values():
            assert all(len(text) > 10 for text in (fault.symptom, fault.cause, fault.source))
            assert re.fullmatch(r"[a-z0-9_]+", fault.id)
