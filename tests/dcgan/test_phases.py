"""The layers on phases against PyTorch's own: values and gradients of every order that is used."""

import pytest
import torch
from torch import nn

from ganzoo.dcgan.phases import DownFromFew, UpToFew

CASES = {
    "up": (UpToFew, nn.ConvTranspose2d, (5, 3), (2, 5, 6, 4)),
    "down": (DownFromFew, nn.Conv2d, (3, 5), (2, 3, 18, 22)),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kernel", [4, 8])
@pytest.mark.parametrize("bias", [True, False])
def test_values_and_gradients_are_those_of_the_plain_layer(case, kernel, bias):
    ours, plain, channels, shape = CASES[case]
    torch.manual_seed(0)
    layers = [kind(*channels, kernel, stride=2, bias=bias).double() for kind in (ours, plain)]
    layers[0].load_state_dict(layers[1].state_dict())
    images = torch.rand(shape, dtype=torch.float64, requires_grad=True)
    found = []
    for layer in layers:
        out = layer(images)
        (slope,) = torch.autograd.grad(out.square().sum(), images, create_graph=True)
        seconds = torch.autograd.grad(slope.square().sum(), list(layer.parameters()))
        found.append([out, slope, *seconds])
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, rtol=1e-10, atol=1e-10)


def test_a_side_of_odd_length_takes_the_plain_path():
    layer = DownFromFew(3, 4, 4, stride=2)
    images = torch.rand(1, 3, 9, 10)
    assert torch.equal(layer(images), nn.Conv2d.forward(layer, images))
