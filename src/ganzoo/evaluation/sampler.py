"""Samples of any generator, as the scores take them."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _NormBase  # every layer that keeps running statistics
from torch.nn.modules.dropout import _DropoutNd


def sampler(
    generator: nn.Module,
    latents: Callable[[int], Tensor],
    low: float,
    high: float = 1.0,
) -> Callable[[int], Tensor]:
    """Return a function from n to n samples, uint8 (n, C, H, W), for :func:`evaluate`.

    Args:
        generator: from latents to images, float (n, C, H, W).
        latents: gives the generator's input for n images.
        low: what black is in the generator's output: 0 or -1, mostly.
        high: what white is.

    Raises:
        ValueError: when samples are drawn: the generator is in train mode and has layers that then
            mix the samples of a batch or drop features, or an image leaves [low, high] by more than
            a hundredth.

    Example:
        >>> sample = sampler(generator.eval(), lambda n: torch.randn(n, 100), low=-1)
        ... # doctest: +SKIP
    """

    @torch.no_grad()
    def sample(n: int) -> Tensor:
        refuse_train_mode(generator)
        images = (generator(latents(n)) - low) / (high - low)
        least, most = (float(found) for found in images.aminmax())
        if not (least >= -0.01 and most <= 1.01):  # NaN, too
            raise ValueError(
                f"samples reach from {low + least * (high - low):.3g} to "
                f"{low + most * (high - low):.3g}, outside [{low:g}, {high:g}]: give low and high "
                "of the generator's last layer"
            )
        return (images * 255).round().clamp(0, 255).to(torch.uint8)

    return sample


def refuse_train_mode(generator: nn.Module) -> None:
    """Raise ValueError where a layer that depends on its mode is in train mode."""
    for name, layer in generator.named_modules():
        mixes = isinstance(layer, _NormBase) and layer.track_running_stats
        if layer.training and (mixes or isinstance(layer, _DropoutNd)):
            raise ValueError(
                f"{name or 'the generator'} ({type(layer).__name__}) is in train mode: each sample "
                "would depend on the others of its batch or on chance. Call generator.eval() first"
            )
