"""What the post and its answer say about the CelebA GAN, and the experiments that judge it."""

from typing import cast

import torch

from ganzoo.build import build
from ganzoo.claims import Claim, Judgement
from ganzoo.dcgan.faults import FAULTS
from ganzoo.dcgan.fixed import FixedDCGAN
from ganzoo.trial import trial

STEPS = 3


def narrow(name: str, batch_size: int | None = None, **faults: bool) -> FixedDCGAN:
    """Return a model of the family at its smallest, with its faults switched as named."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        program = build(
            name, faults=faults, batch_size=batch_size, generator_channels=6, critic_channels=6
        )
    return cast("FixedDCGAN", program)  # every variant has its pieces


def crash_text(id: str) -> str:
    """Return the error by which one crash fault stops the fixed program, or nothing."""
    program = FAULTS.graft([id])(generator_channels=6, critic_channels=6)
    try:
        FAULTS[id].oracle(program)
    except AssertionError as error:
        return str(error)
    return ""


def binding_zeroes_the_gradient() -> Judgement:
    repaired = trial(narrow("buggy_dcgan", foreign_optimizers=False), STEPS)
    broken = trial(narrow("fixed_dcgan", batch_size=4, foreign_optimizers=True), STEPS)
    numbers = {
        "gradient_with_only_binding_repaired": repaired.generator.largest_norm,
        "gradient_with_only_binding_broken": broken.generator.largest_norm,
        "change_with_only_binding_broken": broken.generator.change,
    }
    holds = repaired.generator.largest_norm > 0 or broken.generator.largest_norm == 0
    reason = (
        f"With only this repaired the gradient is still {repaired.generator.largest_norm:g}; with "
        f"only this broken it is {broken.generator.largest_norm:.3g}, and no weight moves. "
        "Backward fills gradients, whatever an optimiser holds."
    )
    return Judgement("true" if holds else "false", reason, numbers)


def binding_freezes_the_weights() -> Judgement:
    broken = trial(narrow("fixed_dcgan", batch_size=4, foreign_optimizers=True), STEPS)
    healthy = trial(narrow("fixed_dcgan", batch_size=4), STEPS)
    numbers = {
        "change_with_foreign_optimizers": max(broken.generator.change, broken.critic.change),
        "change_without": min(healthy.generator.change, healthy.critic.change),
    }
    holds = numbers["change_with_foreign_optimizers"] == 0 < numbers["change_without"]
    moved = numbers["change_without"]
    reason = f"Both networks stay as they are; bound rightly they move by {moved:.2g}."
    return Judgement("true" if holds else "false", reason, numbers)


def rounding_cuts_the_graph() -> Judgement:
    rounded = trial(narrow("fixed_dcgan", batch_size=4, rounded_fakes=True), STEPS)
    program = narrow("fixed_dcgan", rounded_fakes=True)
    shown = program.shown_to_critic(program.generate(program.draw_latents(2)))
    whole = shown.grad_fn is not None
    present = rounded.generator.tensors - rounded.generator.most_missing
    numbers = {
        "largest_gradient": rounded.generator.largest_norm,
        "tensors_with_a_gradient": present,
        "operation": type(shown.grad_fn).__name__,
    }
    reason = (
        f"It is what zeroes the gradient, but the graph is whole ({numbers['operation']}): all "
        f"{present} tensors receive one, of exactly {rounded.generator.largest_norm:g}."
    )
    zero = rounded.generator.largest_norm == 0
    return Judgement("partly" if zero and whole else "true" if zero else "false", reason, numbers)


def nan_replacement_is_a_cause() -> Judgement:
    kept = trial(narrow("buggy_dcgan"), STEPS)
    dropped = trial(narrow("buggy_dcgan", nan_replaced=False), STEPS)
    numbers = {
        "losses_with": kept.losses,
        "losses_without": dropped.losses,
        "gradient_without": dropped.generator.largest_norm,
    }
    acts = kept.losses != dropped.losses or dropped.generator.largest_norm > 0
    reason = "It never fires: losses are equal to the last bit without it, the gradient is still 0."
    return Judgement("true" if acts else "false", reason, numbers)


def advised_views_run() -> Judgement:
    texts = {id: crash_text(id) for id in ("advised_views_crash", "mismatched_targets")}
    reason = "As written they stop the posted program: " + "; ".join(filter(None, texts.values()))
    return Judgement("false" if any(texts.values()) else "true", reason, dict(texts))


def generator_view_breaks_larger_batches() -> Judgement:
    program = narrow("buggy_dcgan", batch_size=None)
    made = len(program.generate(program.draw_latents(2)))
    reason = f"Asked for 2 images it makes {made} without an error: the posted latent has no batch."
    return Judgement("false" if made == 1 else "true", reason, {"images_of_two_asked_for": made})


def clearing_is_redundant() -> Judgement:
    with_it = trial(narrow("fixed_dcgan", batch_size=4, zero_grad_in_step=True), STEPS)
    without = trial(narrow("fixed_dcgan", batch_size=4), STEPS)
    unbound = {
        keep: trial(narrow("buggy_dcgan", zero_grad_in_step=keep, rounded_fakes=False), STEPS)
        for keep in (True, False)
    }
    same = with_it.losses == without.losses
    numbers = {
        "same_losses_when_bound": same,
        "gradient_unbound_with": unbound[True].generator.last_norm,
        "gradient_unbound_without": unbound[False].generator.last_norm,
    }
    reason = (
        "With optimisers of its own the program trains the same without it. With foreign ones it "
        "is all that clears gradients: without it they add up to "
        f"{numbers['gradient_unbound_without']:.3g}, with it they are "
        f"{numbers['gradient_unbound_with']:.3g}."
    )
    return Judgement("partly" if same else "false", reason, numbers)


def advised_scale_matters() -> Judgement:
    gaps = {}
    for norm, id in (("with_batchnorm", True), ("without_batchnorm", False)):
        program = narrow("fixed_dcgan", batchnorm_critic=id)
        images = torch.rand(8, *program.image_shape, generator=torch.Generator().manual_seed(0))
        with torch.no_grad():
            small, large = program.critic(images), program.critic(images * 255)
        gaps[norm] = float((small - large).abs().mean() / small.std())
    reason = (
        "Showing fakes in [0, 1] beside reals in [0, 255] passes only because BatchNorm rescales "
        f"each batch: the scale moves scores by {gaps['with_batchnorm']:.2g} standard deviations "
        f"with it, by {gaps['without_batchnorm']:.3g} without."
    )
    hidden = gaps["with_batchnorm"] < 0.1 < gaps["without_batchnorm"]
    return Judgement("partly" if hidden else "false", reason, gaps)


def critic_trains_normally() -> Judgement:
    seen = trial(narrow("buggy_dcgan"), STEPS)
    numbers = {"critic_change": seen.critic.change, "critic_gradient": seen.critic.largest_norm}
    reason = (
        f"It has a gradient (norm up to {seen.critic.largest_norm:.3g}); its weights changed "
        f"by exactly {seen.critic.change:g}: its optimiser holds another network's."
    )
    return Judgement("true" if seen.critic.change else "false", reason, numbers)


CLAIMS = {
    claim.id: claim
    for claim in (
        Claim(
            "critic_trains_normally",
            "post",
            "Only the generator is stuck; the critic trains as it should.",
            critic_trains_normally,
        ),
        Claim(
            "binding_zeroes_the_gradient",
            "answer",
            "Optimisers bound to other networks are the main reason why the gradient is 0.",
            binding_zeroes_the_gradient,
        ),
        Claim(
            "binding_freezes_the_weights",
            "answer",
            "With optimisers bound to other networks no parameter is updated.",
            binding_freezes_the_weights,
        ),
        Claim(
            "rounding_cuts_the_graph",
            "answer",
            "Rounding the fakes cuts the graph, so that no gradient comes back.",
            rounding_cuts_the_graph,
        ),
        Claim(
            "nan_replacement_is_a_cause",
            "answer",
            "Replacing NaN scores by a constant is a direct cause of the zero gradient.",
            nan_replacement_is_a_cause,
        ),
        Claim(
            "advised_views_run",
            "answer",
            "Reading the batch size off the features in both views repairs the shapes.",
            advised_views_run,
        ),
        Claim(
            "generator_view_breaks_larger_batches",
            "answer",
            "The generator's hard-coded view fails as soon as a batch is larger than one.",
            generator_view_breaks_larger_batches,
        ),
        Claim(
            "clearing_is_redundant",
            "answer",
            "The manual zero_grad in the step is redundant.",
            clearing_is_redundant,
        ),
        Claim(
            "advised_scale_is_right",
            "answer",
            "The generator's output goes to the critic as it is, in [0, 1].",
            advised_scale_matters,
        ),
    )
}
