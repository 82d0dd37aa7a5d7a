"""The faults that both families with a reversal share, and the oracles that see each of them."""

from collections.abc import Iterable
from typing import Any

from ganzoo.catalogue import Fault
from ganzoo.reversal import found, oracles
from ganzoo.reversal.advised import AdvisedReversal
from ganzoo.reversal.buggy import BuggyReversal

POST = [
    Fault(
        id="wrong_super",
        origin="post",
        kind="crash",
        symptom="The critic cannot be made: a NameError, or a TypeError where the other class "
        "exists.",
        cause="super() is given another class than the one that is being initialised.",
        source="https://docs.python.org/3/library/functions.html#super",
        takes=("make_critic",),
        donor=found.WrongSuper,
        oracle=oracles.critic_can_be_made,
    ),
    Fault(
        id="numpy_float",
        origin="post",
        kind="crash",
        symptom="The first step stops with an AttributeError.",
        cause="np.float, an alias of the built-in float, was deprecated in NumPy 1.20 and "
        "removed in 1.24.",
        source="https://numpy.org/doc/stable/release/1.24.0-notes.html",
        takes=("ramp",),
        donor=found.NumpyFloat,
        oracle=oracles.ramp_runs,
    ),
    Fault(
        id="clamp_not_in_place",
        origin="post",
        kind="silent",
        symptom="The loss grows about a thousandfold a batch, although the code clamps every "
        "weight.",
        cause="clamp without an underscore returns a clamped copy, which nobody keeps: "
        "nothing bounds the critic.",
        source="https://docs.pytorch.org/docs/stable/generated/torch.clamp.html",
        takes=("critic_penalty", "bound_critic"),
        donor=BuggyReversal,
        oracle=oracles.critic_is_bounded,
    ),
    Fault(
        id="default_rmsprop_rate",
        origin="post",
        kind="silent",
        symptom="The first step alone moves every weight by 0.1.",
        cause="RMSprop's default rate is 1e-2, and its first step divides by a tenth of the "
        "gradient; the paper's rate is 5e-5.",
        source="https://docs.pytorch.org/docs/stable/generated/torch.optim.RMSprop.html; "
        "Arjovsky et al. 2017, algorithm 1",
        takes=("learning_rate", "configure_optimizers"),
        donor=BuggyReversal,
        oracle=oracles.first_step_is_small,
    ),
    Fault(
        id="one_critic_step",
        origin="post",
        kind="silent",
        symptom="The estimate of the distance is far below the distance.",
        cause="The generator follows a critic that is never near its best.",
        source="Arjovsky et al. 2017, algorithm 1",
        takes=("critic_steps",),
        donor=BuggyReversal,
        oracle=oracles.critic_leads,
    ),
    Fault(
        id="critic_dropout",
        origin="post",
        kind="silent",
        symptom="Scores of the same features differ from forward to forward, and so does their "
        "slope.",
        cause="Dropout makes the critic another function at each forward; a bound on its "
        "slope bounds none.",
        source="Gulrajani et al. 2017, algorithm 1",
        takes=("critic_dropout",),
        donor=BuggyReversal,
        oracle=oracles.scores_repeat,
    ),
    Fault(
        id="schedule_counts_forwards",
        origin="post",
        kind="silent",
        symptom="The coefficient runs at twice the speed, differs between the two sides, and "
        "starts anew after a resume.",
        cause="forward itself advances the schedule, in a plain attribute that no checkpoint "
        "holds.",
        source="https://docs.pytorch.org/docs/stable/notes/serialization.html",
        takes=("set_coefficient", "count_forward", "both_scores"),
        donor=BuggyReversal,
        oracle=oracles.a_forward_is_no_step,
    ),
    Fault(
        id="first_coefficient_zero",
        origin="post",
        kind="silent",
        symptom="The generator's gradient is exactly 0 in the first step.",
        cause="The schedule counts from 0, where its coefficient is 0.",
        source="Ganin and Lempitsky 2015, section 3.1",
        takes=("first_count",),
        donor=BuggyReversal,
        oracle=oracles.first_step_reaches_the_generator,
    ),
    Fault(
        id="hook_needs_grad",
        origin="post",
        kind="silent",
        symptom="Scoring detached features, or scoring under no_grad, stops with a RuntimeError.",
        cause="A hook can only be registered on a tensor that requires a gradient.",
        source="https://docs.pytorch.org/docs/stable/generated/torch.Tensor.register_hook.html",
        takes=("reverse",),
        donor=BuggyReversal,
        oracle=oracles.critic_reads_detached_features,
    ),
]

ANSWER = [
    Fault(
        id="reversal_before_last_layer",
        origin="answer",
        kind="silent",
        symptom="The critic never nears its best: its estimate of the distance means nothing.",
        cause="Whatever lies before the reversal is trained against what lies behind it: the "
        "critic's first two layers work against its last.",
        source="Ganin and Lempitsky 2015, section 3.1",
        takes=("enter", "leave"),
        donor=AdvisedReversal,
        oracle=oracles.layers_follow_the_critic,
    ),
    Fault(
        id="weight_clipping",
        origin="answer",
        kind="silent",
        symptom="The loss is bounded, by a number that depends on the width of the critic.",
        cause="Clamped weights bound the slope, but at no particular value, and push the "
        "critic to simple functions.",
        source="Gulrajani et al. 2017, section 3",
        takes=("critic_penalty", "bound_critic"),
        donor=AdvisedReversal,
        oracle=oracles.weights_are_not_clipped,
    ),
    Fault(
        id="slower_schedule",
        origin="answer",
        kind="silent",
        symptom="None: the loss grows as before.",
        cause="The coefficient scales the gradient that the generator gets; the critic grows "
        "without it.",
        source="Ganin and Lempitsky 2015, section 3.1",
        takes=("ramp_alpha", "ramp_steps"),
        donor=AdvisedReversal,
        oracle=oracles.ramp_ends_high,
    ),
    Fault(
        id="cooperating_signs",
        origin="answer",
        kind="silent",
        symptom="The loss falls without end, in a game without an opponent.",
        cause="The critic lowers E[D(real)] - E[D(fake)] and the generator -E[D(fake)]: both "
        "raise D(fake).",
        source="Arjovsky et al. 2017, algorithm 1",
        takes=("reverse",),
        donor=found.Cooperating,
        oracle=oracles.reversal_opposes,
    ),
]

FOUND = [
    Fault(
        id="penalty_through_reversal",
        origin="wild",
        kind="silent",
        symptom="The penalty pulls the critic's slope to 1/coefficient in place of 1.",
        cause="The gradient that the penalty measures has passed the reversal, which scaled it.",
        source="Gulrajani et al. 2017, algorithm 1",
        takes=("critic_slope",),
        donor=found.ReversedPenalty,
        oracle=oracles.slope_is_the_true_one,
    ),
    Fault(
        id="clamp_before_step",
        origin="wild",
        kind="silent",
        symptom="Weights leave the bound by one step of the optimiser, every time.",
        cause="The clamp runs before the step, not after it.",
        source="Arjovsky et al. 2017, algorithm 1",
        takes=("critic_penalty", "before_critic_step"),
        donor=found.ClampedBefore,
        oracle=oracles.nothing_is_bounded_before_the_step,
    ),
    Fault(
        id="clamp_on_generator",
        origin="wild",
        kind="silent",
        symptom="The critic runs away, and the generator cannot follow.",
        cause="The clamp is applied to the generator's weights.",
        source="Arjovsky et al. 2017, algorithm 1",
        takes=("critic_penalty", "bound_critic"),
        donor=found.ClampedGenerator,
        oracle=oracles.generator_is_not_clipped,
    ),
    Fault(
        id="double_reversal",
        origin="wild",
        kind="silent",
        symptom="Both players lower one loss together.",
        cause="Two reversals in a row are none, but for the squared coefficient.",
        source="Ganin and Lempitsky 2015, section 3.1",
        takes=("enter",),
        donor=found.ReversedTwice,
        oracle=oracles.gradient_is_reversed_once,
    ),
    Fault(
        id="loss_subtracted_and_reversed",
        origin="wild",
        kind="silent",
        symptom="The estimate has the wrong sign; with this loss the game is the same, with "
        "cross-entropy it is lost.",
        cause="The critic's loss is subtracted, as a program without a reversal has it. A "
        "critic without an activation learns the mirrored scores: the two games are "
        "equal to the last bit where its last layer is negated.",
        source="Ganin and Lempitsky 2015, section 3.1",
        takes=("wasserstein_loss",),
        donor=found.Subtracted,
        oracle=oracles.critic_raises_the_target,
    ),
    Fault(
        id="reversal_never_called",
        origin="wild",
        kind="silent",
        symptom="The coefficient has no effect, and both players lower one loss together.",
        cause="The reversal is defined, but the forward does not pass through it.",
        source="Ganin and Lempitsky 2015, section 3.1",
        takes=("enter",),
        donor=found.NeverReversed,
        oracle=oracles.coefficient_reaches_the_features,
    ),
]


def advised_ids(own: Iterable[Fault[Any]]) -> set[str]:
    """Return the faults of the advised variant of a family that has these of its own."""
    posted = {fault.id for fault in (*POST, *own) if fault.kind == "silent"}
    taken = {"reversal_before_last_layer", "weight_clipping", "slower_schedule"}
    return posted - {"clamp_not_in_place"} | taken
