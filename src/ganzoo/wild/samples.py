"""Mistakes with what a first GAN shows and keeps: donors, oracles, entries."""

import copy

import torch
from torch import Tensor, nn

from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.wild.by_hand import STOPS, Steps, some_batches
from ganzoo.wild.entries import seen


class Hard(nn.Module):
    """Black or white, whichever is nearer."""

    def forward(self, x: Tensor) -> Tensor:
        return (x > 0).float() * 2 - 1


class Thresholded(FixedMLPGAN):
    """The generator's output is decided, as an argmax decides it."""

    generator_output = Hard


class AverageOfParameters(FixedMLPGAN):
    """An averaged generator follows the parameters, and not the buffers."""

    def averaged_generator(self) -> nn.Module | None:
        if "average" not in self.__dict__:
            self.__dict__["average"] = copy.deepcopy(self.generator)
        return self.__dict__["average"]

    def before_generator_step(self) -> None:
        average = self.averaged_generator()
        assert average is not None
        pairs = zip(average.parameters(), self.generator.parameters(), strict=True)
        with torch.no_grad():
            for own, new in pairs:
                own.lerp_(new, 0.1)


def output_has_a_path(program: FixedMLPGAN) -> None:
    images = copy.deepcopy(program).train().generate(torch.zeros(4, program.latent))
    assert images.requires_grad, "no path leads from the images to the generator's weights"


def average_follows_the_buffers(program: FixedMLPGAN) -> None:
    if program.averaged_generator() is None:
        return
    steps = Steps(program)
    before = {n: b.clone() for n, b in steps.program.averaged_generator().named_buffers()}
    try:
        steps.take(some_batches(program, 3))
    except STOPS:
        return
    moved = {n for n, b in steps.program.generator.named_buffers() if not torch.equal(b, before[n])}
    after = dict(steps.program.averaged_generator().named_buffers())
    still = sum(torch.equal(after[name], before[name]) for name in moved)
    assert still == 0, f"{still} buffers of the averaged generator stay as they were copied"


SAMPLE_FAULTS = [
    seen(
        "thresholded_output",
        "The generator's loss moves, and every gradient of its weights is None.",
        "A comparison, like an argmax, has no derivative: the graph ends there.",
        "https://docs.pytorch.org/docs/stable/notes/autograd.html",
        Thresholded,
        "generator_output",
        output_has_a_path,
        "liamb315/CharacterGAN#4",
    ),
    seen(
        "average_without_buffers",
        "The averaged generator's samples are worse than the raw one's, and stay so.",
        "The average is of the parameters alone; BatchNorm's statistics are buffers.",
        "https://docs.pytorch.org/docs/stable/optim.html#weight-averaging-swa-and-ema",
        AverageOfParameters,
        "averaged_generator before_generator_step",
        average_follows_the_buffers,
        "odegeasslbc/FastGAN-pytorch#4 rosinality/stylegan2-pytorch#172",
    ),
]
