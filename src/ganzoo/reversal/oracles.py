"""Properties of a healthy game with a reversal; each raises AssertionError where one fault is."""

import copy
import math
from dataclasses import replace

import torch
from torch import Tensor, nn

from ganzoo.reversal.base import ReversalProgram


def twin(program: ReversalProgram) -> ReversalProgram:
    """Return a copy that an oracle may change, in training mode, with a ramp that always runs."""
    alpha, steps = program.ramp_alpha, program.ramp_steps
    copied = copy.deepcopy(program).train()
    copied.critic.pieces = replace(
        copied.critic.pieces, ramp=lambda count: math.tanh(alpha * count / (2 * steps))
    )
    return copied


def features_for(program: ReversalProgram, count: int = 8) -> Tensor:
    """Return features (count, d) that need a gradient, always the same."""
    noise = torch.Generator().manual_seed(0)
    features = torch.randn(count, program.feature_length, generator=noise).to(program.device)
    return features.requires_grad_()


def filled(program: ReversalProgram, value: float = 1.0) -> ReversalProgram:
    """Return a copy whose weights all have one value."""
    copied = twin(program)
    with torch.no_grad():
        for parameter in copied.parameters():
            parameter.fill_(value)
    return copied


def untouched(network: nn.Module, value: float = 1.0) -> bool:
    return all(bool((p == value).all()) for p in network.parameters())


def feature_gradient(program: ReversalProgram, coefficient: float) -> Tensor:
    """Return what reaches the features of the gradient of the scores' sum, at a coefficient."""
    critic = twin(program).critic
    critic.pieces = replace(critic.pieces, count=lambda _: None)
    critic.coefficient = coefficient
    features = features_for(program)
    (gradient,) = torch.autograd.grad(critic.eval()(features).sum(), features)
    return gradient


def critic_can_be_made(program: ReversalProgram) -> None:
    try:
        program.make_critic()
    except NameError as error:
        raise AssertionError(f"NameError: {error}") from error


def ramp_runs(program: ReversalProgram) -> None:
    try:
        program.ramp(1, program.ramp_alpha, program.ramp_steps)
    except AttributeError as error:
        raise AssertionError(f"AttributeError: {str(error).splitlines()[0]}") from error


def first_step_is_small(program: ReversalProgram) -> None:
    copied = twin(program)
    for optimizer, network in zip(
        copied.configure_optimizers(), (copied.generator, copied.critic), strict=True
    ):
        before = [p.detach().clone() for p in network.parameters()]
        for parameter in network.parameters():
            parameter.grad = torch.ones_like(parameter)
        optimizer.step()
        moved = max(
            float((p.detach() - b).abs().max())
            for p, b in zip(network.parameters(), before, strict=True)
        )
        assert moved <= 0.01, f"the first step moves every weight by {moved:.2g}"


def critic_is_bounded(program: ReversalProgram) -> None:
    copied = filled(program)
    features = features_for(program).detach()
    penalty = float(copied.critic_penalty(features, features + 1).detach())
    copied.before_critic_step()
    copied.bound_critic()
    acts = not (untouched(copied.critic) and untouched(copied.generator))
    assert penalty > 0 or acts, "no penalty, and bounding the critic changes no weight"


def weights_are_not_clipped(program: ReversalProgram) -> None:
    copied = filled(program)
    copied.bound_critic()
    largest = max(float(p.detach().abs().max()) for p in copied.critic.parameters())
    assert untouched(copied.critic), (
        f"weights are cut to {largest:g}: the slope then depends on the width, not on the data"
    )


def generator_is_not_clipped(program: ReversalProgram) -> None:
    copied = filled(program)
    copied.bound_critic()
    assert untouched(copied.generator), "bounding the critic changes the generator's weights"


def nothing_is_bounded_before_the_step(program: ReversalProgram) -> None:
    copied = filled(program)
    copied.before_critic_step()
    assert untouched(copied.critic), "weights are clamped before the step, which undoes it"


def critic_leads(program: ReversalProgram) -> None:
    assert program.critic_steps >= 2, "the critic is stepped once for each generator step"


def scores_repeat(program: ReversalProgram) -> None:
    critic, features = twin(program).critic, features_for(program)
    with program.seeded(0):
        once, again = critic.score(features), critic.score(features)
    gap = float((once - again).abs().max().detach())
    assert gap == 0, f"two scores of the same features differ by {gap:.2g}: their slope is noise"


def a_forward_is_no_step(program: ReversalProgram) -> None:
    copied = twin(program)
    copied.set_coefficient()
    features, seen = features_for(program), [copied.critic.coefficient]
    for _ in range(2):
        copied.critic(features)
        seen.append(copied.critic.coefficient)
    assert len(set(seen)) == 1, f"two forwards move the coefficient: {seen}"


def first_step_reaches_the_generator(program: ReversalProgram) -> None:
    copied = twin(program)
    copied.generator_steps = 0
    copied.set_coefficient()
    copied.critic(features_for(program))
    assert copied.critic.coefficient > 0, "the first coefficient is 0: no gradient passes"


def critic_reads_detached_features(program: ReversalProgram) -> None:
    critic = twin(program).critic
    try:
        with torch.no_grad():
            critic(features_for(program).detach())
    except RuntimeError as error:
        raise AssertionError(f"RuntimeError: {error}") from error


def layers_follow_the_critic(program: ReversalProgram) -> None:
    cosines = layer_cosines(program)
    assert min(cosines) > 0.99, (
        "cosines between the layers' gradients and those of the critic's objective: "
        + ", ".join(f"{c:.2f}" for c in cosines)
    )


def layer_cosines(program: ReversalProgram) -> list[float]:
    """Return for each of the critic's tensors the cosine of its gradient with the true one."""
    critic = twin(program).critic.eval()
    critic.pieces = replace(critic.pieces, count=lambda _: None)
    critic.coefficient = 0.5
    features = features_for(program)
    signs = torch.ones(len(features), 1, device=program.device)
    signs[::2] = -1
    parameters = list(critic.parameters())[:-1]  # the last bias has no gradient: signs cancel
    found = torch.autograd.grad((critic(features) * signs).sum(), parameters)
    true = torch.autograd.grad((critic.score(features) * signs).sum(), parameters)
    flat = zip(found, true, strict=True)
    return [float(torch.cosine_similarity(a.flatten(), b.flatten(), dim=0)) for a, b in flat]


def reversal_opposes(program: ReversalProgram) -> None:
    features = features_for(program)
    (gradient,) = torch.autograd.grad(program.reverse(features, 1.0).sum(), features)
    assert gradient.max() < 0, f"the reversal's derivative is {float(gradient.mean()):g}"


def coefficient_reaches_the_features(program: ReversalProgram) -> None:
    gradient = feature_gradient(program, 0.0)
    assert not gradient.any(), "at coefficient 0 a gradient arrives: nothing reverses it"


def gradient_is_reversed_once(program: ReversalProgram) -> None:
    one, two = (feature_gradient(program, c).norm() for c in (0.25, 0.5))
    growth = float(two / one)
    assert growth < 3, (
        f"twice the coefficient gives {growth:.1f} times the gradient: reversed twice"
    )


def critic_raises_the_target(program: ReversalProgram) -> None:
    low, high = torch.zeros(1, 1), torch.ones(1, 1)
    gain = float(program.wasserstein_loss(high, low) - program.wasserstein_loss(low, low))
    assert gain < 0, "the loss falls where the estimate of the distance falls"


def slope_is_the_true_one(program: ReversalProgram) -> None:
    copied = twin(program)
    copied.eval()
    copied.critic.coefficient = 0.5
    points = features_for(program)
    (gradient,) = torch.autograd.grad(copied.critic.score(points).sum(), points)
    ratio = float((copied.critic_slope(points).detach() / gradient.norm(dim=1)).mean())
    assert abs(ratio - 1) < 0.01, f"the penalty sees {ratio:.3g} times the critic's slope"


def ramp_ends_high(program: ReversalProgram) -> None:
    end = math.tanh(program.ramp_alpha / 2)
    assert end >= 0.4, f"the coefficient never passes {end:.3f}"
