"""Faults of public reports: how many, told how, and what each does to a training."""

import re

import pytest

import ganzoo
from ganzoo.build import FAMILIES, family_of
from ganzoo.data.stream import BatchStream
from ganzoo.image_program import digits_of
from ganzoo.trial import seeded_program, trial

SMALL = {
    "dcgan": {"generator_channels": 6, "critic_channels": 6},
    "mlp_gan": {"width": 16, "latent": 4, "image_size": 8},
    "wgan": {"image_size": 8, "generator_width": 4, "critic_hidden": 16, "critic_steps": 1},
    "wgan_gp": {"width": 16, "latent": 4, "image_size": 8, "critic_steps": 1},
}
WILD = [
    (family, id)
    for family in FAMILIES
    for id, fault in ganzoo.faults(family).items()
    if fault.origin == "wild"
]


def test_there_are_as_many_as_were_promised():
    distinct = {id for _, id in WILD}
    reported = {id for family, id in WILD if ganzoo.faults(family)[id].reports}
    assert len(reported) >= 30
    assert len(distinct) >= 40
    every = {id for family in FAMILIES for id in ganzoo.faults(family)}
    assert len(every) >= 60


@pytest.mark.parametrize(("family", "id"), WILD)
def test_reports_are_addresses_of_threads(family, id):
    for link in ganzoo.faults(family)[id].reports:
        assert re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/issues/\d+", link), link


def grafted(family, id, seed=0):
    cls = family_of(family).FAULTS.graft([id] if id else [])
    return seeded_program(cls, seed, **SMALL[family])


@pytest.mark.parametrize(
    ("family", "id", "network"),
    [
        ("mlp_gan", "detached_generator_step", "generator"),
        ("mlp_gan", "critic_never_steps", "critic"),
    ],
)
def test_a_network_that_is_cut_off_never_changes(family, id, network):
    seen, healthy = (trial(grafted(family, one), 3) for one in (id, None))
    assert getattr(seen, network).change == 0
    assert getattr(healthy, network).change > 0


def test_a_toggle_that_is_left_on_stops_the_critic():
    once, often = (trial(grafted("wgan_gp", "toggle_left_on"), steps) for steps in (1, 6))
    assert once.critic.change == often.critic.change > 0
    assert often.generator.change > once.generator.change


def test_gradients_that_add_up_grow():
    seen, healthy = (
        trial(grafted("mlp_gan", one), 30) for one in ("generator_gradients_add_up", None)
    )
    assert seen.generator.largest_norm > 3 * healthy.generator.largest_norm


def test_the_logarithm_of_a_score_is_not_a_number():
    stops = [
        trial(grafted("wgan_gp", "log_of_unbounded_score", seed), 60).not_finite_at
        for seed in range(4)
    ]
    assert any(stop is not None for stop in stops)  # where a first score is below 0


def test_blank_images_become_nan_in_training():
    program = grafted("mlp_gan", "min_max_scaling")
    pixels, labels = digits_of(program.image_shape)
    pixels[:] = 7
    blank = BatchStream(pixels, labels, 8, seed=0)
    assert trial(program, 60, batches=blank).not_finite_at is not None


def test_a_gradient_that_is_cleared_where_it_was_saved_calls_everything_fake():
    saved, healthy = (
        trial(grafted("mlp_gan", one), 60) for one in ("saved_gradient_cleared", None)
    )
    # reals are told by nobody: only fakes are called what they are
    assert saved.critic_accuracy < healthy.critic_accuracy - 0.05


def test_fakes_taken_by_data_leave_the_generator_as_it_was():
    seen, healthy = (trial(grafted("wgan", one), 3) for one in ("fakes_by_data", None))
    assert seen.generator.change == 0
    assert seen.generator.most_missing == seen.generator.tensors
    assert healthy.generator.change > 0


def test_an_unused_layer_runs_in_one_process():
    program = grafted("wgan_gp", "unused_parameters")
    seen = trial(program, 3)
    assert seen.generator.most_missing == 2
    assert seen.generator.change > 0
