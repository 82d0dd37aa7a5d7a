"""Mistakes with optimisers, steps and checkpoints of a first GAN: donors, oracles, entries."""

import copy
from collections.abc import Sequence
from typing import Any

from pytorch_lightning import LightningModule
from torch import Tensor
from torch.optim import Adam, Optimizer

from ganzoo.mlp_gan.base import MLPGAN
from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.wild.by_hand import STOPS, Steps, leftover_survives, some_batches
from ganzoo.wild.entries import seen

ZERO_GRAD = "https://docs.pytorch.org/docs/stable/generated/torch.optim.Optimizer.zero_grad.html"
MANUAL = "https://lightning.ai/docs/pytorch/stable/model/manual_optimization.html"
OPTIM = "https://docs.pytorch.org/docs/stable/optim.html"
CHECKPOINT = "https://lightning.ai/docs/pytorch/stable/common/checkpointing_basic.html"


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


class HeadLeftOut(FixedMLPGAN):
    """The critic's optimiser holds all of its layers but the last."""

    def configure_optimizers(self) -> list[Optimizer]:
        generator, body = self.generator.parameters(), self.critic[:-2].parameters()
        return [
            Adam(generator, lr=self.generator_rate, betas=self.betas),
            Adam(body, lr=self.critic_rate, betas=self.betas),
        ]


class GeneratorInBoth(FixedMLPGAN):
    """The critic's optimiser holds the generator, too."""

    def configure_optimizers(self) -> list[Optimizer]:
        both = [*self.generator.parameters(), *self.critic.parameters()]
        return [
            Adam(self.generator.parameters(), lr=self.generator_rate, betas=self.betas),
            Adam(both, lr=self.critic_rate, betas=self.betas),
        ]


class GlobalStepSchedule(FixedMLPGAN):
    """The stages of the rate count Lightning's global steps."""

    def set_rates(self) -> None:
        stage = self.rate_stages[min(self.global_step // self.stage_steps, 2)]
        rates = self.generator_rate, self.critic_rate
        for optimizer, rate in zip(self.both_optimizers(), rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate * stage


class ClippingHook(FixedMLPGAN):
    """Clipping is left to a hook that is not called in manual optimisation."""

    def configure_gradient_clipping(
        self,
        optimizer: Optimizer,
        gradient_clip_val: Any = None,
        gradient_clip_algorithm: str | None = None,
    ) -> None:
        self.clip_gradients(optimizer, gradient_clip_val=0.5, gradient_clip_algorithm="norm")


class OptimisersForgotten(FixedMLPGAN):
    """A resumed run starts with fresh optimisers."""

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        MLPGAN.on_load_checkpoint(self, checkpoint)
        checkpoint["optimizer_states"] = []


class CountersForgotten(FixedMLPGAN):
    """A resumed run counts its steps from 0, and its schedule with them."""

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        self._random_to_restore = checkpoint["ganzoo"]["random"]


def starts_from_nothing(network: str, **settings: Any) -> Any:
    """Return an oracle: a network's step uses gradients of this step alone."""

    def oracle(program: FixedMLPGAN) -> None:
        assert not leftover_survives(program, network, **settings), (
            f"gradients of earlier backwards are part of what the {network}'s step uses"
        )

    return oracle


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


def held(program: FixedMLPGAN) -> list[set[int]]:
    """Return the identities of the parameters that each optimiser holds."""
    return [
        {id(p) for group in optimizer.param_groups for p in group["params"]}
        for optimizer in program.configure_optimizers()
    ]


def critic_is_held_whole(program: FixedMLPGAN) -> None:
    copied = copy.deepcopy(program)
    missing = sum(id(p) not in held(copied)[1] for p in copied.critic.parameters())
    assert missing == 0, f"{missing} of the critic's tensors are in no optimiser"


def no_parameter_is_held_twice(program: FixedMLPGAN) -> None:
    generator, critic = held(copy.deepcopy(program))
    assert not generator & critic, f"{len(generator & critic)} tensors are in both optimisers"


def schedule_counts_generator_steps(program: FixedMLPGAN) -> None:
    steps = Steps(program, rate_stages=(1.0, 0.5, 0.25), stage_steps=5)
    try:
        steps.take(some_batches(program, 4))
    except STOPS:
        return
    stage = steps.optimizers[0].param_groups[0]["lr"] / steps.program.generator_rate
    assert stage == 1 or steps.program.generator_steps < 4, (
        f"after {steps.program.generator_steps} of 5 generator steps the rate is already "
        f"{stage:g} of the first"
    )


def clipping_is_not_left_to_lightning(program: FixedMLPGAN) -> None:
    own = type(program).configure_gradient_clipping
    same = own is LightningModule.configure_gradient_clipping
    assert same or program.automatic_optimization, (
        "configure_gradient_clipping is not called in manual optimisation: nothing is clipped"
    )


def loaded(program: FixedMLPGAN) -> tuple[FixedMLPGAN, dict[str, Any]]:
    """Return a copy that was given a checkpoint, and what is left of that."""
    copied = copy.deepcopy(program)
    checkpoint: dict[str, Any] = {"optimizer_states": [{}, {}]}
    copied.generator_steps = 7
    copied.on_save_checkpoint(checkpoint)
    copied.generator_steps = 0
    copied.on_load_checkpoint(checkpoint)
    return copied, checkpoint


def optimisers_are_restored(program: FixedMLPGAN) -> None:
    _, checkpoint = loaded(program)
    assert checkpoint["optimizer_states"], "the optimisers' states are thrown away on resuming"


def counters_are_restored(program: FixedMLPGAN) -> None:
    copied, _ = loaded(program)
    assert copied.generator_steps == 7, "a run that is resumed counts its steps from 0"


BOOKKEEPING_FAULTS = [
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
    seen(
        "critic_head_in_no_optimizer",
        "The critic's last layer stays as it was drawn.",
        "Its parameters are in no optimiser.",
        OPTIM,
        HeadLeftOut,
        "configure_optimizers",
        critic_is_held_whole,
        "line/open-universe#5",
    ),
    seen(
        "generator_in_both_optimizers",
        "The critic's step moves the generator, by gradients of its last step.",
        "The generator's parameters are in both optimisers.",
        OPTIM,
        GeneratorInBoth,
        "configure_optimizers",
        no_parameter_is_held_twice,
        "wiseodd/controlled-text-generation#15",
    ),
    seen(
        "global_step_schedule",
        "A schedule runs twice as fast as it says.",
        "Lightning 2 counts every optimiser's step in global_step.",
        "https://github.com/Lightning-AI/pytorch-lightning/issues/17958",
        GlobalStepSchedule,
        "set_rates",
        schedule_counts_generator_steps,
        "Lightning-AI/pytorch-lightning#17958",
    ),
    seen(
        "unused_clipping_hook",
        "Gradients are as large as without clipping.",
        "Lightning does not call configure_gradient_clipping in manual optimisation.",
        MANUAL,
        ClippingHook,
        "configure_gradient_clipping",
        clipping_is_not_left_to_lightning,
        "galilai-group/stable-pretraining#246 EveryVoiceTTS/EveryVoice#124",
    ),
    seen(
        "optimizers_not_restored",
        "The first steps after resuming are large.",
        "Adam's averages are not restored, and start from 0.",
        CHECKPOINT,
        OptimisersForgotten,
        "on_load_checkpoint",
        optimisers_are_restored,
        "NVlabs/stylegan2-ada-pytorch#108 mlangguth89/downscaling_benchmark#37",
    ),
    seen(
        "counters_not_restored",
        "A schedule starts anew when a run is resumed.",
        "The number of steps is not restored with the weights.",
        CHECKPOINT,
        CountersForgotten,
        "on_load_checkpoint",
        counters_are_restored,
        "TensorSpeech/TensorFlowTTS#409",
    ),
]
