"""Mistakes with optimisers and checkpoints of a first GAN: donors, oracles, entries."""

import copy
from typing import Any

from pytorch_lightning import LightningModule
from torch.optim import Adam, Optimizer

from ganzoo.mlp_gan.base import MLPGAN
from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.wild.by_hand import STOPS, Steps, some_batches
from ganzoo.wild.entries import seen

MANUAL = "https://lightning.ai/docs/pytorch/stable/model/manual_optimization.html"
OPTIM = "https://docs.pytorch.org/docs/stable/optim.html"
CHECKPOINT = "https://lightning.ai/docs/pytorch/stable/common/checkpointing_basic.html"


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
