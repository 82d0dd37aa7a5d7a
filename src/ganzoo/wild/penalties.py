"""Mistakes with a gradient penalty: donors for the WGAN with a penalty, their oracles, entries."""

import copy

import torch
from torch import Tensor, nn

from ganzoo.wgan_gp.fixed import FixedWGANGP
from ganzoo.wild.entries import seen

GULRAJANI = "Gulrajani et al. 2017, algorithm 1"


class AlphaPerPixel(FixedWGANGP):
    """Each pixel is mixed in a share of its own."""

    def share(self, images: Tensor) -> Tensor:
        return torch.rand_like(images)


class AlphaNormal(FixedWGANGP):
    """The shares are normal, so that most points lie beyond the two sides."""

    def share(self, images: Tensor) -> Tensor:
        shape = (len(images), *[1] * (images.ndim - 1))
        return torch.randn(shape, dtype=images.dtype, device=images.device)


class AtReals(FixedWGANGP):
    """The slope is taken at the real images alone."""

    def share(self, images: Tensor) -> Tensor:
        shape = (len(images), *[1] * (images.ndim - 1))
        return torch.zeros(shape, dtype=images.dtype, device=images.device)


class FirstOrder(FixedWGANGP):
    """The slope is a number without a graph."""

    def slope(self, points: Tensor) -> Tensor:
        scores = self.critic(points)
        (gradient,) = torch.autograd.grad(scores.sum(), points)
        return self.norm(gradient)


class BehindNormaliser(FixedWGANGP):
    """The leaf is made behind a normaliser, in whose units the slope then is."""

    def slope(self, points: Tensor) -> Tensor:
        normalised = (points / 0.5).detach().requires_grad_()
        scores = self.critic(normalised * 0.5)
        (gradient,) = torch.autograd.grad(scores.sum(), normalised, create_graph=True)
        return self.norm(gradient)


class OverBatch(FixedWGANGP):
    """One norm is taken of all gradients of a batch."""

    def norm(self, gradient: Tensor) -> Tensor:
        return gradient.norm()


class NoPenalty(FixedWGANGP):
    """Nothing bounds the critic."""

    def critic_penalty(self, reals: Tensor, fakes: Tensor) -> Tensor:
        return reals.new_zeros(())


def some_images(program: FixedWGANGP, count: int = 4) -> Tensor:
    """Return images as the critic reads them, always the same."""
    noise = torch.Generator().manual_seed(0)
    images = torch.rand(count, *program.image_shape, generator=noise) * 2 - 1
    return program.shaped(images)


def one_share_an_image(program: FixedWGANGP) -> None:
    images = some_images(program)
    shares = program.share(images).numel()
    assert shares == len(images), f"{shares} shares for {len(images)} images"


def shares_lie_between(program: FixedWGANGP) -> None:
    with program.seeded(0):
        shares = program.share(some_images(program, 256))
    outside = float(((shares < 0) | (shares > 1)).float().mean())
    assert outside == 0, f"{outside:.0%} of the points lie beyond the real or the fake image"


def points_leave_the_reals(program: FixedWGANGP) -> None:
    with program.seeded(0):
        largest = float(program.share(some_images(program, 256)).abs().max())
    assert largest > 0, "every point of the penalty is a real image"


def penalty_trains_the_critic(program: FixedWGANGP) -> None:
    images = some_images(program)
    try:
        penalty = copy.deepcopy(program).critic_penalty(images, images.flip(0))
    except RuntimeError:
        return
    assert penalty.requires_grad or float(penalty) == 0, (
        f"the penalty is {float(penalty):.3g} and has no graph: it is logged, and trains nothing"
    )


class Linear(nn.Module):
    """A critic whose slope is known: the sum of the pixels, twice."""

    def forward(self, images: Tensor) -> Tensor:
        return 2 * images.flatten(1).sum(1, keepdim=True)


def slope_is_in_the_images_units(program: FixedWGANGP) -> None:
    copied = copy.deepcopy(program)
    found: list[Tensor] = []

    def norm(gradient: Tensor) -> Tensor:
        found.append(gradient.detach())
        return gradient.flatten(1).sum(1)

    copied.critic, copied.norm = Linear(), norm
    copied.slope(some_images(program).requires_grad_())
    each = float(found[0].mean())
    assert abs(each - 2) < 1e-5, f"a critic that rises by 2 a unit is said to rise by {each:.3g}"


def norm_is_of_single_images(program: FixedWGANGP) -> None:
    norm = program.norm(torch.ones_like(some_images(program)))
    assert norm.ndim > 0, "one norm stands for a whole batch, and grows with the root of its size"


def steep_critic_is_penalised(program: FixedWGANGP) -> None:
    copied = copy.deepcopy(program)
    images = some_images(program)
    with torch.no_grad():
        for parameter in copied.critic.parameters():
            parameter.mul_(30)
    try:
        penalty = float(copied.critic_penalty(images, images.flip(0)).detach())
    except RuntimeError:
        return
    assert penalty != 0, "a critic thirty times as steep costs nothing"


PENALTY_FAULTS = [
    seen(
        "alpha_per_pixel",
        "The critic's slope is bounded where no sample lies.",
        "Each pixel gets a share of its own, so that a point is a speckle of two images and lies "
        "on no line between them.",
        GULRAJANI,
        AlphaPerPixel,
        "share",
        one_share_an_image,
        "eriklindernoren/PyTorch-GAN#5 hwalsuklee/tensorflow-generative-model-collections#33",
    ),
    seen(
        "alpha_normal",
        "Half of the penalty's points and more lie beyond the images.",
        "Shares from N(0, 1) in place of U(0, 1).",
        GULRAJANI,
        AlphaNormal,
        "share",
        shares_lie_between,
        "keras-team/keras-io#624",
    ),
    seen(
        "penalty_at_reals_only",
        "The critic is level at the real images and steep between them and the fakes.",
        "The points are the real images: a slope of 1 there is no bound elsewhere.",
        GULRAJANI,
        AtReals,
        "share",
        points_leave_the_reals,
        "brownvc/R3GAN#20",
    ),
    seen(
        "first_order_penalty",
        "The penalty is logged, and the critic's slope rises all the same.",
        "The slope is taken without create_graph: no gradient of it reaches the critic.",
        "https://docs.pytorch.org/docs/stable/generated/torch.autograd.grad.html",
        FirstOrder,
        "slope",
        penalty_trains_the_critic,
        "ooples/AiDotNet#1844 rosinality/stylegan2-pytorch#32",
    ),
    seen(
        "penalty_behind_normaliser",
        "The critic's slope settles at another number than 1.",
        "The leaf is made behind the normaliser, so that the slope is one of normalised inputs.",
        GULRAJANI,
        BehindNormaliser,
        "slope",
        slope_is_in_the_images_units,
        "gbionics/amp-rsl-rl#58",
    ),
    seen(
        "penalty_norm_over_batch",
        "The critic's slope for an image shrinks with the root of the batch.",
        "One norm is taken of the whole batch's gradient, and drawn to 1.",
        GULRAJANI,
        OverBatch,
        "norm",
        norm_is_of_single_images,
        "caogang/wgan-gp#27 KupynOrest/DeblurGAN#185",
    ),
    seen(
        "no_lipschitz_bound",
        "The critic's loss falls without end.",
        "Nothing bounds the critic's slope: neither a penalty nor a clip.",
        "Arjovsky et al. 2017, section 3",
        NoPenalty,
        "critic_penalty",
        steep_critic_is_penalised,
        "charlesyou999648/GAN-CIRCLE#2 torchgan/torchgan#42",
    ),
]
