"""Properties of a healthy program; each raises AssertionError where one fault is present.

An oracle sees its own fault and no other, and judges by a property, not by how training ends.
"""

import contextlib
import copy
import math
import warnings
from collections.abc import Iterator

import pytorch_lightning as pl
import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from ganzoo.dcgan.fixed import FixedDCGAN
from ganzoo.dcgan.networks import SEED_MAPS


def parameters_of(optimizer: Optimizer) -> list[Tensor]:
    """Return every tensor that an optimiser steps."""
    return [p for group in optimizer.param_groups for p in group["params"]]


@contextlib.contextmanager
def kept_gradients(program: FixedDCGAN) -> Iterator[None]:
    """Give every parameter its gradient back at the end."""
    gradients = [(p, p.grad) for p in program.parameters()]
    try:
        yield
    finally:
        for parameter, gradient in gradients:
            parameter.grad = gradient


def trouble_with_two_images(program: FixedDCGAN) -> str | None:
    """Return what goes wrong when two images pass the program's views, or None."""
    shape = (SEED_MAPS, *program.seed_grid)
    try:
        seeds = program.fold_seed(torch.zeros(2, math.prod(shape)), shape)
        rows = program.flatten_features(torch.zeros(2, *shape))
    except RuntimeError as error:
        return f"two images in a batch: {error}"
    return None if len(seeds) == len(rows) == 2 else f"two images become {len(seeds)}"


def optimizers_hold_own_parameters(program: FixedDCGAN) -> None:
    own = {id(p) for net in (program.generator, program.critic) for p in net.parameters()}
    held = [p for optimizer in program.configure_optimizers() for p in parameters_of(optimizer)]
    foreign = sum(id(p) not in own for p in held)
    assert not foreign, f"{foreign} of {len(held)} tensors that the optimisers hold are foreign"


def no_tensor_is_left_out(program: FixedDCGAN) -> None:
    for optimizer in program.configure_optimizers():
        held = {id(p) for p in parameters_of(optimizer)}
        for network in (program.generator, program.critic):
            own = [id(p) for p in network.parameters()]
            count = len(held.intersection(own))
            assert count in (0, len(own)), f"the optimiser holds {count} of {len(own)} tensors"


def fakes_carry_gradient(program: FixedDCGAN) -> None:
    fakes = torch.rand(1, *program.image_shape, device=program.device, requires_grad=True)
    (gradient,) = torch.autograd.grad(program.shown_to_critic(fakes).sum(), fakes)
    assert gradient.abs().max() > 0, "the generator's gradient is zero before it reaches it"


def gradients_survive_until_cleared(program: FixedDCGAN) -> None:
    parameter = next(program.generator.parameters())
    with kept_gradients(program):
        parameter.grad = torch.ones_like(parameter)
        program.clear_gradients()
        kept = parameter.grad is not None and bool(parameter.grad.any())
    assert kept, "the step clears gradients that it was to accumulate"


def nan_scores_stay_nan(program: FixedDCGAN) -> None:
    scores = program.checked(torch.full((1, 1), math.nan), 0.0)
    assert scores.isnan().any(), f"a NaN score becomes {float(scores.detach().flatten()[0])}"


def views_keep_the_batch(program: FixedDCGAN) -> None:
    trouble = trouble_with_two_images(program)
    assert trouble is None, trouble


def critic_reads_unit_scale(program: FixedDCGAN) -> None:
    largest = float(program.fakes_in_range(torch.tensor([0.0, 1.0])).abs().max())
    assert largest <= 1, f"the critic reads fakes of up to {largest:g}"


def reals_and_fakes_share_a_scale(program: FixedDCGAN) -> None:
    reals = program.reals_in_range(torch.tensor([0, 255], dtype=torch.uint8))
    fakes = program.fakes_in_range(torch.tensor([0.0, 1.0]))
    assert torch.equal(reals, fakes), f"black and white: {reals.tolist()} against {fakes.tolist()}"


def confident_critic_still_teaches(program: FixedDCGAN) -> None:
    logit = torch.full((1, 1), -200.0, requires_grad=True)
    loss = program.adversarial_loss(program.critic_output()(logit), torch.ones(1, 1))
    (slope,) = torch.autograd.grad(loss, logit)
    assert slope.abs().max() > 0, (
        f"at a logit of -200 the loss is {float(loss.detach()):g}, its slope 0"
    )


def adam_can_move_the_weights(program: FixedDCGAN) -> None:
    reach = 1000 * program.learning_rate
    assert reach >= 0.05, f"1,000 steps of Adam move a weight by at most about {reach:g}"


def momentum_is_low(program: FixedDCGAN) -> None:
    momentum = program.betas[0]
    assert momentum <= 0.5, f"Adam averages the game's gradients with momentum {momentum}"


def generator_weights_keep_variance(program: FixedDCGAN) -> None:
    for layer in program.generator.modules():
        if isinstance(layer, nn.ConvTranspose2d):
            terms = layer.in_channels * math.prod(layer.kernel_size) / math.prod(layer.stride)
            gain = float(layer.weight.detach().std()) * math.sqrt(terms)
            assert 0.7 < gain < 1.4, f"a layer scales its signal by {gain:.2f}"


def scores_are_independent(program: FixedDCGAN) -> None:
    images = torch.rand(2, *program.image_shape, device=program.device)
    images[1] *= 0.1
    critic = copy.deepcopy(program.critic.shrink).train()  # its running averages are not touched
    with torch.no_grad():
        alone, together = critic(images[:1]), critic(images)[:1]
    gap = float((alone - together).abs().max() / alone.abs().max())
    assert gap < 1e-3, f"another image in the batch changes an image's features by {gap:.0%}"


def critic_slope_is_penalised(program: FixedDCGAN) -> None:
    penalty = copy.deepcopy(program)
    penalty.batches_seen = 1
    reals = torch.rand(1, *program.image_shape, device=program.device)
    value = float(penalty.critic_penalty(reals).detach())
    assert value > 0, "the critic's slope costs nothing"


def reading_is_of_this_step(program: FixedDCGAN) -> None:
    weight = next(program.generator.parameters())
    with kept_gradients(program):
        weight.grad = None
        program.before_backward(0)
        weight.grad = torch.ones_like(weight)
        program.after_backward(0)
    reading = program.printed_gradients.pop(0, None)
    true = math.sqrt(weight.numel())
    right = reading is not None and math.isclose(reading, true, rel_tol=1e-4)
    assert right, f"the gradient's norm reads {reading}, and is {true:.3f}"


def fakes_are_generated_once(program: FixedDCGAN) -> None:
    fakes = torch.rand(1, *program.image_shape, device=program.device)
    with program.seeded(0):
        before = torch.get_rng_state()
        program.preview(0)
        program.fakes_for_critic(fakes)
        same = torch.equal(before, torch.get_rng_state())
    assert same, "a step generates again, which shifts the random state of the training"


def rates_fall(program: FixedDCGAN) -> None:
    twin = copy.deepcopy(program)
    adam = torch.optim.Adam([torch.zeros(1)], lr=1.0)
    twin.both_optimizers = lambda: (adam, adam)  # its own belong to a trainer
    twin.anneal_steps, twin.generator_steps = 100, 90
    twin.set_rates()
    rate, start = adam.param_groups[0]["lr"], twin.learning_rate
    assert rate < start, f"after nine tenths of the training the rate is still {start:g}"


def an_average_is_kept(program: FixedDCGAN) -> None:
    assert program.averaged_generator() is not None, "no averaged generator is kept"


def free_batches_hold_several_images(program: FixedDCGAN) -> None:
    one_by_choice = program.batch_size == 1 and trouble_with_two_images(program) is None
    assert not one_by_choice, "batches could hold more than one image, and hold one"


def generator_accepts_the_latents(program: FixedDCGAN) -> None:
    with torch.no_grad(), program.seeded(0):
        latents = program.draw_latents(1)
        try:
            program.generate(latents)
        except RuntimeError as error:
            raise AssertionError(f"latents {tuple(latents.shape)}: {error}") from error


def loss_accepts_the_targets(program: FixedDCGAN) -> None:
    with torch.no_grad():
        scores = program.critic(torch.rand(1, *program.image_shape, device=program.device))
        try:
            program.adversarial_loss(scores, program.target(scores, 1.0))
        except ValueError as error:
            raise AssertionError(str(error)) from error


def lightning_2_accepts_the_step(program: FixedDCGAN) -> None:
    trainer = pl.Trainer(barebones=True, accelerator="cpu", max_steps=1, limit_train_batches=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            trainer.fit(copy.deepcopy(program), [torch.zeros(1)])
        except RuntimeError as error:
            raise AssertionError(str(error)) from error
