"""Layers of the right sizes, and weights that let a signal through."""

import pytest
import torch
from torch import nn

import ganzoo
from ganzoo.dcgan.networks import image_size, smoothed, variance_preserving_weights


def test_sizes_follow_the_seed():
    assert image_size((22, 17)) == (218, 178)
    assert image_size((3, 2)) == (66, 58)


@pytest.mark.parametrize(
    ("layer", "shape", "gain"),
    [
        (nn.Linear(400, 300), (64, 400), 1.0),
        (nn.ConvTranspose2d(64, 48, 8, stride=2), (8, 64, 20, 20), 1.0),
        (nn.Conv2d(24, 48, 8, stride=2), (8, 24, 40, 40), (2 / 1.04) ** 0.5),
    ],
)
def test_a_layer_keeps_the_deviation_of_white_noise(layer, shape, gain):
    torch.manual_seed(0)
    variance_preserving_weights(layer)
    with torch.no_grad():
        out = layer(torch.randn(shape))
    if out.ndim == 4:
        out = out[:, :, 6:-6, 6:-6]  # at the edge fewer terms are summed
    assert float(out.std()) == pytest.approx(gain, rel=0.05)
    assert not layer.bias.any()


def test_smoothing_is_the_binomial_of_each_kernel():
    kernels = torch.zeros(1, 2, 8, 8)
    kernels[0, 1, 4, 4] = 1
    blurred = smoothed(kernels)
    binomial = torch.tensor([1.0, 3.0, 3.0, 1.0]) / 8
    assert not blurred[0, 0].any()
    assert torch.allclose(blurred[0, 1, 3:7, 3:7], binomial.outer(binomial))
    assert float(blurred.sum()) == pytest.approx(1)


def test_untrained_samples_differ_with_these_weights_and_not_with_the_default():
    deviations = {}
    for name, on in (("default", True), ("preserving", False)):
        torch.manual_seed(0)
        program = ganzoo.build("fixed_dcgan", faults={"default_initialisation": on})
        deviations[name] = float(program.sample(64).float().div(255).std(0).mean())
    assert deviations["default"] < 0.01
    assert deviations["preserving"] > 0.08
