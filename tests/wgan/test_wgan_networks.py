"""The generator at the sizes that datasets have."""

import pytest
import torch
from torch import nn

from ganzoo.wgan.networks import Generator, draw


@pytest.mark.parametrize("size", [4, 8, 12, 16, 28, 32, 64])
@pytest.mark.parametrize("channels", [1, 3])
def test_images_have_the_size_asked_for(size, channels):
    images = Generator(channels, size, 4, nn.Sigmoid)(draw(2, torch.device("cpu")))
    assert images.shape == (2, channels, size, size)
    assert images.min() > 0
    assert images.max() < 1
