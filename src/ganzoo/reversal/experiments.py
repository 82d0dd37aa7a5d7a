"""Experiments that judge what the post and its answer say about the critic with a reversal."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import torch

from ganzoo.build import family_of
from ganzoo.claims import Judgement
from ganzoo.reversal.base import ReversalProgram
from ganzoo.reversal.oracles import layer_cosines
from ganzoo.trial import seeded_program, trial

STEPS = 15
SMALL = {
    "wgan": {"image_size": 8, "generator_width": 8, "critic_hidden": 128, "batch_size": 20},
    "adapt": {"critic_hidden": 128, "features": 16, "batch_size": 20},
}


def small(family: str, variant: str, **settings: Any) -> ReversalProgram:
    """Return a variant at a small size, always with the same weights."""
    return made(family, family_of(family).FAULTS.classes[variant], **settings)


def grafted(family: str, ids: Iterable[str]) -> ReversalProgram:
    """Return a graft at a small size, always with the same weights."""
    return made(family, family_of(family).FAULTS.graft(ids))


def made(family: str, cls: type, **settings: Any) -> ReversalProgram:
    """Return a program of a class at a small size, always with the same weights."""
    return seeded_program(cls, **{**SMALL[family], **settings})


def largest_loss(program: ReversalProgram) -> float:
    """Return the largest magnitude of the loss within the first batches of training."""
    trial(program, STEPS)
    return float(program.largest_loss)


def wrong_class_spoils_weights(family: str) -> Judgement:
    catalogue = family_of(family).FAULTS
    broken = small(family, "fixed")
    broken.__class__ = catalogue.graft(["wrong_super"])
    try:
        broken.make_critic()
        text = ""
    except NameError as error:
        text = f"NameError: {error}"
    largest = largest_loss(small(family, "buggy"))
    reason = (
        f"The program does not start ({text}), so that no loss came from it; with the right class "
        f"the loss still reaches {largest:.2g}."
    )
    return Judgement("false" if text else "true", reason, {"error": text, "largest_loss": largest})


def early_reversal_disturbs(family: str) -> Judgement:
    posted = layer_cosines(small(family, "buggy"))
    moved = layer_cosines(grafted(family, ["reversal_before_last_layer"]))
    alone = small(family, "buggy")
    alone.adversarial = False  # no reversed gradient reaches anything
    numbers = {
        "cosines_at_the_input": posted,
        "cosines_before_the_last_layer": moved,
        "largest_loss_with_reversal": largest_loss(small(family, "buggy")),
        "largest_loss_without": largest_loss(alone),
    }
    reason = (
        "On the critic's input it leaves every layer of the critic alone (cosine with the true "
        f"gradient {min(posted):.2f}); moved before the last layer, the layers before it are "
        f"trained against the critic (cosine {min(moved):.2f}). The loss explodes without any "
        f"reversal too: {numbers['largest_loss_without']:.2g}, with it "
        f"{numbers['largest_loss_with_reversal']:.2g}."
    )
    wrong = min(posted) > 0.99 and min(moved) < -0.9
    return Judgement("false" if wrong else "true", reason, numbers)


def posted_sign_is_opposite(family: str) -> Judgement:
    program = small(family, "buggy")
    fakes, reals = torch.tensor([[0.3]]), torch.tensor([[0.8]])
    posted, advised = float(program.wasserstein_loss(fakes, reals)), float((reals - fakes).mean())
    reason = (
        "With real images on the source side the posted loss is the advised one, "
        f"E[D(real)] - E[D(fake)], to the last bit ({posted:.2g} and {advised:.2g}). The pair that "
        "the answer names has no opponents: both losses raise D(fake) (fault cooperating_signs)."
    )
    same = posted == advised
    return Judgement("false" if same else "true", reason, {"posted": posted, "advised": advised})


def missing_clamp_explodes(family: str) -> Judgement:
    numbers = {
        "without_an_effective_clamp": largest_loss(small(family, "buggy")),
        "with_it": largest_loss(clamped(family)),
    }
    factor = numbers["without_an_effective_clamp"] / numbers["with_it"]
    reason = f"A clamp in place lowers the largest loss of {STEPS} steps {factor:.2g}-fold."
    return Judgement("true" if factor > 100 else "false", reason, numbers)


def clamped(family: str) -> ReversalProgram:
    """Return the posted program with its clamp in place, and nothing else changed."""
    catalogue = family_of(family).FAULTS
    ids = catalogue.presets["buggy"] - {"clamp_not_in_place"} | {"weight_clipping"}
    return grafted(family, ids)


def coefficient_nears_one(family: str) -> Judgement:
    program = small(family, "buggy")
    ramp = partial(program.ramp, alpha=program.ramp_alpha, steps=program.ramp_steps)
    numbers = {"at_7": ramp(7), "at_its_end": ramp(program.ramp_steps)}
    reason = (
        f"It is tanh(alpha i / (2 max_iter)): {numbers['at_7']:.3f} at iteration 7, and never more "
        f"than {numbers['at_its_end']:.3f}."
    )
    return Judgement("true" if numbers["at_7"] > 0.9 else "false", reason, numbers)


def slower_ramp_steadies(family: str) -> Judgement:
    catalogue = family_of(family).FAULTS
    ids = catalogue.presets["buggy"] | {"slower_schedule"}
    slower = grafted(family, ids)
    numbers = {
        "as_posted": largest_loss(small(family, "buggy")),
        "slower": largest_loss(slower),
    }
    reason = (
        f"The loss reaches {numbers['slower']:.2g} with the slower ramp and "
        f"{numbers['as_posted']:.2g} without: the critic grows whatever the generator gets."
    )
    helped = numbers["slower"] < numbers["as_posted"] / 100
    return Judgement("true" if helped else "false", reason, numbers)


def lower_rate_does_not_help(family: str) -> Judgement:
    rates = {
        rate: largest_loss(small(family, "buggy", learning_rate=rate)) for rate in (1e-2, 1e-4)
    }
    factor = rates[1e-2] / rates[1e-4]
    reason = (
        f"A rate of 1e-4 in place of RMSprop's default of 1e-2 lowers the largest loss of {STEPS} "
        f"steps {factor:.2g}-fold, since three layers grow together."
    )
    numbers = {str(rate): largest for rate, largest in rates.items()}
    return Judgement("false" if factor > 100 else "true", reason, numbers)


def clamp_was_applied(family: str) -> Judgement:
    posted, bounded = small(family, "buggy"), clamped(family)
    numbers = {"loss_as_posted": largest_loss(posted), "loss_with_a_clamp": largest_loss(bounded)}
    for word, program in (("as_posted", posted), ("with_a_clamp", bounded)):
        weights = program.critic.parameters()
        numbers[f"weight_{word}"] = max(float(p.detach().abs().max()) for p in weights)
    reason = (
        f"Clamped in place no weight passes {numbers['weight_with_a_clamp']:.2g}, and no loss "
        f"{numbers['loss_with_a_clamp']:.2g}; losses like the printed ones come with weights of "
        f"{numbers['weight_as_posted']:.2g}."
    )
    tenfold = numbers["loss_as_posted"] > 10 * numbers["loss_with_a_clamp"]
    return Judgement("false" if tenfold else "true", reason, numbers)


def named_losses_oppose(family: str) -> Judgement:
    reals, fakes = (torch.zeros(4, 1, requires_grad=True) for _ in range(2))
    critic = reals.mean() - fakes.mean()
    generator = -fakes.mean()
    slopes = {
        "critic": float(torch.autograd.grad(critic, fakes)[0].sum()),
        "generator": float(torch.autograd.grad(generator, fakes)[0].sum()),
    }
    reason = (
        f"By the score of a fake the critic's loss has a slope of {slopes['critic']:g} and the "
        f"generator's {slopes['generator']:g}: both lower theirs by raising it."
    )
    together = slopes["critic"] * slopes["generator"] > 0
    return Judgement("false" if together else "true", reason, slopes)
