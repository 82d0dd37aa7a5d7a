"""Sampling, counters, checkpoints and settings of any program."""

import pytest
import torch

import ganzoo
from ganzoo.program import like
from tests.conftest import fit, tiny


@pytest.mark.parametrize("batch_size", [1, 4, 7])
@pytest.mark.parametrize("count", [1, 4, 9])
def test_as_many_samples_as_asked_for_whatever_the_batch(batch_size, count):
    program = tiny(batch_size=batch_size)
    images = program.sample(count)
    assert images.shape == (count, *program.image_shape)
    assert len(images.flatten(1).unique(dim=0)) == count, "every image has a latent of its own"


def test_samples_do_not_depend_on_the_global_random_state():
    program = tiny()
    torch.manual_seed(1)
    one = program.sample(5, seed=3)
    torch.manual_seed(2)
    assert torch.equal(one, program.sample(5, seed=3))


def test_every_module_keeps_its_own_mode():
    program = tiny()
    modules = list(program.generator.modules())
    program.generator.project.eval()  # half of it is training, half is not
    before = [module.training for module in modules]
    assert set(before) == {True, False}
    program.sample(2)
    assert [module.training for module in modules] == before


def test_a_failed_sampling_restores_mode_and_random_state(monkeypatch):
    program = tiny()
    before = torch.get_rng_state()
    monkeypatch.setattr(program, "to_uint8", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        program.sample(2)
    assert program.generator.training
    assert torch.equal(before, torch.get_rng_state())


def test_averaged_samples_are_of_the_averaged_weights():
    program = tiny()
    with torch.no_grad():
        for weight in program.averaged_generator().parameters():
            weight.zero_()
    assert program.sample(2, averaged=True).unique().tolist() == [128]  # sigmoid of 0
    assert len(program.sample(2).unique()) > 2


def test_counters_count_steps_batches_and_images():
    program = tiny()
    fit(program, generator_steps=3)
    counts = (program.generator_steps, program.batches_seen, program.images_seen)
    assert counts == (3, 3, 12)


def test_a_checkpoint_brings_counters_and_random_state_back():
    first, second = tiny(), tiny()
    first.generator_steps, first.batches_seen, first.images_seen = 5, 6, 24
    checkpoint = {}
    first.on_save_checkpoint(checkpoint)
    expected = torch.rand(3)
    second.on_load_checkpoint(checkpoint)
    torch.rand(7)  # what a trainer's own set-up may draw
    second.on_train_start()
    assert torch.equal(torch.rand(3), expected)
    assert (second.generator_steps, second.batches_seen, second.images_seen) == (5, 6, 24)
    second.on_train_start()  # once only
    assert not torch.equal(torch.rand(3), expected)


def test_a_keyword_overrides_what_the_scale_says():
    program = ganzoo.build("fixed_dcgan", "posted", seed_grid=(3, 2), generator_channels=4,
                           critic_channels=4)  # fmt: skip
    assert program.image_shape == (3, 66, 58)


@pytest.mark.parametrize(
    ("default", "value", "expected"),
    [
        (32, 8, 8),
        (32, 8.0, 8),
        (0, 0, 0),
        (1e-3, 1, 1.0),
        (1e-3, 0.0, 0.0),
        ("a", "b", "b"),
        ((3, 2), [4, 5], (4, 5)),
        ((0.0, 0.9), (0, 1), (0.0, 1.0)),
    ],
)
def test_values_become_what_the_default_is(default, value, expected):
    found = like(default, value, "x")
    assert found == expected
    assert repr(found) == repr(expected), "1 == 1.0 == True"


@pytest.mark.parametrize(
    ("default", "value"),
    [
        (32, 0),  # a size
        (32, 1.5),
        (32, "8"),
        (32, True),
        (32, None),
        (32, float("inf")),
        (32, float("nan")),
        (0, -1),
        (1e-3, -0.1),
        (1e-3, "fast"),
        (1e-3, False),
        (1e-3, float("inf")),
        ("a", 1),
        ((3, 2), 3),
        ((3, 2), (3,)),
        ((3, 2), (3, 2, 1)),
        ((3, 2), (3, 0)),
        ((3, 2), (3, 1.5)),
        ((3, 2), "32"),
        ((0.0, 0.9), (0.0, float("nan"))),
        ((0.0, 0.9), (0.0, True)),
    ],
)
def test_other_kinds_are_refused_by_name(default, value):
    with pytest.raises(ValueError, match=r"^x takes ") as caught:
        like(default, value, "x")
    assert repr(value) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_samples_are_the_latents_of_their_seed():
    program = tiny()
    assert program.sample(7).dtype == torch.uint8
    assert torch.equal(program.sample(7)[:4], program.sample(4))
    assert torch.equal(program.sample(3, seed=1), program.sample(3, seed=1))
    assert not torch.equal(program.sample(3, seed=1), program.sample(3, seed=2))


def test_a_program_without_an_average_says_so():
    program = ganzoo.build("buggy_dcgan", generator_channels=4, critic_channels=4)
    with pytest.raises(ValueError, match="keeps no averaged generator"):
        program.sample(1, averaged=True)


def test_eight_bits_round_half_up_and_clamp():
    levels = tiny().to_uint8(torch.tensor([-0.1, 0.0, 0.5, 0.4999, 1.0, 1.2]))
    assert levels.tolist() == [0, 0, 128, 127, 255, 255]


def test_sampling_leaves_mode_and_random_state():
    program = tiny().train()
    before = torch.get_rng_state()
    program.sample(3)
    program.sample(3, averaged=True)
    assert torch.equal(before, torch.get_rng_state())
    assert all(module.training for module in program.generator.modules())
