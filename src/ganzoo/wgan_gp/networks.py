"""The two networks of each layout: linear for flat vectors, convolutional for images."""

from collections.abc import Callable

from torch import nn

from ganzoo.mlp_gan.networks import make_critic, make_generator
from ganzoo.wgan.networks import Generator

Norm = Callable[[int], nn.Module]
Output = Callable[[], nn.Module]


def generator_of(
    layout: str, shape: tuple[int, int, int], latent: int, width: int, output: Output
) -> nn.Module:
    """Return a network from latents (N, latent) to images (N, C, H, W)."""
    if layout == "flat":
        return make_generator(latent, width, shape, nn.BatchNorm1d, output)
    return Generator(shape[0], shape[1], width // 4, output, latent)


def critic_of(
    layout: str, shape: tuple[int, int, int], width: int, norm: Norm, output: Output
) -> nn.Module:
    """Return a network from flat vectors (..., C * H * W) or images (N, C, H, W) to scores."""
    if layout == "flat":
        return make_critic(shape, width, 0.2, output, norm)[1:]
    channels, side, _ = shape
    maps = width // 4
    return nn.Sequential(
        nn.Conv2d(channels, maps, 4, stride=2, padding=1),
        nn.LeakyReLU(0.2),
        nn.Conv2d(maps, 2 * maps, 4, stride=2, padding=1),
        norm(2 * maps),
        nn.LeakyReLU(0.2),
        nn.Flatten(),
        nn.Linear(2 * maps * (side // 4) ** 2, 1),
        output(),
    )
