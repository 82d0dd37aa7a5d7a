"""How a healthy program asks a metric of torchmetrics; each raises AssertionError at one fault."""

import torch
from torch import Tensor, nn
from torchmetrics.image.fid import FrechetInceptionDistance

from ganzoo.mlp_gan.fixed import FixedMLPGAN


class MeanColour(nn.Module):
    """A stand-in for Inception that reads what Inception reads: uint8 (N, 3, H, W)."""

    num_features = 3

    def forward(self, images: Tensor) -> Tensor:
        if images.dtype != torch.uint8:
            raise ValueError(
                f"Expecting image as torch.Tensor with dtype=torch.uint8, not {images.dtype}"
            )
        if images.shape[1] != 3:
            raise RuntimeError(f"expected input{list(images.shape)} to have 3 channels")
        return images.float().flatten(2).mean(2)


def metric_for(program: FixedMLPGAN) -> FrechetInceptionDistance:
    """Return the program's metric on a stand-in for Inception."""
    metric = program.metric_of(MeanColour())
    metric.used_custom_model = False  # so that it converts images as it does for Inception
    return metric


def grey(level: int, count: int = 8) -> Tensor:
    """Return almost uniform images (count, 1, 4, 4) about an 8-bit level, in [-1, 1]."""
    noise = torch.Generator().manual_seed(0)
    levels = level + torch.randint(-2, 3, (count, 1, 4, 4), generator=noise)
    return levels / 127.5 - 1


def metric_sees_the_images(program: FixedMLPGAN) -> None:
    # two greys 40 levels apart, of which one is below the middle
    try:
        found = program.frechet(metric_for(program), grey(100), grey(140))
    except (ValueError, RuntimeError):  # refused: the other faults
        return
    due = 3 * 40.0**2
    assert abs(found - due) < 0.01 * due, f"the distance is {found:.4g} where {due:g} is due"


def metric_takes_the_images(program: FixedMLPGAN) -> None:
    try:
        program.frechet(metric_for(program), grey(100), grey(140))
    except ValueError as error:
        raise AssertionError(f"ValueError: {error}") from error
    except RuntimeError:  # refused for its channels
        return


def metric_gets_three_channels(program: FixedMLPGAN) -> None:
    try:
        program.frechet(metric_for(program), grey(100), grey(140))
    except RuntimeError as error:
        raise AssertionError(f"RuntimeError: {error}") from error
    except ValueError:  # refused for its type
        return


def metric_starts_anew(program: FixedMLPGAN) -> None:
    metric = metric_for(program)
    try:
        once = program.frechet(metric, grey(160), grey(180))
        program.frechet(metric, grey(160), grey(220))
        again = program.frechet(metric, grey(160), grey(180))
    except (ValueError, RuntimeError):  # refused: the other faults
        return
    assert abs(once - again) < 1e-3 * once, (
        f"the same images are {once:.4g} apart at first and {again:.4g} later"
    )
