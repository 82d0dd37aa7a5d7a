"""Experiments that judge what the post and its answer say about the CelebA GAN."""

from functools import partial

import torch

from ganzoo.build import build
from ganzoo.claims import Judgement
from ganzoo.dcgan.faults import FAULTS
from ganzoo.dcgan.fixed import FixedDCGAN
from ganzoo.trial import seeded_program, trial

STEPS = 3


def narrow(name: str, batch_size: int | None = None, **faults: bool) -> FixedDCGAN:
    """Return a model of the family at its smallest, with its faults switched as named."""
    return seeded_program(
        partial(build, name),
        faults=faults,
        batch_size=batch_size,
        generator_channels=6,
        critic_channels=6,
    )


def crash_text(id: str) -> str:
    """Return the error by which one crash fault stops the fixed program, or nothing."""
    return FAULTS[id].seen_in(FAULTS.graft([id])(generator_channels=6, critic_channels=6))


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


def critic_view_breaks_larger_batches() -> Judgement:
    program = narrow("buggy_dcgan", batch_size=None)
    images = torch.zeros(2, *program.image_shape)
    try:
        program.critic(images)
        text = ""
    except RuntimeError as error:
        text = f"RuntimeError: {str(error).splitlines()[0]}"
    reason = f"Two images at once: {text or 'no error'}."
    return Judgement("true" if text else "false", reason, {"error": text})


def unit_range_is_needed() -> Judgement:
    seen = trial(narrow("buggy_dcgan", rounded_fakes=False), STEPS)
    norm = seen.generator.largest_norm
    reason = (
        f"Without rounding a gradient (norm {norm:.3g}) reaches the generator through the "
        "multiplication by 255 as well: the rounding alone is what must go."
    )
    return Judgement("partly" if norm > 0 else "true", reason, {"gradient": norm})


def nan_replacement_hides_failures() -> Judgement:
    broken = narrow("fixed_dcgan", batch_size=4, nan_replaced=True, sigmoid_bce=True)
    with torch.no_grad():
        next(broken.critic.parameters()).fill_(float("nan"))
    fakes = broken.generate(broken.draw_latents(2))
    loss = broken.generator_loss(fakes)
    gradients = torch.autograd.grad(
        loss, list(broken.generator.parameters()), allow_unused=True, materialize_grads=True
    )
    norm = float(torch.nn.utils.get_total_norm(gradients))
    numbers = {"loss": float(loss.detach()), "gradient": norm}
    reason = (
        f"With a NaN in the critic the loss is {numbers['loss']:g}, backward runs without an "
        f"error, and the generator's gradient is {norm:g}. Only, in this program no NaN came up."
    )
    return Judgement("true" if norm == 0 else "false", reason, numbers)


def printed_gradient_is_the_gradient() -> Judgement:
    seen = trial(narrow("fixed_dcgan", batch_size=4, gradient_read_too_early=True), STEPS)
    printed = next(iter(seen.printed_gradients.values()))
    numbers = {"printed": printed, "gradient": seen.generator.largest_norm}
    reason = (
        f"Read where the post reads it, before backward, a healthy program's gradient is "
        f"{printed}, while its norm is {numbers['gradient']:.3g}. Here it was 0 as well."
    )
    shown = printed is not None and printed > 0
    return Judgement("true" if shown else "partly", reason, numbers)


def clearing_upsets_accumulation() -> Judgement:
    norms = {}
    for clears in (False, True):
        program = narrow("fixed_dcgan", batch_size=4, zero_grad_in_step=clears)
        with program.seeded(0):
            latents = program.draw_latents(2)
        for _ in range(2):  # two backward passes for one step, as accumulation has it
            program.clear_gradients()
            torch.autograd.backward(program.generator_loss(program.generate(latents)))
        gradients = [p.grad for p in program.generator.parameters() if p.grad is not None]
        norms["with" if clears else "without"] = float(torch.nn.utils.get_total_norm(gradients))
    reason = (
        f"After two backward passes the gradient's norm is {norms['with']:.3g} with it and "
        f"{norms['without']:.3g} without: the first half is lost."
    )
    lost = norms["with"] < 0.75 * norms["without"]
    return Judgement("true" if lost else "false", reason, norms)
