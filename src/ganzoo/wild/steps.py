"""Mistakes in a training step of a first GAN: donors, oracles, entries."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.wild.by_hand import STOPS, Steps, leftover_survives, some_batches
from ganzoo.wild.entries import seen

ZERO_GRAD = "https://docs.pytorch.org/docs/stable/generated/torch.optim.Optimizer.zero_grad.html"
OPTIM = "https://docs.pytorch.org/docs/stable/optim.html"


class StaleCriticGradient(FixedMLPGAN):
    """The critic's gradients are cleared before the generator's backward, which fills them."""

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.reals_in_range(batch[0])
        generator_optimizer, critic_optimizer = self.both_optimizers()
        fakes = self.generate(self.draw_latents(len(reals)))
        critic_loss = self.critic_loss(reals, fakes.detach())
        self.manual_backward(critic_loss)
        critic_optimizer.step()
        generator_loss = self.generator_loss(fakes)
        critic_optimizer.zero_grad()
        generator_optimizer.zero_grad()
        self.manual_backward(generator_loss)
        self.keep_norm(batch_idx)
        generator_optimizer.step()
        self.generator_steps += 1
        self.keep_losses(generator_loss, critic_loss)


class GeneratorNeverCleared(FixedMLPGAN):
    """The generator's gradients add up over all steps."""

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.reals_in_range(batch[0])
        generator_optimizer, critic_optimizer = self.both_optimizers()
        fakes = self.generate(self.draw_latents(len(reals)))
        critic_loss = self.critic_loss(reals, fakes.detach())
        critic_optimizer.zero_grad()
        self.manual_backward(critic_loss)
        critic_optimizer.step()
        generator_loss = self.generator_loss(fakes)
        self.manual_backward(generator_loss)
        self.keep_norm(batch_idx)
        generator_optimizer.step()
        self.generator_steps += 1
        self.keep_losses(generator_loss, critic_loss)


class CriticNeverSteps(FixedMLPGAN):
    """The critic gets gradients, and no step uses them."""

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.reals_in_range(batch[0])
        generator_optimizer, critic_optimizer = self.both_optimizers()
        fakes = self.generate(self.draw_latents(len(reals)))
        critic_loss = self.critic_loss(reals, fakes.detach())
        critic_optimizer.zero_grad()
        self.manual_backward(critic_loss)
        generator_optimizer.zero_grad()
        generator_loss = self.generator_loss(fakes)
        self.manual_backward(generator_loss)
        self.keep_norm(batch_idx)
        generator_optimizer.step()
        self.generator_steps += 1
        self.keep_losses(generator_loss, critic_loss)


class SavedByReference(FixedMLPGAN):
    """The gradient of the loss on reals is set aside, and cleared with what it was set aside of."""

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.reals_in_range(batch[0])
        generator_optimizer, critic_optimizer = self.both_optimizers()
        fakes = self.generate(self.draw_latents(len(reals)))
        critic_optimizer.zero_grad()
        real_scores, fake_scores = self.critic(reals), self.critic(fakes.detach())
        real_loss = self.adversarial_loss(real_scores, self.target(real_scores, 1.0))
        fake_loss = self.adversarial_loss(fake_scores, self.target(fake_scores, 0.0))
        self.manual_backward(real_loss)
        saved = [p.grad for p in self.critic.parameters()]
        critic_optimizer.zero_grad(set_to_none=False)
        self.manual_backward(fake_loss)
        for parameter, gradient in zip(self.critic.parameters(), saved, strict=True):
            parameter.grad = parameter.grad + gradient
        critic_optimizer.step()
        self.keep_scores(real_scores, fake_scores)
        generator_loss = self.generator_loss(fakes)
        generator_optimizer.zero_grad()
        self.manual_backward(generator_loss)
        self.keep_norm(batch_idx)
        generator_optimizer.step()
        self.generator_steps += 1
        self.keep_losses(generator_loss, real_loss + fake_loss)


class StepBeforeBackward(FixedMLPGAN):
    """The critic steps between the generator's forward through it and its backward."""

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.reals_in_range(batch[0])
        generator_optimizer, critic_optimizer = self.both_optimizers()
        fakes = self.generate(self.draw_latents(len(reals)))
        generator_loss = self.generator_loss(fakes)
        critic_loss = self.critic_loss(reals, fakes.detach())
        critic_optimizer.zero_grad()
        self.manual_backward(critic_loss)
        critic_optimizer.step()
        generator_optimizer.zero_grad()
        self.manual_backward(generator_loss)
        self.keep_norm(batch_idx)
        generator_optimizer.step()
        self.generator_steps += 1
        self.keep_losses(generator_loss, critic_loss)


def starts_from_nothing(network: str, **settings: Any) -> Any:
    """Return an oracle: a network's step uses gradients of this step alone."""

    def oracle(program: FixedMLPGAN) -> None:
        assert not leftover_survives(program, network, **settings), (
            f"gradients of earlier backwards are part of what the {network}'s step uses"
        )

    return oracle


def reals_teach_the_critic(program: FixedMLPGAN) -> None:
    found: list[list[Tensor | None]] = []
    (pixels, labels), *_ = some_batches(program)
    for shown in (pixels, 255 - pixels):
        steps = Steps(program)
        try:
            steps.take([(shown, labels)])
        except STOPS:
            return
        if not steps.gradients["critic"]:
            return
        found.append(steps.gradients["critic"][0])
    same = all(
        a is b or (a is not None and b is not None and torch.equal(a, b))
        for a, b in zip(*found, strict=True)
    )
    assert not same, "other real images give the critic's step the same gradient"


def critic_is_stepped(program: FixedMLPGAN) -> None:
    steps = Steps(program)
    try:
        steps.take(some_batches(program))
    except STOPS:
        return
    assert steps.gradients["critic"], "the critic gets gradients, and its optimiser never steps"


def steps_come_after_backwards(program: FixedMLPGAN) -> None:
    try:
        Steps(program).take(some_batches(program))
    except ValueError:  # labels that the loss refuses: another fault
        return
    except RuntimeError as error:
        text = str(error).splitlines()[0]
        # what an activation overwrites is not a weight
        if "inplace operation" in text and "output 0 of Tanh" not in text:
            raise AssertionError(f"RuntimeError: {text}") from error


STEP_FAULTS = [
    seen(
        "stale_critic_gradient",
        "The critic's step undoes a part of what it learnt: its gradient holds the generator's.",
        "The generator's backward fills the critic's gradients, which are not cleared before the "
        "critic's own.",
        ZERO_GRAD,
        StaleCriticGradient,
        "training_step",
        starts_from_nothing("critic"),
        "Lightning-AI/pytorch-lightning#591 FoundationVision/OmniTokenizer#15",
    ),
    seen(
        "generator_gradients_add_up",
        "The generator's gradient grows with the number of steps.",
        "zero_grad is missing before the generator's backward.",
        ZERO_GRAD,
        GeneratorNeverCleared,
        "training_step",
        starts_from_nothing("generator"),
        "Project-MONAI/GenerativeModels#102",
    ),
    seen(
        "critic_never_steps",
        "The critic's accuracy stays at chance, or where the generator left it.",
        "The critic's optimiser is made, and its step is not called.",
        OPTIM,
        CriticNeverSteps,
        "training_step",
        critic_is_stepped,
        "samet-akcay/ganomaly#31 Lornatang/ESRGAN-PyTorch#39",
    ),
    seen(
        "saved_gradient_cleared",
        "The critic calls everything fake: its gradient is twice that of the loss on fakes.",
        "A reference to .grad was kept, and zero_grad(set_to_none=False) clears the tensor itself.",
        ZERO_GRAD,
        SavedByReference,
        "training_step",
        reals_teach_the_critic,
        "vasily789/adaptive-weighted-gans#1",
    ),
    seen(
        "step_before_backward",
        "The generator's backward stops with a RuntimeError about an inplace operation.",
        "The critic's step changes weights that the generator's graph still needs.",
        "https://github.com/pytorch/pytorch/issues/39141",
        StepBeforeBackward,
        "training_step",
        steps_come_after_backwards,
        "pytorch/pytorch#39141 leftthomas/SRGAN#84",
        "crash",
    ),
]
