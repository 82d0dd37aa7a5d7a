"""The article's two networks: three linear layers each. Images are float (N, C, H, W)."""

from collections.abc import Callable, Sequence
from math import prod

from torch import nn


def make_generator(
    latent: int,
    width: int,
    shape: Sequence[int],
    norm: Callable[[int], nn.Module],
    output: Callable[[], nn.Module],
) -> nn.Sequential:
    """Return a network from latents (N, latent) to images (N, C, H, W).

    Args:
        latent: length of the noise.
        width: of the first hidden layer; the second is twice as wide.
        shape: (C, H, W) of the images.
        norm: what stands between a hidden layer and its ReLU.
        output: what the last layer's result passes through.
    """
    return nn.Sequential(
        nn.Linear(latent, width),
        norm(width),
        nn.ReLU(),
        nn.Linear(width, 2 * width),
        norm(2 * width),
        nn.ReLU(),
        nn.Linear(2 * width, prod(shape)),
        output(),
        nn.Unflatten(1, tuple(shape)),
    )


def make_critic(
    shape: Sequence[int],
    width: int,
    leak: float,
    output: Callable[[], nn.Module],
    norm: Callable[[int], nn.Module] = nn.Identity,
) -> nn.Sequential:
    """Return a network from images (N, C, H, W) to scores (N, 1).

    Args:
        shape: (C, H, W) of the images.
        width: of the second hidden layer; the first is twice as wide.
        leak: slope of the hidden activations below 0.
        output: what the score passes through.
        norm: what stands between a hidden layer and its activation.
    """
    return nn.Sequential(
        nn.Flatten(),
        nn.Linear(prod(shape), 2 * width),
        norm(2 * width),
        nn.LeakyReLU(leak),
        nn.Linear(2 * width, width),
        norm(width),
        nn.LeakyReLU(leak),
        nn.Linear(width, 1),
        output(),
    )
