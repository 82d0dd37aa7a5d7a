"""Experiments on activations, ranges, optimisers and batch sizes."""

from collections.abc import Iterable
from statistics import mean, stdev

import torch
from torch import Tensor

from ganzoo.claims import Judgement
from ganzoo.digit_outcome import Outcome, outcome, spread_of
from ganzoo.mlp_gan.claims.common import PLAIN, outcomes, program_of, some_digits

STEPS = 800
STAGE = 500  # generator steps of each of three rates


def distances(found: Iterable[Outcome]) -> list[float]:
    """Return the distance of each outcome."""
    return [one.distance for one in found]


def networks_run() -> Judgement:
    program = program_of(PLAIN, image_size=28, latent=100, width=256)
    counts = {
        "generator": sum(p.numel() for p in program.generator.parameters()),
        "critic": sum(p.numel() for p in program.critic.parameters()),
    }
    images = program.generate(program.draw_latents(4))
    scores = program.critic(images)
    reason = (
        f"{counts['generator']} and {counts['critic']} parameters; four latents give images "
        f"{tuple(images.shape)} and scores {tuple(scores.shape)}, as long as images are flattened."
    )
    fits = scores.shape == (4, 1) and counts == {"generator": 559_632, "critic": 533_505}
    return Judgement("true" if fits else "false", reason, counts)


def sigmoid_output_is_blurred() -> Judgement:
    found = outcome(program_of([*PLAIN, "range_mismatch"]), 200)
    x = torch.linspace(-4, 4, 101, dtype=torch.float64)
    gap = float((torch.sigmoid(2 * x) - (torch.tanh(x) + 1) / 2).abs().max())
    numbers = {"state": found.state.name, "gap_to_tanh": gap, **found.state.evidence}
    reason = (
        f"Beside pixels in [-1, 1] its state is {found.state.name}: {found.state.sentence} But "
        f"sigmoid(2x) is (tanh(x) + 1) / 2 (to {gap:.0e}): where the range fits, it is the same."
    )
    mismatch = found.state.name == "range_mismatch" and gap < 1e-12
    return Judgement("partly" if mismatch else "false", reason, numbers)


def always_tanh() -> Judgement:
    program = program_of()
    image = program.reals_in_range(some_digits(program))
    as_unit = (image + 1) / 2
    numbers = {"data_min": float(as_unit.min()), "data_max": float(as_unit.max())}
    x = torch.linspace(-4, 4, 101, dtype=torch.float64)
    numbers["gap"] = float((torch.sigmoid(2 * x) - (torch.tanh(x) + 1) / 2).abs().max())
    reason = (
        "A sigmoid with pixels in [0, 1] is the same generator after a change of scale "
        f"(difference {numbers['gap']:.0e}), and the authors of WGAN-GP use one. What matters is "
        "that the ranges agree."
    )
    return Judgement("false" if numbers["gap"] < 1e-12 else "true", reason, numbers)


def data_must_match_range() -> Judgement:
    program = program_of()
    pixels = program.reals_in_range(some_digits(program, 500))
    blank = float((pixels == -1).float().mean())
    mismatched = outcome(program_of(["range_mismatch"]), 150)
    matched = outcome(program_of(), 150)
    numbers = {
        "pixels_at_minus_1": blank,
        "distance_mismatched": mismatched.distance,
        "distance_matched": matched.distance,
    }
    reason = (
        f"{blank:.0%} of the pixels are exactly -1, which an output of 0 to 1 cannot make: "
        f"distance {mismatched.distance:.3g} in place of {matched.distance:.3g} after 150 steps."
    )
    holds = mismatched.distance > 2 * matched.distance
    return Judgement("true" if holds else "false", reason, numbers)


def activation_ranking() -> Judgement:
    rows = {
        "tanh_leaky_0.2": distances(outcomes(PLAIN, STEPS)),
        "tanh_relu": distances(outcomes(PLAIN, STEPS, leak=0.0)),
        "linear_leaky_0.1": distances(outcomes([*PLAIN, "unbounded_output"], STEPS, leak=0.1)),
        "sigmoid_relu": distances(outcomes([*PLAIN, "range_mismatch"], STEPS, leak=0.0)),
    }
    ranked = sorted(rows, key=lambda name: sum(rows[name]))
    listed = "; ".join(f"{name} {spread_of(rows[name])}" for name in ranked)
    reason = f"Distances after {STEPS} steps, best first: {listed}."
    best, worst = ranked[0] == "tanh_leaky_0.2", ranked[-1] == "sigmoid_relu"
    verdict = "true" if best and worst else "partly" if best or worst else "false"
    return Judgement(verdict, reason, dict(rows))


def linear_output_oversaturates() -> Judgement:
    found = {}
    for word, ids in (("linear", ["unbounded_output"]), ("tanh", [])):
        program = program_of([*PLAIN, *ids], leak=0.1)
        outcome(program, 120)
        found[word] = share_outside(program.generate(program.draw_latents(256)).detach())
    reason = (
        f"{found['linear']:.1%} of its pixels leave [-1, 1] and are cut to black or white; with "
        f"tanh {found['tanh']:.1%}."
    )
    return Judgement("true" if found["linear"] > 0.01 else "false", reason, found)


def share_outside(images: Tensor) -> float:
    """Return the share of values beyond [-1, 1]."""
    return float((images.abs() > 1.0).float().mean())


def momentum_unsettles() -> Judgement:
    high = outcomes([*PLAIN, "default_betas"], 1500)
    low = outcomes(PLAIN, 1500)
    numbers = {
        "diversity_0.9": [one.diversity for one in high],
        "diversity_0.5": [one.diversity for one in low],
        "distance_0.9": distances(high),
        "distance_0.5": distances(low),
    }
    reason = (
        "After 1500 steps samples differ "
        f"{spread_of(numbers['diversity_0.9'])} times as much as reals with a first beta of 0.9, "
        f"{spread_of(numbers['diversity_0.5'])} times with 0.5 (distances "
        f"{spread_of(numbers['distance_0.9'])} and {spread_of(numbers['distance_0.5'])})."
    )
    pairs = zip(numbers["diversity_0.9"], numbers["diversity_0.5"], strict=True)
    holds = all(a < b for a, b in pairs)
    return Judgement("true" if holds else "partly", reason, numbers)


def lower_rate_is_steadier() -> Judgement:
    rows = {
        "1e-4": distances(outcomes(PLAIN, STEPS, generator_rate=1e-4, critic_rate=1e-4)),
        "2e-4": distances(outcomes(PLAIN, STEPS)),
    }
    reason = (
        f"After {STEPS} steps the distance is {spread_of(rows['1e-4'])} at a rate of 1e-4 and "
        f"{spread_of(rows['2e-4'])} at 2e-4."
    )
    steadier = stdev(rows["1e-4"]) < stdev(rows["2e-4"])
    slower = mean(rows["1e-4"]) > mean(rows["2e-4"])
    verdict = "true" if steadier and slower else "partly" if steadier or slower else "false"
    return Judgement(verdict, reason, dict(rows))


def staged_rates_are_best() -> Judgement:
    stages = {"rate_stages": (0.5, 1.0, 1.5), "stage_steps": STAGE}
    rows = {
        "staged": distances(outcomes(PLAIN, 3 * STAGE, **stages)),
        "constant": distances(outcomes(PLAIN, 3 * STAGE)),
    }
    better = sum(s < c for s, c in zip(*rows.values(), strict=True))
    reason = (
        f"Three stages of 1e-4, 2e-4 and 3e-4 end at a distance of {spread_of(rows['staged'])}, a "
        f"constant 2e-4 at {spread_of(rows['constant'])}; better in {better} of "
        f"{len(rows['staged'])} seeds."
    )
    verdict = "true" if better == len(rows["staged"]) else "partly" if better else "false"
    return Judgement(verdict, reason, dict(rows))


def small_batches_cure_collapse() -> Judgement:
    rows: dict[str, list[float]] = {}
    for size in (32, 128):
        found = outcomes(PLAIN, STEPS, batch_size=size)
        rows[f"diversity_{size}"] = [one.diversity for one in found]
        rows[f"distance_{size}"] = distances(found)
    reason = (
        f"After {STEPS} steps samples differ {spread_of(rows['diversity_32'])} times as much as "
        f"reals with batches of 32 and {spread_of(rows['diversity_128'])} times with 128."
    )
    pairs = zip(rows["diversity_32"], rows["diversity_128"], strict=True)
    better = sum(a > b for a, b in pairs)
    verdict = "true" if better == 3 else "partly" if better == 2 else "false"
    return Judgement(verdict, reason, dict(rows))
