"""Mistakes with a gradient penalty that stop it, or that other programs hold: one donor each."""

import torch
from torch import Tensor, nn

from ganzoo.wgan_gp.fixed import FixedWGANGP


class NoDevice(FixedWGANGP):
    """The random shares are made on the CPU, wherever the images are."""

    def share(self, images: Tensor) -> Tensor:
        return torch.rand(len(images), *[1] * (images.ndim - 1))


class Unequal(FixedWGANGP):
    """Both sides are taken to have one size."""

    def paired(self, reals: Tensor, fakes: Tensor) -> tuple[Tensor, Tensor]:
        return reals, fakes


class SigmoidCritic(FixedWGANGP):
    """The critic ends in the sigmoid of another loss."""

    critic_output = nn.Sigmoid


class BatchNormCritic(FixedWGANGP):
    """The critic normalises its features over the batch."""

    def critic_norm(self, features: int) -> nn.Module:
        return nn.BatchNorm1d(features) if self.layout == "flat" else nn.BatchNorm2d(features)


class RootOfSquares(FixedWGANGP):
    """The norm is written out, and its slope at 0 is 0 times infinity."""

    def norm(self, gradient: Tensor) -> Tensor:
        return gradient.flatten(1).pow(2).sum(1).sqrt()


class IntegerBetas(FixedWGANGP):
    """The betas are written as the papers write them."""

    betas = (0, 0.9)  # pyright: ignore[reportAssignmentType]
