"""Experiments on what the article says of vanishing and exploding gradients."""

import math
import warnings

import torch
from torch import nn
from torch.autograd.gradcheck import GradcheckError

from ganzoo.claims import Judgement
from ganzoo.mlp_gan.claims.common import PLAIN, generator_gradient, program_of, some_digits
from ganzoo.trial import trial

EXPLODING = ("unbounded_output", "unnormalised_generator", "default_betas")


def nan_means_explosion() -> Judgement:
    program = program_of(["log_of_zero"], critic_rate=0.05)
    seen = trial(program, 60)
    program = program_of(EXPLODING, generator_rate=0.3, critic_rate=0.3)
    exploded = trial(program, 60)
    unclamped = trial(program_of(["log_of_zero"]), 2).generator.largest_norm
    numbers = {
        "nan_at_step": seen.not_finite_at,
        "gradient_of_the_first_steps": unclamped,
        "exploded_gradient": exploded.generator.largest_norm,
        "exploded_nan_at_step": exploded.not_finite_at,
    }
    reason = (
        f"A written-out logarithm gives NaN by step {seen.not_finite_at} (gradients of "
        f"{unclamped:.2g} before), since log(0) times 0 is none; and gradients that really explode "
        f"reach {exploded.generator.largest_norm:.2g} while every loss is a number."
    )
    apart = seen.not_finite_at is not None and exploded.not_finite_at is None
    return Judgement("partly" if apart else "true", reason, numbers)


def gradcheck_finds_bad_layers() -> Judgement:
    answers = {}
    for scale in (1e-12, 1.0, 1e12):
        point = torch.ones(3, dtype=torch.float64, requires_grad=True)
        answers[f"{scale:g}"] = torch.autograd.gradcheck(
            lambda x, scale=scale: scale * x, point, atol=1e-6 * scale
        )
    network = program_of(width=4).critic
    point = torch.zeros(1, 64, requires_grad=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.autograd.gradcheck(network, point)
        text = ""
    except GradcheckError as error:
        text = str(error).strip().splitlines()[0]
    reason = (
        "It compares derivatives with differences and answers yes for slopes of 1e-12, 1 and 1e12 "
        f"alike; a float32 network it refuses ({text[:60]})."
    )
    told = all(answers.values())
    return Judgement("false" if told else "true", reason, {**answers, "float32": text})


def tiny_parameters_are_a_sign() -> Judgement:
    program = program_of(PLAIN, image_size=28, latent=100, width=256)
    counts = {
        name: sum(int((p.detach().abs() < 1e-6).sum()) for p in network.parameters())
        for name, network in (("generator", program.generator), ("critic", program.critic))
    }
    total = sum(p.numel() for p in program.parameters())
    reason = (
        f"Of {total} healthy, freshly drawn parameters {sum(counts.values())} are below 1e-6. "
        "Values of 1e6 are a sign."
    )
    return Judgement("partly" if sum(counts.values()) else "true", reason, counts)


def clip_belongs_before_the_step() -> Judgement:
    program = program_of(PLAIN)
    loss = 100 * program.generator_loss(program.generate(program.draw_latents(8)))
    torch.autograd.backward(loss)
    before = float(nn.utils.clip_grad_norm_(program.generator.parameters(), 1.0))
    gradients = [p.grad for p in program.generator.parameters() if p.grad is not None]
    after = float(nn.utils.get_total_norm(gradients))
    reason = f"A gradient of norm {before:.3g} has a norm of {after:.3g} at the step."
    numbers = {"before": before, "after": after}
    return Judgement("true" if after <= 1.0001 < before else "false", reason, numbers)


def isnan_finds_explosions() -> Judgement:
    gradient = torch.tensor([1.0, math.inf])
    numbers = {
        "isnan": bool(torch.isnan(gradient).any()),
        "isfinite": bool(torch.isfinite(gradient).all()),
    }
    reason = "NaN it finds; infinity, which comes first, it does not: isfinite finds both."
    return Judgement("true" if numbers["isnan"] else "partly", reason, numbers)


def small_gradients_stop_updates() -> Judgement:
    weight = nn.Parameter(torch.zeros(1))
    adam = torch.optim.Adam([weight], lr=1e-3)
    for _ in range(10):
        weight.grad = torch.full((1,), 1e-6)
        adam.step()
    moved = float(weight.detach().abs())
    program = program_of(["overtrained_critic", "saturating_generator_loss"])
    trial(program, 60)
    largest = generator_gradient(program)
    reason = (
        f"Where the critic has won and the loss saturates it is {largest:.1g}. But Adam divides by "
        f"it: ten gradients of 1e-6 move a weight by {moved:.2g}, ten times its rate."
    )
    numbers = {"gradient_when_saturated": largest, "moved_by_ten": moved}
    return Judgement("partly" if moved > 5e-3 else "true", reason, numbers)


def smaller_leak_helps_gradients() -> Judgement:
    norms = {}
    for leak in (0.0, 0.1, 0.2, 0.3):
        found = []
        for seed in range(5):
            program = program_of(PLAIN[1:], seed, leak=leak, image_size=28, width=256)
            images = program.reals_in_range(some_digits(program, 32)).requires_grad_()
            (gradient,) = torch.autograd.grad(program.critic(images).sum(), images)
            found.append(float(gradient.flatten(1).norm(dim=1).mean()))
        norms[str(leak)] = sum(found) / len(found)
    reason = (
        "The critic's slope at its input, at the start, for slopes of 0, 0.1, 0.2 and 0.3: "
        f"{', '.join(f'{n:.4f}' for n in norms.values())}. A smaller one passes a little less."
    )
    return Judgement("true" if norms["0.1"] > norms["0.2"] else "false", reason, norms)


def printed_norm_is_the_gradients() -> Judgement:
    program = program_of(PLAIN)
    torch.autograd.backward(program.generator_loss(program.generate(program.draw_latents(64))))
    printed = program_of(["norm_of_last_parameter"])
    numbers = {
        "whole": float(program.gradient_norm(program.generator)),
        "printed": float(printed.gradient_norm(program.generator)),
    }
    reason = (
        f"As its page shows it, an assignment, it prints {numbers['printed']:.3g} where the norm "
        f"is {numbers['whole']:.3g}: that of the last parameter alone."
    )
    wrong = numbers["printed"] < 0.95 * numbers["whole"]
    return Judgement("false" if wrong else "true", reason, numbers)
