"""The posted layers at any size, and the 64x64 layers of Radford et al. 2016 as a reference.

Latents are (N, 100); images are (N, 3, H, W), float: in [0, 1] as the generators make them.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from ganzoo.dcgan.phases import DownFromFew, UpToFew

LATENT = 100
SEED_MAPS = 6  # feature maps of the generator's seed
LAST_MAPS = 3  # feature maps that the critic's last layer reads

Reshape = Callable[[Tensor, Sequence[int]], Tensor]


def image_size(seed_grid: Sequence[int]) -> tuple[int, int]:
    """Return (H, W) of the images that grow from a seed grid: 22x17 gives 218x178."""
    height, width = (8 * cells + 42 for cells in seed_grid)  # kernel 8, stride 2, three times
    return height, width


class Generator(nn.Module):
    """Latents (N, 100) to images (N, 3, H, W) in [0, 1]: a seed grid and three upsamplings.

    Args:
        seed_grid: rows and columns of the seed; see ``image_size``.
        channels: width of the two hidden feature maps.
        fold: turns features (N, 6 * rows * columns) into (N, 6, rows, columns).
    """

    def __init__(self, seed_grid: Sequence[int], channels: int, fold: Reshape) -> None:
        super().__init__()
        self.seed_shape = (SEED_MAPS, *seed_grid)
        self.fold = fold
        self.project = nn.Sequential(nn.Linear(LATENT, math.prod(self.seed_shape)), nn.SELU())
        self.grow = nn.Sequential(
            nn.ConvTranspose2d(SEED_MAPS, channels, kernel_size=8, stride=2),
            nn.SELU(),
            nn.ConvTranspose2d(channels, channels, kernel_size=8, stride=2),
            nn.SELU(),
            UpToFew(channels, 3, kernel_size=8, stride=2),
            nn.Sigmoid(),
        )

    def forward(self, latents: Tensor) -> Tensor:
        return self.grow(self.fold(self.project(latents), self.seed_shape))


class Critic(nn.Module):
    """Images (N, 3, H, W) to scores (N, 1): three downsamplings and a linear layer.

    Args:
        seed_grid: rows and columns of the last feature maps, as in ``Generator``.
        channels: width of the two hidden feature maps.
        flatten: turns features (N, 3, rows, columns) into (N, 3 * rows * columns).
        norm: normalisation after the first two convolutions, called with their width.
        output: what the linear layer's result passes through.
    """

    def __init__(
        self,
        seed_grid: Sequence[int],
        channels: int,
        flatten: Callable[[Tensor], Tensor],
        norm: Callable[[int], nn.Module],
        output: Callable[[], nn.Module],
    ) -> None:
        super().__init__()
        self.flatten = flatten
        self.shrink = nn.Sequential(
            DownFromFew(3, channels, kernel_size=8, stride=2),
            norm(channels),
            nn.LeakyReLU(0.2),
            nn.Conv2d(channels, channels, kernel_size=8, stride=2),
            norm(channels),
            nn.LeakyReLU(0.2),
            nn.Conv2d(channels, LAST_MAPS, kernel_size=8, stride=2),
            nn.LeakyReLU(0.2),
        )
        self.judge = nn.Sequential(nn.Linear(LAST_MAPS * math.prod(seed_grid), 1), output())

    def forward(self, images: Tensor) -> Tensor:
        features = self.shrink(images).contiguous()  # of any memory format, for the posted view
        return self.judge(self.flatten(features))


class RadfordGenerator(nn.Sequential):
    """Latents (N, 100) to images (N, 3, 64, 64) in [0, 1] (Radford et al. 2016, figure 1)."""

    def __init__(self, channels: int) -> None:
        widths = [8 * channels, 4 * channels, 2 * channels, channels]
        layers: list[nn.Module] = [
            nn.Unflatten(1, (LATENT, 1, 1)),
            nn.ConvTranspose2d(LATENT, widths[0], 4, bias=False),
        ]
        for wide, narrow in pairwise(widths):
            up = nn.ConvTranspose2d(wide, narrow, 4, stride=2, padding=1, bias=False)
            layers += [nn.BatchNorm2d(wide), nn.ReLU(), up]
        last = nn.ConvTranspose2d(channels, 3, 4, stride=2, padding=1)
        super().__init__(*layers, nn.BatchNorm2d(channels), nn.ReLU(), last)
        self.apply(radford_weights)

    def forward(self, input: Tensor) -> Tensor:
        return (torch.tanh(super().forward(input)) + 1) / 2


class RadfordCritic(nn.Sequential):
    """Images (N, 3, 64, 64) to logits (N, 1) (Radford et al. 2016, section 3)."""

    def __init__(self, channels: int) -> None:
        layers: list[nn.Module] = [nn.Conv2d(3, channels, 4, stride=2, padding=1)]
        for factor in (1, 2, 4):
            narrow, wide = factor * channels, 2 * factor * channels
            layers += [
                nn.LeakyReLU(0.2),
                nn.Conv2d(narrow, wide, 4, stride=2, padding=1, bias=False),
                nn.BatchNorm2d(wide),
            ]
        last = nn.Conv2d(8 * channels, 1, 4)
        super().__init__(*layers, nn.LeakyReLU(0.2), last, nn.Flatten())
        self.apply(radford_weights)


def radford_weights(module: nn.Module) -> None:
    """Draw weights from N(0, 0.02) (Radford et al. 2016, section 4); BatchNorm scales about 1."""
    if isinstance(module, nn.Conv2d | nn.ConvTranspose2d):
        nn.init.normal_(module.weight, 0.0, 0.02)
    elif isinstance(module, nn.BatchNorm2d):
        nn.init.normal_(module.weight, 1.0, 0.02)


def variance_preserving_weights(module: nn.Module) -> None:
    """Draw weights that keep the signal's variance from layer to layer; biases become 0.

    SELU's fixed point needs weights of variance 1/fan-in (Klambauer et al. 2017, section 2).
    PyTorch counts a transposed convolution's fan over its output channels and full kernel, but an
    output pixel sums over the input channels and only (kernel/stride)^2 of the kernel's cells.
    Its kernels start smooth, since white ones draw a texture that the critic is slow to remove.
    A convolution here feeds a leaky ReLU: variance 2/((1 + 0.2^2) fan-in) (He et al. 2015).
    """
    if isinstance(module, nn.ConvTranspose2d):
        cells = math.prod(module.kernel_size) / math.prod(module.stride)
        smooth = smoothed(nn.init.normal_(module.weight))
        with torch.no_grad():
            module.weight.copy_(smooth / smooth.std() / math.sqrt(module.in_channels * cells))
    elif isinstance(module, nn.Conv2d):
        nn.init.kaiming_normal_(module.weight, a=0.2, nonlinearity="leaky_relu")
    elif isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, 0.0, 1 / math.sqrt(module.in_features))
    else:
        return
    if module.bias is not None:
        nn.init.zeros_(module.bias)


def smoothed(kernels: Tensor) -> Tensor:
    """Return kernels (I, O, H, W) blurred by the binomial 1 3 3 1 along both axes."""
    binomial = torch.tensor([1.0, 3.0, 3.0, 1.0], device=kernels.device) / 8
    rows = nn.functional.pad(kernels.detach().flatten(0, 1).unsqueeze(1), (2, 1, 2, 1))
    rows = nn.functional.conv2d(rows, binomial.outer(binomial)[None, None])
    return rows.view_as(kernels)
