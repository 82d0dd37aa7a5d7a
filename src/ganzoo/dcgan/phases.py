"""Layers between few and many channels at stride 2, written so that a CPU computes them fast.

A convolution of stride 2 is one of stride 1 over the four phases of its pixels. Between 3 and 48
channels a CPU's kernels take a quarter of the time on the phases, in one direction or the other:
forwards for a transposed convolution to few channels, backwards for a convolution from few. The
parameters, and the results up to rounding, are those of the plain layers.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import conv2d, pixel_shuffle, pixel_unshuffle


class UpToFew(nn.ConvTranspose2d):
    """A transposed convolution with an even square kernel, stride 2 and no padding."""

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        if input.is_cuda or output_size is not None:
            return super().forward(input, output_size)
        wide, few, side, _ = self.weight.shape
        half = side // 2
        phases = self.weight.view(wide, few, half, 2, half, 2).permute(1, 3, 5, 0, 2, 4).flip(4, 5)
        kernel = phases.reshape(4 * few, wide, half, half)
        kernel = kernel.contiguous(memory_format=torch.channels_last)
        images = pixel_shuffle(conv2d(input, kernel, padding=half - 1), 2)
        return images if self.bias is None else images + self.bias.view(1, -1, 1, 1)


class DownFromFew(nn.Conv2d):
    """A convolution with an even square kernel, stride 2, no padding, on sides of even length."""

    def forward(self, input: Tensor) -> Tensor:
        if input.is_cuda or input.shape[-1] % 2 or input.shape[-2] % 2:
            return super().forward(input)
        wide, few, side, _ = self.weight.shape
        half = side // 2
        phases = self.weight.view(wide, few, half, 2, half, 2).permute(0, 1, 3, 5, 2, 4)
        kernel = phases.reshape(wide, 4 * few, half, half)
        pixels = pixel_unshuffle(input, 2).contiguous(memory_format=torch.channels_last)
        return conv2d(pixels, kernel.contiguous(memory_format=torch.channels_last), self.bias)
