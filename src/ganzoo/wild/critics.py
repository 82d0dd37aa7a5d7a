"""Mistakes with the losses, data and steps of a WGAN: donors, oracles, entries."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from ganzoo.wgan_gp.fixed import FixedWGANGP
from ganzoo.wild.by_hand import (
    STOPS,
    Steps,
    leftover_survives,
    score_slopes,
    some_batches,
)
from ganzoo.wild.entries import seen

ARJOVSKY = "Arjovsky et al. 2017, algorithm 1"


class Helping(FixedWGANGP):
    """The generator lowers the score of what it makes, as the critic does."""

    def generator_loss(self, fakes: Tensor) -> Tensor:
        return self.critic(fakes).mean()


class LogOfScore(FixedWGANGP):
    """The generator's loss takes the logarithm of a score that may be negative."""

    def generator_loss(self, fakes: Tensor) -> Tensor:
        return -self.critic(fakes).log().mean()


class HingedGenerator(FixedWGANGP):
    """The critic's hinge stands in the generator's loss, too."""

    def generator_loss(self, fakes: Tensor) -> Tensor:
        return -self.critic(fakes).relu().mean()


class ThroughNumPy(FixedWGANGP):
    """The fakes pass through an array on their way to the critic."""

    def generator_loss(self, fakes: Tensor) -> Tensor:
        array = fakes.detach().cpu().numpy()
        return -self.critic(torch.from_numpy(array).to(fakes.device)).mean()


class UnitReals(FixedWGANGP):
    """Real pixels are in [0, 1], beside a generator that ends in tanh."""

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        return pixels.float() / 255


class Framed(FixedWGANGP):
    """Real images are padded with a frame of exact zeros."""

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        images = pixels.float() / 127.5 - 1
        images[..., 0, :] = images[..., -1, :] = images[..., :, 0] = images[..., :, -1] = 0
        return images


class ToggleLeftOn(FixedWGANGP):
    """The critic's parameters stay frozen after the generator's step."""

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.last_reals = self.shaped(self.reals_in_range(batch[0]))
        generator_optimizer, critic_optimizer = self.both_optimizers()
        fakes = self.shaped(self.generate(self.draw_latents(len(reals))))
        critic_loss = self.critic_loss(reals, fakes.detach())
        penalty = self.critic_penalty(reals, fakes)
        critic_optimizer.zero_grad()
        self.manual_backward(critic_loss + penalty)
        critic_optimizer.step()
        if self.batches_seen % self.critic_steps == 0:
            self.toggle_optimizer(generator_optimizer)
            fakes = self.shaped(self.generate(self.draw_latents(len(reals))))
            generator_loss = self.generator_loss(fakes)
            generator_optimizer.zero_grad()
            self.manual_backward(generator_loss)
            generator_optimizer.step()
            self.generator_steps += 1
            self.keep_losses(generator_loss, critic_loss)


class NeverCleared(FixedWGANGP):
    """The critic's gradients add up over all of its steps."""

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.last_reals = self.shaped(self.reals_in_range(batch[0]))
        generator_optimizer, critic_optimizer = self.both_optimizers()
        fakes = self.shaped(self.generate(self.draw_latents(len(reals))))
        critic_loss = self.critic_loss(reals, fakes.detach())
        self.manual_backward(critic_loss + self.critic_penalty(reals, fakes))
        critic_optimizer.step()
        if self.batches_seen % self.critic_steps == 0:
            self.toggle_optimizer(generator_optimizer)
            generator_loss = self.generator_loss(
                self.shaped(self.generate(self.draw_latents(len(reals))))
            )
            generator_optimizer.zero_grad()
            self.manual_backward(generator_loss)
            generator_optimizer.step()
            self.untoggle_optimizer(generator_optimizer)
            self.generator_steps += 1
            self.keep_losses(generator_loss, critic_loss)


def players_oppose(program: FixedWGANGP) -> None:
    slopes = score_slopes(program, 1.0)
    if slopes is not None:
        assert slopes.fake * slopes.generator <= 0, "both losses fall with a fake's score"


def any_score_has_a_loss(program: FixedWGANGP) -> None:
    slopes = score_slopes(program, -1.0)
    if slopes is not None:
        assert not math.isnan(slopes.loss), "the loss of a negative score is NaN"


def low_scores_have_a_slope(program: FixedWGANGP) -> None:
    slopes = score_slopes(program, -1.0)
    if slopes is not None:
        assert slopes.generator != 0, "fakes with a score below 0 teach nothing, and need it most"


def fakes_are_reached(program: FixedWGANGP) -> None:
    images = some_batches(program)[0][0].float()
    flat = program.shaped(images).requires_grad_()
    try:
        loss = program.generator_loss(flat)
    except STOPS:
        return
    (gradient,) = torch.autograd.grad(loss, flat, allow_unused=True)
    assert gradient is not None, "no path leads from the generator's loss to what it made"


def reals_span_the_generators_range(program: FixedWGANGP) -> None:
    pixels = torch.zeros(2, *program.image_shape, dtype=torch.uint8)
    pixels[1] = 255
    least, largest = (float(v) for v in program.reals_in_range(pixels).aminmax())
    assert least <= -0.99, f"reals are {least:g} to {largest:g}, and the generator makes -1..1"


def no_pixel_of_the_reals_is_constant(program: FixedWGANGP) -> None:
    pixels = some_batches(program, size=16)[0][0]
    spread = program.reals_in_range(pixels).std(0)
    still = int((spread == 0).sum())
    assert still == 0, f"{still} pixels are one number in every real image: nothing else is needed"


def critic_stays_trainable(program: FixedWGANGP) -> None:
    try:
        steps = Steps(program, batches_seen=program.critic_steps - 1)
        steps.take(some_batches(program))
    except STOPS:
        return
    frozen = sum(not p.requires_grad for p in steps.program.critic.parameters())
    assert frozen == 0, f"{frozen} of the critic's tensors are frozen after the generator's step"


def critic_starts_from_nothing(program: FixedWGANGP) -> None:
    assert not leftover_survives(program, "critic"), (
        "gradients of earlier steps are part of what the critic's step uses"
    )


CRITIC_FAULTS = [
    seen(
        "cooperating_generator",
        "The critic's estimate rises without end, and samples are driven away from the reals.",
        "The generator lowers the score of fakes, and so does the critic.",
        ARJOVSKY,
        Helping,
        "generator_loss",
        players_oppose,
        "Zeleni9/pytorch-wgan#51 Zeleni9/pytorch-wgan#53",
    ),
    seen(
        "log_of_unbounded_score",
        "All weights of the generator are NaN after a step.",
        "A logarithm is taken of a score, which may be negative.",
        ARJOVSKY,
        LogOfScore,
        "generator_loss",
        any_score_has_a_loss,
        "marian42/shapegan#2",
    ),
    seen(
        "hinge_in_generator",
        "The generator stops learning where the critic is ahead.",
        "-relu(D(fake)) is flat below 0, where the critic puts most fakes.",
        "Lim and Ye, Geometric GAN, 2017, equation 3",
        HingedGenerator,
        "generator_loss",
        low_scores_have_a_slope,
        "zurutech/ashpy#23",
    ),
    seen(
        "fakes_through_numpy",
        "The generator's backward stops with a RuntimeError: no tensor requires grad. Where the "
        "critic is not frozen meanwhile, it runs, and the generator has no gradient.",
        "An array has no graph, so that nothing leads back to the generator.",
        "https://docs.pytorch.org/docs/stable/generated/torch.Tensor.numpy.html",
        ThroughNumPy,
        "generator_loss",
        fakes_are_reached,
        "liamb315/CharacterGAN#4",
        "crash",
    ),
    seen(
        "reals_in_unit_range",
        "Samples are of low contrast.",
        "Real pixels are in [0, 1], and the generator's tanh reaches from -1 to 1.",
        "Radford et al. 2016, section 4",
        UnitReals,
        "reals_in_range",
        reals_span_the_generators_range,
        "voletiv/self-attention-GAN-pytorch#6 togheppi/DCGAN#2",
    ),
    seen(
        "constant_frame_on_reals",
        "The critic's loss is next to nothing from the start.",
        "A frame of exact zeros on real images alone is all that a critic needs to look at.",
        "https://github.com/BadourAlBahar/pose-with-style/issues/23",
        Framed,
        "reals_in_range",
        no_pixel_of_the_reals_is_constant,
        "BadourAlBahar/pose-with-style#23",
    ),
    seen(
        "toggle_left_on",
        "The critic never changes after the generator's first step.",
        "toggle_optimizer freezes the critic, and untoggle_optimizer is not called.",
        "https://lightning.ai/docs/pytorch/stable/model/manual_optimization.html",
        ToggleLeftOn,
        "training_step",
        critic_stays_trainable,
        "Lightning-AI/pytorch-lightning#5368 nv-tlabs/semanticGAN_code#25",
    ),
    seen(
        "critic_gradients_add_up",
        "The critic's scores grow large, and its rate must be made tiny.",
        "zero_grad is missing, so that a step uses the sum of all gradients so far.",
        "https://docs.pytorch.org/docs/stable/generated/torch.optim.Optimizer.zero_grad.html",
        NeverCleared,
        "training_step",
        critic_starts_from_nothing,
        "Hsintien-Ng/idinvert_pytorch-reproduced#1 ajbrock/BigGAN-PyTorch#25",
    ),
]
