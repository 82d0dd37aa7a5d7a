"""From a name to a program, and what each wrong door answers."""

import importlib

import pytest
import torch

import ganzoo
from ganzoo.dcgan.buggy import BuggyDCGAN

TINY = {"generator_channels": 4, "critic_channels": 4}
TINY_OF = {
    "dcgan": TINY,
    "wgan": {"image_size": 8, "critic_hidden": 8},
    "mlp_gan": {"width": 8},
    "wgan_gp": {"width": 8},
    "adapt": {"features": 4, "critic_hidden": 8},
}


@pytest.mark.parametrize("name", ganzoo.models())
def test_every_model_builds_and_samples(name):
    program = ganzoo.build(name, **TINY_OF[name.partition("_")[2]])
    assert (program.model_name, program.scale) == (name, "quick")
    if program.draws_images:
        assert program.sample(3).shape == (3, *program.image_shape)
    else:
        with pytest.raises(ValueError, match=f"{name} draws no images"):
            program.sample(3)


def test_posted_scale_has_the_posted_sizes():
    with torch.device("meta"):
        program = BuggyDCGAN("posted")
    assert program.image_shape == (3, 218, 178)
    count = [
        sum(p.numel() for p in net.parameters()) for net in (program.generator, program.critic)
    ]
    # layer by layer, weights and biases, from the posted sizes
    generator = [101 * 2244, 6 * 400 * 64 + 400, 400 * 400 * 64 + 400, 400 * 3 * 64 + 3]
    critic = [3 * 300 * 64 + 300, 600, 300 * 300 * 64 + 300, 600, 300 * 3 * 64 + 3, 3 * 22 * 17 + 1]
    assert count == [sum(generator), sum(critic)]
    assert [len(list(n.parameters())) for n in (program.generator, program.critic)] == [8, 12]


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"name": "fixd_dcgan"}, "no model 'fixd_dcgan'. Did you mean 'fixed_dcgan'"),
        ({"scale": "quik"}, "no scale 'quik'. Did you mean 'quick'"),
        ({"topology": "radfort"}, "no topology 'radfort'. Did you mean 'radford'"),
        (
            {"faults": {"raw_pixel": True}},
            "no fault of dcgan 'raw_pixel'. Did you mean 'raw_pixels'",
        ),
        ({"faults": {"raw_pixels": "yes"}}, "takes true or false, not 'yes'"),
        ({"batchsize": 3}, "no setting of dcgan 'batchsize'. Did you mean 'batch_size'"),
        ({"batch_size": 0}, "batch_size takes a whole number like 8, not 0"),
        ({"batch_size": True}, "not True"),
        ({"seed_grid": [3]}, r"seed_grid takes 2 numbers, like \(3, 2\), not \(3,\)"),
        ({"learning_rate": "fast"}, "learning_rate takes a number like"),
        ({"topology": "radford", "faults": {"raw_pixels": True}}, "without faults"),
        ({"faults": {"tiny_learning_rate": True}, "learning_rate": 1.0}, "decides learning_rate"),
    ],
)
def test_what_is_wrong_is_named(settings, text):
    with pytest.raises(ValueError, match=text):
        ganzoo.build(**({"name": "fixed_dcgan"} | settings))


def test_none_keeps_the_default_and_a_list_becomes_a_tuple():
    program = ganzoo.build("fixed_dcgan", batch_size=None, seed_grid=[4, 3], **TINY)
    assert (program.batch_size, program.image_shape) == (8, (3, 74, 66))


def test_radford_is_64_pixels():
    program = ganzoo.build("fixed_dcgan", topology="radford", **TINY)
    assert program.sample(2).shape == (2, 3, 64, 64)


def test_public_names_are_functions_after_their_modules_were_imported():
    for name in ("build", "claims"):
        importlib.import_module(f"ganzoo.{name}")
        assert callable(getattr(ganzoo, name))
    assert callable(ganzoo.datamodule)
    assert "rounded_fakes" in ganzoo.faults("dcgan")
    with pytest.raises(ValueError, match="no family 'dcgn'"):
        ganzoo.faults("dcgn")
