"""Properties of a healthy first GAN; each raises AssertionError where one fault is."""

import copy
import math

import torch
from torch import Tensor, nn

from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.wild.by_hand import score_slopes

CONFIDENT = 120.0  # a logit at which float32's sigmoid is exactly 0 or 1


def some_images(program: FixedMLPGAN, count: int = 4) -> Tensor:
    """Return images (count, C, H, W) in [-1, 1], always the same."""
    noise = torch.Generator().manual_seed(0)
    images = torch.rand(count, *program.image_shape, generator=noise) * 2 - 1
    return images.to(program.device)


def scored(program: FixedMLPGAN, logit: float) -> FixedMLPGAN:
    """Return a copy whose critic gives every image one logit, through its own last activation."""
    copied = copy.deepcopy(program)
    *_, last, _ = copied.critic
    with torch.no_grad():
        last.weight.zero_()
        last.bias.fill_(logit)
    return copied


def loss_slope(program: FixedMLPGAN, logit: float) -> float:
    """Return the size of the generator's loss's derivative by the logit that fakes get."""
    copied = scored(program, logit)
    loss = copied.generator_loss(some_images(copied))
    (slope,) = torch.autograd.grad(loss, copied.critic[-2].bias)
    return float(slope.abs())


def confident_critic_still_teaches(program: FixedMLPGAN) -> None:
    # the critic's own mistake: a fake that it takes for real beyond doubt
    copied = scored(program, CONFIDENT)
    scores = copied.critic(some_images(copied))
    loss = copied.adversarial_loss(scores, scores.detach() * 0)
    slope = float(torch.autograd.grad(loss, copied.critic[-2].bias)[0].abs())
    assert slope != 0, f"at a logit of {CONFIDENT:g} the loss has a slope of exactly 0"


def loss_is_finite_where_the_critic_is_sure(program: FixedMLPGAN) -> None:
    copied = scored(program, CONFIDENT)
    scores = copied.critic(some_images(copied))
    loss = float(copied.adversarial_loss(scores, torch.ones_like(scores)).detach())
    assert math.isfinite(loss), f"at a logit of {CONFIDENT:g} the loss of a right answer is {loss}"


def losing_generator_has_a_gradient(program: FixedMLPGAN) -> None:
    # at 8 a probability's cross-entropy still has its slope of 1; on which side a sure critic puts
    # fakes is its own choice
    slopes = score_slopes(program)
    logit = 8.0 if slopes is not None and slopes.real > 0 else -8.0
    try:
        slope = loss_slope(program, logit)
    except ValueError:  # labels that the loss refuses: another fault
        return
    assert slope > 0.01, f"the better the critic, the less it teaches: {slope:.1e} at {logit:g}"


def networks_are_balanced(program: FixedMLPGAN) -> None:
    ratio = program.critic_rate * program.critic_turns / program.generator_rate
    assert ratio <= 10, f"the critic moves {ratio:g} times as fast as the generator"


def momentum_is_low(program: FixedMLPGAN) -> None:
    beta = program.betas[0]
    assert beta <= 0.5, f"Adam's first beta is {beta}"


def reach(program: FixedMLPGAN) -> tuple[float, float]:
    """Return the least and the largest value that the generator's last activation can give."""
    out = program.generator_output()(torch.tensor([-1e4, 0.0, 1e4]))
    return float(out.min()), float(out.max())


def every_pixel_can_be_made(program: FixedMLPGAN) -> None:
    blank, full = program.reals_in_range(torch.tensor([0, 255], dtype=torch.uint8)).tolist()
    least, largest = reach(program)
    inside = least <= blank + 1e-3 and largest >= full - 1e-3
    assert inside, (
        f"pixels are {blank:g} to {full:g}, and the generator makes {least:g}..{largest:g}"
    )


def output_is_bounded(program: FixedMLPGAN) -> None:
    least, largest = reach(program)
    assert max(-least, largest) < 100, f"the generator's output reaches {largest:g}"


def generator_is_normalised(program: FixedMLPGAN) -> None:
    layer = program.generator_norm(4)
    out = layer(torch.randn(64, 4) * 5 + 3)
    spread = float(out.detach().std())
    assert spread < 2, f"hidden features keep a deviation of {spread:.1f}"


def critic_gradient_is_left_alone(program: FixedMLPGAN) -> None:
    copied = copy.deepcopy(program)
    for parameter in copied.critic.parameters():
        parameter.grad = torch.ones_like(parameter)
    before = [p.detach().clone() for p in copied.critic.parameters()]
    copied.before_critic_step()
    gradients = [p.grad for p in copied.critic.parameters() if p.grad is not None]
    largest = float(nn.utils.get_total_norm(gradients))
    same = all(torch.equal(a, b) for a, b in zip(before, copied.critic.parameters(), strict=True))
    assert all(bool((g == 1).all()) for g in gradients), (
        f"the gradient's norm became {largest:.3g} and {'no' if same else 'a'} weight changed: "
        "a gradient was clipped where weights were meant"
    )


def one_nan_stays_alone(program: FixedMLPGAN) -> None:
    copied = copy.deepcopy(program)
    for parameter in copied.generator.parameters():
        parameter.grad = torch.ones_like(parameter)
    first, *rest = copied.generator.parameters()
    first.grad[0] = math.nan  # pyright: ignore[reportOptionalSubscript]
    try:
        copied.before_generator_step()
    except RuntimeError:  # the clip that was asked to refuse it
        return
    spread = sum(int(p.grad.isnan().any()) for p in rest if p.grad is not None)
    assert spread == 0, f"one NaN gradient became {spread} more, without a word"


def both_sides_look_alike(program: FixedMLPGAN) -> None:
    images = some_images(program)
    with program.seeded(0):
        shown = program.reals_shown(images)
    largest = float((shown - images).abs().max())
    assert largest == 0, f"reals are shown with noise of up to {largest:.2g}, fakes without"


def critic_can_learn_through_its_bound(program: FixedMLPGAN) -> None:
    copied = copy.deepcopy(program)
    with torch.no_grad():
        for parameter in copied.critic.parameters():
            parameter.fill_(1.0)
    copied.after_critic_step()
    kept = min(float(p.detach().min()) for p in copied.critic.parameters())
    assert kept > 0.5, f"every weight is clipped to {kept:g}: the critic's scores are all alike"


def real_target_is_certain(program: FixedMLPGAN) -> None:
    assert program.smoothing == 0, (
        f"reals have a target of {1 - program.smoothing:g}: on fakes the critic is as sure as ever"
    )


def rates_do_not_rise(program: FixedMLPGAN) -> None:
    first, *_, last = program.rate_stages
    assert last <= first, f"the rates rise {last / first:g}-fold during the training"


def negative_inputs_keep_a_fifth(program: FixedMLPGAN) -> None:
    kept = -float(program.critic[3](torch.tensor(-1.0)))
    assert kept >= 0.2, f"the critic's activations keep {kept:g} of what is below 0"


def labels_have_the_scores_shape(program: FixedMLPGAN) -> None:
    images = some_images(program)
    try:
        copy.deepcopy(program).critic_loss(images, images)
    except ValueError as error:
        raise AssertionError(f"ValueError: {error}") from error


def each_score_meets_its_own_label(program: FixedMLPGAN) -> None:
    scores = torch.zeros(4, 1).sigmoid()
    target = program.target(scores, 1.0)
    try:
        one = program.adversarial_loss(scores[:1], target[:1])
    except ValueError:  # refused: not silent
        return
    assert target.shape == scores.shape, (
        f"{len(scores)} scores of shape {tuple(scores.shape)} meet labels of shape "
        f"{tuple(target.shape)}: {len(scores)} times {len(scores)} pairs, without an error "
        f"(a loss of {float(one):.3g})"
    )


def generator_can_step_twice(program: FixedMLPGAN) -> None:
    copied = copy.deepcopy(program)
    fakes = copied.generate(copied.draw_latents(4))
    try:
        for turn in range(max(2, copied.generator_turns)):
            fakes = copied.fakes_of_turn(fakes, turn)
            torch.autograd.backward(copied.generator_loss(fakes))
    except ValueError:  # labels that the loss refuses: another fault
        return
    except RuntimeError as error:
        if "second time" in str(error):
            raise AssertionError(f"RuntimeError: {str(error).splitlines()[0]}") from error


def norm_is_of_the_whole_gradient(program: FixedMLPGAN) -> None:
    network = nn.Linear(3, 4)
    for parameter in network.parameters():
        parameter.grad = torch.ones_like(parameter)
    norm = float(program.gradient_norm(network))
    assert abs(norm - 4) < 1e-5, f"16 gradients of 1 have a norm of 4, and {norm:.3g} is reported"
