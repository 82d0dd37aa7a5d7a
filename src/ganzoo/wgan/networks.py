"""The simple convolutional generator of the image family. Images are float (N, C, H, W)."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

LATENT = 64


class Generator(nn.Module):
    """Latents (N, latent) to images (N, channels, size, size): a seed, then doublings.

    Args:
        channels: of the images, 1 or 3.
        size: height and width of the images, a multiple of 4.
        width: feature maps before the last layer; twice as many before that.
        output: what the last layer's result passes through.
        latent: length of the noise.
    """

    def __init__(
        self,
        channels: int,
        size: int,
        width: int,
        output: Callable[[], nn.Module],
        latent: int = LATENT,
    ) -> None:
        super().__init__()
        doublings = 3 if size % 8 == 0 and size > 16 else 2
        side, maps = size >> doublings, width << (doublings - 1)
        layers: list[nn.Module] = [
            nn.Linear(latent, maps * side * side),
            nn.Unflatten(1, (maps, side, side)),
            nn.BatchNorm2d(maps),
            nn.ReLU(),
        ]
        for _ in range(doublings - 1):
            up = nn.ConvTranspose2d(maps, maps // 2, 4, stride=2, padding=1)
            layers += [up, nn.BatchNorm2d(maps // 2), nn.ReLU()]
            maps //= 2
        last = nn.ConvTranspose2d(maps, channels, 4, stride=2, padding=1)
        self.layers = nn.Sequential(*layers, last, output())

    def forward(self, latents: Tensor) -> Tensor:
        return self.layers(latents)


def draw(count: int, device: torch.device) -> Tensor:
    """Return latents (count, 64) from N(0, 1)."""
    return torch.randn(count, LATENT, device=device)
