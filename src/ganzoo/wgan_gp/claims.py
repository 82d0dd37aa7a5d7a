"""What the article says of its gradient penalty, and the experiments that judge it."""

from typing import cast

import torch
from torch.optim import Adam

from ganzoo.claims import Claim, Judgement
from ganzoo.digit_outcome import outcome, spread_of
from ganzoo.trial import seeded_program
from ganzoo.wgan_gp import oracles
from ganzoo.wgan_gp.buggy import BuggyWGANGP
from ganzoo.wgan_gp.faults import FAULTS
from ganzoo.wgan_gp.fixed import FixedWGANGP

SEEDS = (0, 1, 2)


def penalised_slope(cls: type, steps: int = 250) -> float:
    """Return the slope for an image of a critic that only its penalty trains."""
    program = seeded_program(cls, 0, width=32, image_size=8)
    adam = Adam(program.critic.parameters(), lr=5e-3)
    reals, fakes = oracles.two_sides(program, 32, 32)
    with program.seeded(0):
        for _ in range(steps):
            adam.zero_grad()
            torch.autograd.backward(program.critic_penalty(reals, fakes))
            adam.step()
        return float(program.seen_slope(reals, fakes))


def printed_penalty_bounds_the_slope() -> Judgement:
    numbers = {
        "printed": penalised_slope(cast("type", BuggyWGANGP)),
        "over_all_pixels": penalised_slope(FixedWGANGP),
        "square_root_of_pixels": 8.0,
    }
    reason = (
        f"Trained by the penalty alone, a critic of 8x8 images has a slope of "
        f"{numbers['printed']:.2f} for an image under the printed one, which asks a slope of 1 of "
        f"every pixel (the root of 64 is 8), and {numbers['over_all_pixels']:.2f} under the "
        "paper's."
    )
    wrong = numbers["printed"] > 2 and 0.8 < numbers["over_all_pixels"] < 1.2
    return Judgement("false" if wrong else "true", reason, numbers)


def printed_penalty_takes_flat_images() -> Judgement:
    program = seeded_program(FAULTS.graft(["flat_alpha_broadcast"]), 0, layout="flat", width=16)
    reals, fakes = oracles.two_sides(program, 8, 8)
    points = torch.lerp(reals, fakes, program.share(reals))
    numbers = {"images": len(reals), "points": points.numel() // reals[0].numel()}
    reason = (
        f"It takes them without an error and makes {numbers['points']} points of "
        f"{numbers['images']} images: every pair of shares and images."
    )
    wrong = numbers["points"] != numbers["images"]
    return Judgement("false" if wrong else "true", reason, numbers)


def crash_of(id: str) -> str:
    """Return the error by which a fault stops the fixed program, or nothing."""
    return FAULTS[id].seen_in(seeded_program(FAULTS.graft([id]), width=16))


def printed_penalty_runs_on_a_gpu() -> Judgement:
    text = crash_of("alpha_on_cpu")
    return Judgement("false" if text else "true", f"As printed: {text}.", {"error": text})


def printed_penalty_takes_the_last_batch() -> Judgement:
    text = crash_of("unequal_sides")
    return Judgement(
        "false" if text else "true", f"Four reals, three fakes: {text}.", {"error": text}
    )


def penalty_steadies_the_training() -> Judgement:
    found = [outcome(seeded_program(FixedWGANGP, seed), 120, seed) for seed in SEEDS]
    numbers = {
        "distances": [one.distance for one in found],
        "classes": [one.covered for one in found],
        "states": [one.state.name for one in found],
    }
    reason = (
        f"Computed right, it does: after 120 generator steps the distance is "
        f"{spread_of(numbers['distances'])} and {min(numbers['classes'])} of 10 digits are drawn."
    )
    steady = all(name == "healthy" for name in numbers["states"])
    return Judgement("true" if steady else "partly", reason, numbers)


def sigmoid_ends_the_critic() -> Judgement:
    with_it = outcome(seeded_program(FAULTS.graft(["sigmoid_critic"]), 0), 100)
    without = outcome(seeded_program(FixedWGANGP, 0), 100)
    numbers = {"with": with_it.distance, "without": without.distance}
    reason = (
        f"With the article's sigmoid at its end, distance {with_it.distance:.3g} and "
        f"{with_it.covered} digits after 100 generator steps; without, {without.distance:.3g} and "
        f"{without.covered}."
    )
    worse = with_it.distance > 2 * without.distance
    return Judgement("false" if worse else "true", reason, numbers)


CLAIMS: dict[str, Claim] = {
    claim.id: claim
    for claim in (
        Claim(
            "printed_penalty_bounds_the_slope",
            "post",
            "The printed function computes the penalty of WGAN-GP.",
            printed_penalty_bounds_the_slope,
        ),
        Claim(
            "printed_penalty_takes_flat_images",
            "post",
            "It fits the article's critic, which reads flat images.",
            printed_penalty_takes_flat_images,
        ),
        Claim(
            "printed_penalty_runs_on_a_gpu",
            "post",
            "It runs where the program runs.",
            printed_penalty_runs_on_a_gpu,
        ),
        Claim(
            "printed_penalty_takes_the_last_batch",
            "post",
            "It takes whatever batches the loader gives.",
            printed_penalty_takes_the_last_batch,
        ),
        Claim(
            "penalty_steadies_the_training",
            "post",
            "A gradient penalty in place of the first objective makes the training steady.",
            penalty_steadies_the_training,
            slow=True,
        ),
        Claim(
            "sigmoid_ends_the_critic",
            "post",
            "A critic ends in a sigmoid.",
            sigmoid_ends_the_critic,
            slow=True,
        ),
    )
}
