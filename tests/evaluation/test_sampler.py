"""Samples of a plain generator: their range, and the mode that they are drawn in."""

import pytest
import torch
from torch import nn

from ganzoo.evaluation import sampler


def generator(*layers: nn.Module) -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 12), *layers, nn.Unflatten(1, (3, 2, 2)))


def latents(n: int) -> torch.Tensor:
    return torch.randn(n, 4, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize(("low", "last"), [(-1, nn.Tanh()), (0, nn.Sigmoid())])
def test_levels_are_those_of_the_range(low, last):
    network = generator(last).eval()
    images = network(latents(5))
    found = sampler(network, latents, low)(5)
    assert found.dtype == torch.uint8
    due = (images - low) / (1 - low) * 255
    assert (found - due).abs().max() <= 0.5001
    assert not found.requires_grad


@pytest.mark.parametrize("layer", [nn.BatchNorm1d(12), nn.Dropout(0.5)])
def test_a_layer_in_train_mode_is_named(layer):
    network = generator(layer, nn.Tanh())
    with pytest.raises(ValueError, match=rf"1 \({type(layer).__name__}\) is in train mode"):
        sampler(network, latents, -1)(3)
    assert sampler(network.eval(), latents, -1)(3).shape == (3, 3, 2, 2)


def test_layers_that_know_no_modes_may_be_in_train_mode():
    own = nn.BatchNorm1d(12, track_running_stats=False)
    network = generator(nn.LayerNorm(12), own, nn.Tanh()).train()
    assert sampler(network, latents, -1)(3).shape == (3, 3, 2, 2)


@pytest.mark.parametrize("low", [0.0, -0.5])
def test_images_outside_the_range_are_refused(low):
    with pytest.raises(ValueError, match=r"samples reach from -.* outside \["):
        sampler(generator(nn.Tanh()).eval(), latents, low)(50)


def test_images_that_are_not_numbers_are_refused():
    with pytest.raises(ValueError, match="samples reach from nan"):
        sampler(lambda_of(lambda x: x * torch.nan), latents, -1)(2)


def lambda_of(function):
    class Module(nn.Module):
        def forward(self, x):
            return function(x)

    return Module()
