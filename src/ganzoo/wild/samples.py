"""Mistakes with what a first GAN shows and keeps: donors, oracles, entries."""

import copy
from typing import Any

import torch
from torch import Tensor, nn

from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.mlp_gan.networks import make_critic, make_generator
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


class MixedBatch(FixedMLPGAN):
    """Reals and fakes pass a critic with BatchNorm as one batch."""

    def make_networks(self) -> tuple[Any, Any]:
        generator = make_generator(
            self.latent, self.width, self.image_shape, self.generator_norm, self.generator_output
        )
        shape, norm = self.image_shape, nn.BatchNorm1d
        return generator, make_critic(shape, self.width, self.leak, self.critic_output, norm)

    def critic_loss(self, reals: Tensor, fakes: Tensor) -> Tensor:
        scores = self.critic(torch.cat([self.reals_shown(reals), fakes]))
        real_scores, fake_scores = scores[: len(reals)], scores[len(reals) :]
        real_loss = self.adversarial_loss(real_scores, self.target(real_scores, 1 - self.smoothing))
        fake_loss = self.adversarial_loss(fake_scores, self.target(fake_scores, 0.0))
        self.keep_scores(real_scores, fake_scores)
        return real_loss + fake_loss


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


def statistics_are_of_one_side(program: FixedMLPGAN) -> None:
    copied = copy.deepcopy(program).train()
    seen: list[int] = []
    for layer in copied.critic.modules():
        if isinstance(layer, nn.modules.batchnorm._BatchNorm):
            layer.register_forward_pre_hook(lambda _, given: seen.append(len(given[0])))
    images = torch.zeros(4, *program.image_shape)
    try:
        copied.critic_loss(images, images[:3])
    except STOPS:
        return
    assert max(seen, default=0) <= len(images), (
        "the critic's BatchNorm averages over reals and fakes at once"
    )


SAMPLE_FAULTS = [
    seen(
        "reals_and_fakes_in_one_norm",
        "Training is unsteady, and a score depends on what else is in the batch.",
        "BatchNorm's statistics in the critic are those of reals and fakes together; in the "
        "generator's step they are of fakes alone.",
        "https://github.com/soumith/ganhacks#4-batchnorm",
        MixedBatch,
        "make_networks critic_loss",
        statistics_are_of_one_side,
        "carpedm20/DCGAN-tensorflow#266 soumith/ganhacks#52 eriklindernoren/PyTorch-GAN#135",
    ),
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
