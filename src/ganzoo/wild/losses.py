"""Mistakes with losses, data and noise of a first GAN: donors, oracles, entries."""

import copy

import torch
from torch import Tensor, nn

from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.program import evaluating
from ganzoo.wild.by_hand import reaches_fakes, score_slopes
from ganzoo.wild.entries import seen

GOODFELLOW = "Goodfellow et al. 2014, section 3"
BATCHNORM = "https://docs.pytorch.org/docs/stable/generated/torch.nn.BatchNorm1d.html"


class FakesCalledReal(FixedMLPGAN):
    """The critic is told that fakes are real."""

    def critic_loss(self, reals: Tensor, fakes: Tensor) -> Tensor:
        real_scores, fake_scores = self.critic(self.reals_shown(reals)), self.critic(fakes)
        real_loss = self.adversarial_loss(real_scores, self.target(real_scores, 1 - self.smoothing))
        fake_loss = self.adversarial_loss(fake_scores, self.target(fake_scores, 1.0))
        self.keep_scores(real_scores, fake_scores)
        return real_loss + fake_loss


class Negated(FixedMLPGAN):
    """The generator's loss has a minus too many."""

    def generator_loss(self, fakes: Tensor) -> Tensor:
        scores = self.critic(fakes)
        return -self.adversarial_loss(scores, self.target(scores, 1.0))


class DetachedFakes(FixedMLPGAN):
    """The fakes are detached in the generator's step, as they are in the critic's."""

    def generator_loss(self, fakes: Tensor) -> Tensor:
        scores = self.critic(fakes.detach())
        return self.adversarial_loss(scores, self.target(scores, 1.0))


class OneNoise(FixedMLPGAN):
    """Every batch gets the same latents."""

    def draw_latents(self, count: int) -> Tensor:
        noise = torch.Generator().manual_seed(0)
        return torch.randn(count, self.latent, generator=noise).to(self.device)


class EpsForMomentum(FixedMLPGAN):
    """BatchNorm's second argument is taken for its momentum."""

    @staticmethod
    def generator_norm(features: int) -> nn.Module:
        return nn.BatchNorm1d(features, 0.8)


class FrozenStatistics(FixedMLPGAN):
    """The generator is left in eval mode."""

    def generate(self, latents: Tensor) -> Tensor:
        with evaluating(self.generator):
            return self.generator(latents)


class MinMaxScaled(FixedMLPGAN):
    """Each image is scaled by its own darkest and lightest pixel."""

    def reals_in_range(self, pixels: Tensor) -> Tensor:
        images = pixels.float()
        axes = tuple(range(max(0, images.ndim - 3), images.ndim))
        least, most = images.amin(axes, keepdim=True), images.amax(axes, keepdim=True)
        return (images - least) / (most - least) * 2 - 1


class InPlaceOutput(FixedMLPGAN):
    """The last activation's result is changed where it lies."""

    class Output(nn.Module):
        """tanh, times one."""

        def forward(self, x: Tensor) -> Tensor:
            return x.tanh().mul_(1.0)

    generator_output = Output


def critic_is_paid_to_separate(program: FixedMLPGAN) -> None:
    slopes = score_slopes(program)
    if slopes is not None:
        assert slopes.real * slopes.fake <= 0, (
            "the critic's loss falls with the scores of reals and of fakes alike"
        )


def generator_wants_what_reals_get(program: FixedMLPGAN) -> None:
    slopes = score_slopes(program)
    if slopes is not None:
        assert slopes.real * slopes.generator >= 0, (
            "the generator's loss falls where a fake's score moves away from a real's"
        )


def fakes_are_reached(program: FixedMLPGAN) -> None:
    assert reaches_fakes(program), "no path leads from the generator's loss to what it made"


def noise_changes(program: FixedMLPGAN) -> None:
    draws = []
    for seed in (0, 1):
        with program.seeded(seed):
            draws.append(program.draw_latents(4))
    assert not torch.equal(*draws), "every batch of latents is the same"


def epsilon_is_small(program: FixedMLPGAN) -> None:
    epsilon = getattr(program.generator_norm(4), "eps", 0.0)
    assert epsilon < 0.1, f"BatchNorm adds {epsilon:g} to every variance: that is its eps"


def statistics_follow_the_batches(program: FixedMLPGAN) -> None:
    copied = copy.deepcopy(program).train()
    layers = [m for m in copied.generator.modules() if isinstance(m, nn.BatchNorm1d)]
    with torch.no_grad():
        copied.generate(torch.randn(8, copied.latent))
    for layer in layers:
        assert layer.num_batches_tracked != 0, "BatchNorm saw a batch in eval mode in training"


def blank_images_are_numbers(program: FixedMLPGAN) -> None:
    blank = torch.zeros(2, *program.image_shape, dtype=torch.uint8)
    assert program.reals_in_range(blank).isfinite().all(), "an image of one colour becomes NaN"


def output_can_be_derived(program: FixedMLPGAN) -> None:
    out = program.generator_output()(torch.zeros(4, requires_grad=True) * 1.0)
    try:
        out.sum().backward()
    except RuntimeError as error:
        if "inplace operation" not in str(error):  # no path at all: another fault
            return
        raise AssertionError(f"RuntimeError: {str(error).splitlines()[0]}") from error


LOSS_FAULTS = [
    seen(
        "fakes_labelled_real",
        "The critic tells nothing from the start, and samples do not improve.",
        "The target of fakes is 1 in the critic's loss, as in the generator's.",
        GOODFELLOW,
        FakesCalledReal,
        "critic_loss",
        critic_is_paid_to_separate,
        "SerezD/vqvae-vqgan-pytorch-lightning#3 Oscarshu0719/pytorch-StarGAN-VC2#4",
    ),
    seen(
        "negated_generator_loss",
        "The critic wins at once, and samples are driven away from the reals.",
        "The generator lowers minus its loss, and so helps the critic.",
        GOODFELLOW,
        Negated,
        "generator_loss",
        generator_wants_what_reals_get,
        "https-deeplearning-ai/GANs-Public#1",
    ),
    seen(
        "detached_generator_step",
        "The generator's loss moves, and its weights never do: every gradient is None.",
        "fakes.detach(), right in the critic's step, cuts the generator's.",
        "https://docs.pytorch.org/docs/stable/generated/torch.Tensor.detach.html",
        DetachedFakes,
        "generator_loss",
        fakes_are_reached,
        "nikhilsinghmus/image2reverb#37 wangle53/CSA-CDGAN#5 tamarott/SinGAN#117",
    ),
    seen(
        "fixed_noise",
        "The generator learns a batch of images, and no more.",
        "The latents are drawn once, or from a generator seeded anew at each step.",
        GOODFELLOW,
        OneNoise,
        "draw_latents",
        noise_changes,
        "genforce/genforce#27",
    ),
    seen(
        "eps_for_momentum",
        "BatchNorm hardly normalises features of small variance.",
        "The second argument of BatchNorm is eps, and 0.8 was meant as the momentum.",
        BATCHNORM,
        EpsForMomentum,
        "generator_norm",
        epsilon_is_small,
        "eriklindernoren/PyTorch-GAN#116",
    ),
    seen(
        "frozen_statistics",
        "BatchNorm's running statistics stay at 0 and 1.",
        "The generator is in eval mode while it is trained.",
        BATCHNORM,
        FrozenStatistics,
        "generate",
        statistics_follow_the_batches,
        "openai/improved-gan#17 jiamings/wgan#1",
    ),
    seen(
        "min_max_scaling",
        "A loss is NaN at the first image of one colour.",
        "(x - min) / (max - min) divides by 0 where an image is blank.",
        "https://github.com/avalonstrel/GatedConvolution_pytorch/issues/27",
        MinMaxScaled,
        "reals_in_range",
        blank_images_are_numbers,
        "avalonstrel/GatedConvolution_pytorch#27 irfanICMLL/structure_knowledge_distillation#21",
    ),
    seen(
        "activation_in_place",
        "The first backward stops with a RuntimeError about an inplace operation.",
        "tanh keeps its result for its derivative, and the next operation overwrites it.",
        "https://docs.pytorch.org/docs/stable/notes/autograd.html",
        InPlaceOutput,
        "generator_output",
        output_can_be_derived,
        "dreamgonfly/GAN-tutorial#1 NVlabs/FUNIT#23",
        "crash",
    ),
]
