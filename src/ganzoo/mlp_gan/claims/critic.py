"""Experiments on what the article says of a critic that wins, and of its remedies."""

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy
from torch.optim import SGD, Adam

from ganzoo.claims import Judgement
from ganzoo.digit_outcome import outcome, spread_of
from ganzoo.mlp_gan.claims.common import (
    PLAIN,
    STRONG,
    critic_only,
    error_of,
    generator_gradient,
    outcomes,
    program_of,
    some_digits,
)
from ganzoo.trial import trial

BATCHES = 400  # of a comparison of remedies
WON = (*PLAIN, "overtrained_critic", "default_betas")


def won_critic_is_mode_collapse() -> Judgement:
    found = outcome(program_of(WON), 100)
    numbers = {"state": found.state.name, **found.state.evidence}
    reason = f"The state is called {found.state.name}: {found.state.sentence}"
    return Judgement("true" if found.state.name == "collapse" else "false", reason, numbers)


def won_critic_starves_generator() -> Judgement:
    numbers: dict[str, float] = {}
    for word, ids in (("printed", []), ("saturating", ["saturating_generator_loss"])):
        program = program_of(["unnormalised_generator", *ids])
        numbers[f"{word}_before"] = generator_gradient(program)
        critic_only(program, 100, Adam(program.critic.parameters(), lr=1e-3))
        numbers[f"{word}_after"] = generator_gradient(program)
    reason = (
        "With the printed loss, which rewards fakes that pass for real, the gradient rises from "
        f"{numbers['printed_before']:.2g} to {numbers['printed_after']:.3g} in 100 steps of the "
        f"critic alone; log(1 - D) falls from {numbers['saturating_before']:.2g} to "
        f"{numbers['saturating_after']:.2g}."
    )
    starved = numbers["printed_after"] < numbers["printed_before"] / 10
    return Judgement("true" if starved else "false", reason, numbers)


def losing_loss_has_no_limit() -> Judgement:
    largest = float(binary_cross_entropy(torch.zeros(1), torch.ones(1)))
    at_104 = torch.tensor([-104.0]).sigmoid()
    numbers = {"at_probability_0": largest, "sigmoid_of_minus_104": float(at_104)}
    reason = f"It soars, and stops at exactly {largest:g}: the cross-entropy clamps its logarithm."
    return Judgement("partly" if largest == 100 else "true", reason, numbers)


def sigmoid_reaches_zero_slope() -> Judgement:
    slopes = {}
    for logit in (-20.0, -30.0, -40.0, -104.0):
        at = torch.tensor([logit], requires_grad=True)
        loss = binary_cross_entropy(at.sigmoid(), torch.ones(1))
        slopes[str(logit)] = float(torch.autograd.grad(loss, at)[0])
    reason = (
        "With a sigmoid before the cross-entropy, yes: the slope at logits of -20, -30, -40 and "
        f"-104 is {', '.join(f'{s:.2g}' for s in slopes.values())}. On logits it is -1 throughout, "
        "so that it is arithmetic that starves the generator, and not the game."
    )
    dead = slopes["-104.0"] == 0 and abs(slopes["-20.0"]) > 0.9
    return Judgement("partly" if dead else "false", reason, slopes)


def loop_runs() -> Judgement:
    seen = trial(program_of(PLAIN), 3)
    program = program_of(PLAIN)
    reals = program.reals_in_range(some_digits(program))
    fakes = program.generate(program.draw_latents(len(reals)))
    torch.autograd.backward(program.critic_loss(reals, fakes))
    try:
        torch.autograd.backward(program.generator_loss(fakes))
        text = ""
    except RuntimeError as error:
        text = f"RuntimeError: {str(error).split('(')[0].strip()}"
    numbers = {"steps": seen.generator.steps, "without_detach": text}
    reason = f"{seen.generator.steps} steps run; without detach the second loss stops: {text}."
    return Judgement("true" if seen.generator.steps == 3 and text else "false", reason, numbers)


def gradient_clip_clips_weights() -> Judgement:
    program = program_of(PLAIN)
    with torch.no_grad():
        for parameter in program.critic.parameters():
            parameter.mul_(3)
    before = [p.detach().clone() for p in program.critic.parameters()]
    reals = program.reals_in_range(some_digits(program))
    torch.autograd.backward(program.critic_loss(reals, reals))
    norm = float(nn.utils.clip_grad_norm_(program.critic.parameters(), 0.01))
    moved = max(
        float((a - b).detach().abs().max())
        for a, b in zip(before, program.critic.parameters(), strict=True)
    )
    largest = max(float(p.detach().abs().max()) for p in program.critic.parameters())
    numbers = {"gradient_norm_before": norm, "weights_moved": moved, "largest_weight": largest}
    reason = (
        f"It scales the gradient (its norm was {norm:.3g}) and changes no weight: the largest is "
        f"still {largest:.3g}."
    )
    return Judgement("false" if moved == 0 and largest > 0.01 else "true", reason, numbers)


def gradient_clip_restrains_critic() -> Judgement:
    numbers: dict[str, float] = {}
    for word, kind, rate in (("Adam", Adam, 1e-3), ("SGD", SGD, 0.1)):
        for clip in ("", "gradient_clip_as_weight_clip"):
            program = program_of(filter(None, ["unnormalised_generator", clip]))
            start = [p.detach().clone() for p in program.critic.parameters()]
            critic_only(program, 20, kind(program.critic.parameters(), lr=rate))
            moved = [
                a - b.detach() for a, b in zip(start, program.critic.parameters(), strict=True)
            ]
            key = f"{word}_{'clipped' if clip else 'free'}"
            numbers[key] = float(nn.utils.get_total_norm(moved))
    shares = {w: numbers[f"{w}_clipped"] / numbers[f"{w}_free"] for w in ("Adam", "SGD")}
    reason = (
        f"With Adam, which the article uses, 20 clipped steps move the critic {shares['Adam']:.2f} "
        f"times as far as free ones; with plain gradient descent {shares['SGD']:.2f} times."
    )
    only_sgd = shares["SGD"] < 0.5 < shares["Adam"]
    return Judgement("partly" if only_sgd else "false", reason, numbers)


def clip_keeps_accuracy_in_band() -> Judgement:
    numbers: dict[str, list[float]] = {}
    for word, ids in (("without", []), ("with", ["gradient_clip_as_weight_clip"])):
        for speed, rates in (("balanced", {}), ("strong", STRONG)):
            smoothed = {"smoothing": 0.1} if ids else {}
            found = outcomes([*PLAIN, *ids], 300, **rates, **smoothed)
            numbers[f"{speed}_{word}"] = [one.accuracy for one in found]
    band = [0.6 <= a <= 0.7 for k in ("balanced_with", "strong_with") for a in numbers[k]]
    reason = (
        "The critic's accuracy with both remedies is "
        f"{spread_of(numbers['balanced_with'])} at equal rates (without: "
        f"{spread_of(numbers['balanced_without'])}) and {spread_of(numbers['strong_with'])} where "
        f"it is ahead (without: {spread_of(numbers['strong_without'])}); {sum(band)} of "
        f"{len(band)} runs are between 60 and 70 %."
    )
    verdict = "true" if all(band) else "partly" if sum(band) > len(band) / 2 else "false"
    return Judgement(verdict, reason, dict(numbers))


def band_means_health() -> Judgement:
    healthy = outcomes([], 600)
    clipped = outcomes(["clamped_critic", "unnormalised_generator"], 200)
    numbers = {
        "healthy": [one.accuracy for one in healthy],
        "clipped_critic": [one.accuracy for one in clipped],
        "distances": [[one.distance for one in group] for group in (healthy, clipped)],
    }
    reason = (
        f"The repaired program's critic is right {spread_of(numbers['healthy'])} of the time; "
        f"one with weights clipped to 0.01 is right {spread_of(numbers['clipped_critic'])} of it "
        f"beside samples {clipped[0].distance / healthy[0].distance:.0f} times as far off. A "
        "symptom, and no proof."
    )
    fits = min(numbers["healthy"]) > 0.5
    return Judgement("partly" if fits else "false", reason, numbers)


def noise_on_reals_helps() -> Judgement:
    return strong_critic_remedy(
        "Noise on reals alone", ["noise_on_real_only"], {}, "a critic that is ahead"
    )


def smoothing_helps() -> Judgement:
    return strong_critic_remedy("Smoothed labels", [], {"smoothing": 0.1}, "a critic that is ahead")


def more_generator_steps_help() -> Judgement:
    return strong_critic_remedy(
        "Four generator steps on each batch, at equal batches,",
        [],
        {"generator_turns": 4},
        "a critic that is ahead",
    )


def strong_critic_remedy(
    what: str, ids: list[str], settings: dict[str, float], where: str
) -> Judgement:
    """Return whether a remedy lowers the distance under a strong critic by more than the spread."""
    batches = BATCHES
    steps = batches * int(settings.get("generator_turns", 1))
    plain = [one.distance for one in outcomes(PLAIN, batches, **STRONG)]
    treated = [one.distance for one in outcomes([*PLAIN, *ids], steps, **STRONG, **settings)]
    better = sum(t < p for t, p in zip(treated, plain, strict=True))
    gain = 1 - sum(treated) / sum(plain)
    reason = (
        f"{what} beside {where}: distance {spread_of(treated)} against {spread_of(plain)} without; "
        f"better in {better} of {len(plain)} seeds."
    )
    verdict = "true" if better == len(plain) and gain > 0.1 else "partly" if gain > 0.1 else "false"
    return Judgement(verdict, reason, {"with": treated, "without": plain, "gain": gain})


def smoothing_bounds_the_critic() -> Judgement:
    logits: dict[str, float] = {}
    for word, smoothing in (("plain", 0.0), ("smoothed", 0.1)):
        program = program_of(["unnormalised_generator"], smoothing=smoothing)
        critic_only(program, 300, Adam(program.critic.parameters(), lr=1e-3))
        reals = program.reals_in_range(some_digits(program))
        with torch.no_grad(), program.seeded(5):
            fakes = program.generate(program.draw_latents(64))
            logits[f"{word}_reals"] = float(program.critic(reals).mean())
            logits[f"{word}_fakes"] = float(program.critic(fakes).mean())
    reason = (
        f"On reals the mean logit stays at {logits['smoothed_reals']:.2g} (ln 9 is 2.2) in place "
        f"of {logits['plain_reals']:.2g}; on fakes, where the generator learns, it is "
        f"{logits['smoothed_fakes']:.2g} in place of {logits['plain_fakes']:.2g}."
    )
    bounded = logits["smoothed_reals"] < 4 < logits["plain_reals"]
    fakes_too = logits["smoothed_fakes"] > -4
    return Judgement("true" if fakes_too else "partly" if bounded else "false", reason, logits)


def flat_labels_run() -> Judgement:
    text = error_of("label_shape")
    reason = f"The critic's scores have two dimensions: {text}"
    return Judgement("false" if text else "true", reason, {"error": text})


def accuracy_shows_imbalance() -> Judgement:
    won = outcome(program_of([*PLAIN, "overtrained_critic"]), 60)
    even = outcome(program_of(), 600)
    numbers = {"won": won.accuracy, "even": even.accuracy}
    reason = (
        f"A critic that has won is right {won.accuracy:.0%} of the time, that of the repaired "
        f"program {even.accuracy:.0%}."
    )
    holds = won.accuracy >= 0.99 > even.accuracy
    return Judgement("true" if holds else "false", reason, numbers)


def reused_fakes_run() -> Judgement:
    text = error_of("reused_fakes").split("(")[0].strip()
    reason = f"On the fakes of the printed loop the second step stops: {text}. It needs new ones."
    return Judgement("false" if text else "true", reason, {"error": text})
