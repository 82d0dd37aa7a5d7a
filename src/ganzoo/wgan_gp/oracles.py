"""Properties of a healthy gradient penalty; each raises AssertionError where one fault is."""

import copy

import torch
from torch import Tensor

from ganzoo.wgan_gp.fixed import FixedWGANGP


def two_sides(program: FixedWGANGP, reals: int = 4, fakes: int = 4) -> tuple[Tensor, Tensor]:
    """Return images of both sides as the critic reads them, always the same."""
    noise = torch.Generator().manual_seed(0)
    images = torch.rand(reals + fakes, *program.image_shape, generator=noise) * 2 - 1
    shaped = program.shaped(images).to(program.device)
    return shaped[:reals], shaped[reals:]


def norm_is_over_all_pixels(program: FixedWGANGP) -> None:
    norm = program.norm(torch.ones(2, 1, 3, 4))
    if norm.ndim == 0:  # one of the whole batch: another fault
        return
    assert norm.shape == (2,), f"2 images of 12 pixels get {norm.numel()} norms, one for each pixel"
    assert torch.allclose(norm, torch.full((2,), 12**0.5)), f"the norm of 12 ones is {norm[0]:g}"


def flat_points_stay_flat(program: FixedWGANGP) -> None:
    share = program.share(torch.zeros(4, 6))
    shape = tuple(torch.lerp(torch.zeros(4, 6), torch.ones(4, 6), share.cpu()).shape)
    assert shape == (4, 6), f"4 flat images become points of shape {shape}"


def penalty_does_not_reach_the_generator(program: FixedWGANGP) -> None:
    fakes = torch.zeros(2, 3, requires_grad=True)
    reached = any(end.requires_grad for end in program.ends(torch.ones(2, 3), fakes * 1))
    assert not reached, "the penalty keeps the generator's graph, and walks it backward"


def share_is_where_the_images_are(program: FixedWGANGP) -> None:
    images = torch.zeros(4, *program.image_shape, device="meta")
    where = program.share(images).device
    assert where == images.device, (
        f"the shares are on {where} and the images on another device: on a GPU a RuntimeError, "
        "expected all tensors to be on the same device"
    )


def sides_may_differ_in_size(program: FixedWGANGP) -> None:
    try:
        copy.deepcopy(program).critic_penalty(*two_sides(program, 4, 3))
    except RuntimeError as error:
        raise AssertionError(f"RuntimeError: {str(error).splitlines()[0]}") from error


def critic_is_unbounded(program: FixedWGANGP) -> None:
    least, largest = program.critic_output()(torch.tensor([-1e3, 1e3])).tolist()
    assert largest - least > 100, f"the critic's scores lie within {least:g} and {largest:g}"


def images_are_judged_alone(program: FixedWGANGP) -> None:
    copied = copy.deepcopy(program).train()
    reals, _ = two_sides(program)
    points = reals.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(copied.critic(points)[0].sum(), points)
    others = float(gradient[1:].abs().max())
    assert others == 0, f"the score of one image depends on the others (slope {others:.2g})"


def flat_critic_gives_no_nan(program: FixedWGANGP) -> None:
    gradient = torch.zeros(2, *program.image_shape, requires_grad=True)
    norm = program.norm(gradient)
    (slope,) = torch.autograd.grad((norm - 1).square().sum(), gradient)
    broken = int((~slope.isfinite()).sum())
    assert broken == 0, "where the critic is level the penalty's gradient is NaN"


def optimizers_can_be_made(program: FixedWGANGP) -> None:
    try:
        program.configure_optimizers()
    except (TypeError, ValueError) as error:
        raise AssertionError(f"{type(error).__name__}: {error}") from error
