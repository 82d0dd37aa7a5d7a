"""Code that reads wrong and is right: each trains as its twin does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, log_softmax

from ganzoo.adapt.fixed import FixedAdapt
from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.program import Program
from ganzoo.wgan_gp.fixed import FixedWGANGP
from ganzoo.wild.entries import GITHUB


@dataclass(frozen=True)
class LookAlike:
    """Healthy code that is often reported as a fault.

    Attributes:
        id: its name.
        family: where it stands.
        reads: what it is taken for.
        right: why it is right.
        program: the class that has it.
        twin: the class that it trains like.
        mirrored: whether its critic's scores are minus the twin's, so that the twin's last layer
            must be negated to see the same numbers.
        reports: public threads.
    """

    id: str
    family: str
    reads: str
    right: str
    program: type[Program]
    twin: type[Program]
    reports: tuple[str, ...]
    mirrored: bool = False


class SwappedLabels(FixedMLPGAN):
    """Reals are 0 and fakes are 1, for both players."""

    def critic_loss(self, reals: Tensor, fakes: Tensor) -> Tensor:
        real_scores, fake_scores = self.critic(self.reals_shown(reals)), self.critic(fakes)
        real_loss = self.adversarial_loss(real_scores, self.target(real_scores, 0.0))
        fake_loss = self.adversarial_loss(fake_scores, self.target(fake_scores, 1.0))
        return real_loss + fake_loss

    def generator_loss(self, fakes: Tensor) -> Tensor:
        scores = self.critic(fakes)
        return self.adversarial_loss(scores, self.target(scores, 0.0))


class ReversedSigns(FixedWGANGP):
    """The critic lowers the scores of reals, and the generator those of fakes."""

    def critic_loss(self, reals: Tensor, fakes: Tensor) -> Tensor:
        return self.critic(reals).mean() - self.critic(fakes).mean()

    def generator_loss(self, fakes: Tensor) -> Tensor:
        return self.critic(fakes).mean()


class NotDetached(FixedWGANGP):
    """The critic's step walks through the generator, whose gradients are cleared before its own."""

    def training_step(self, batch: Sequence[Tensor], batch_idx: int) -> None:
        reals = self.last_reals = self.shaped(self.reals_in_range(batch[0]))
        generator_optimizer, critic_optimizer = self.both_optimizers()
        fakes = self.shaped(self.generate(self.draw_latents(len(reals))))
        critic_loss = self.critic_loss(reals, fakes)
        penalty = self.critic_penalty(reals, fakes)
        critic_optimizer.zero_grad()
        self.manual_backward(critic_loss + penalty)
        critic_optimizer.step()
        if self.batches_seen % self.critic_steps == 0:
            fakes = self.shaped(self.generate(self.draw_latents(len(reals))))
            generator_loss = self.generator_loss(fakes)
            generator_optimizer.zero_grad()
            self.manual_backward(generator_loss)
            generator_optimizer.step()
            self.generator_steps += 1
            self.keep_losses(generator_loss, critic_loss)


def clipped(program: FixedMLPGAN) -> None:
    """Clip the critic's weights to 0.05."""
    with torch.no_grad():
        for parameter in program.critic.parameters():
            parameter.clamp_(-0.05, 0.05)


class ClippedAfterStep(FixedMLPGAN):
    """The weights are clipped behind the critic's step, and before the first."""

    def set_rates(self) -> None:
        if self.generator_steps == 0:
            clipped(self)

    def after_critic_step(self) -> None:
        clipped(self)


class ClippedBeforeForward(FixedMLPGAN):
    """The weights are clipped before each forward of the critic, not behind its step."""

    def critic_loss(self, reals: Tensor, fakes: Tensor) -> Tensor:
        clipped(self)
        return FixedMLPGAN.critic_loss(self, reals, fakes)

    def generator_loss(self, fakes: Tensor) -> Tensor:
        clipped(self)
        return FixedMLPGAN.generator_loss(self, fakes)


class LogSoftmaxTwice(FixedAdapt):
    """The head's logits pass through log-softmax, and the loss takes another."""

    def sides(self, batch: Sequence[Tensor], moves: bool) -> Any:
        source, target, _ = FixedAdapt.sides(self, batch, moves)
        with torch.set_grad_enabled(moves):
            own_loss = cross_entropy(log_softmax(self.generator.head(source), 1), batch[1])
        return source, target, own_loss if moves else own_loss.detach()


def threads(*reports: str) -> tuple[str, ...]:
    """Return the addresses of public threads."""
    return tuple(GITHUB + report.replace("#", "/issues/") for report in reports)


LOOKALIKES = (
    LookAlike(
        "swapped_labels",
        "mlp_gan",
        "The labels are the wrong way round.",
        "Both players use the same ones, so that the critic learns the mirrored score.",
        SwappedLabels,
        FixedMLPGAN,
        threads("keras-team/keras-io#361", "jindongwang/transferlearning#192"),
        mirrored=True,
    ),
    LookAlike(
        "reversed_signs",
        "wgan_gp",
        "Both losses have the wrong sign.",
        "A critic may as well score fakes high; what counts is that the players oppose.",
        ReversedSigns,
        FixedWGANGP,
        threads("martinarjovsky/WassersteinGAN#50", "caogang/wgan-gp#57"),
        mirrored=True,
    ),
    LookAlike(
        "not_detached",
        "wgan_gp",
        "The fakes are not detached in the critic's step.",
        "The generator's gradients are cleared before its own backward; it only costs time.",
        NotDetached,
        FixedWGANGP,
        threads("pytorch/examples#116", "yunjey/pytorch-tutorial#56"),
    ),
    LookAlike(
        "clipped_before_forward",
        "mlp_gan",
        "The weights are clipped too early, not behind the step.",
        "Every forward sees clipped weights either way.",
        ClippedBeforeForward,
        ClippedAfterStep,
        threads("martinarjovsky/WassersteinGAN#61", "jalola/improved-wgan-pytorch#9"),
    ),
    LookAlike(
        "log_softmax_twice",
        "adapt",
        "Cross-entropy gets what has been through a softmax.",
        "It has been through a log-softmax, which changes nothing the second time.",
        LogSoftmaxTwice,
        FixedAdapt,
        threads("corenel/pytorch-adda#2"),
    ),
)
