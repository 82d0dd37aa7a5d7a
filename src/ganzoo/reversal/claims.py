"""What the post and its answer say about the critic with a reversal, each with its experiment."""

from collections.abc import Callable
from functools import partial

from ganzoo.claims import Claim, Judgement
from ganzoo.reversal import experiments

STATEMENTS: tuple[tuple[str, str, str, Callable[[str], Judgement]], ...] = (
    (
        "lower_rate_does_not_help",
        "post",
        "Lowering the learning rate does not keep the loss from running away.",
        experiments.lower_rate_does_not_help,
    ),
    (
        "wrong_class_spoils_weights",
        "answer",
        "The wrong class in super() initialises the weights wrongly and makes training unstable.",
        experiments.wrong_class_spoils_weights,
    ),
    (
        "early_reversal_disturbs",
        "answer",
        "A reversal on the critic's input disturbs gradients; it belongs before the last layer.",
        experiments.early_reversal_disturbs,
    ),
    (
        "posted_sign_is_opposite",
        "answer",
        "For a real source side the posted loss has the opposite sign of the right one.",
        experiments.posted_sign_is_opposite,
    ),
    (
        "missing_clamp_explodes",
        "answer",
        "Where the clamp has no effect the weights grow without limit and the outputs explode.",
        experiments.missing_clamp_explodes,
    ),
    (
        "coefficient_nears_one",
        "answer",
        "By its seventh iteration the coefficient is close to 1.",
        experiments.coefficient_nears_one,
    ),
    (
        "slower_ramp_steadies",
        "answer",
        "A smaller alpha or a larger max_iter steadies the training.",
        experiments.slower_ramp_steadies,
    ),
    (
        "clamp_was_applied",
        "post",
        "The printed losses come from a critic whose weights are clamped.",
        experiments.clamp_was_applied,
    ),
    (
        "named_losses_oppose",
        "answer",
        "E[D(real)] - E[D(fake)] for the critic and -E[D(fake)] for the generator are the game.",
        experiments.named_losses_oppose,
    ),
)


def claims_about(family: str) -> dict[str, Claim]:
    """Return the claims by id, with experiments on programs of a family."""
    return {
        id: Claim(id, by, statement, partial(experiment, family))  # pyright: ignore[reportArgumentType]
        for id, by, statement, experiment in STATEMENTS
    }
