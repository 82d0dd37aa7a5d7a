"""Mistakes around a first GAN that the article advises, prints or provokes: one donor each."""

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from ganzoo.mlp_gan.fixed import FixedMLPGAN


class Saturating(FixedMLPGAN):
    """The generator lowers log(1 - D(fake)), the loss of the game's proof."""

    def generator_loss(self, fakes: Tensor) -> Tensor:
        return logsigmoid(-self.critic(fakes)).mean()


class Unbounded(FixedMLPGAN):
    """Nothing bounds the generator's output."""

    generator_output = nn.Identity


class HandWritten(FixedMLPGAN):
    """The cross-entropy is written out, of a probability that reaches 0 and 1."""

    def adversarial_loss(self, scores: Tensor, targets: Tensor) -> Tensor:
        chance = torch.sigmoid(scores)
        return -(targets * chance.log() + (1 - targets) * (1 - chance).log()).mean()


class NoisyReals(FixedMLPGAN):
    """Only the real images get noise."""

    def reals_shown(self, reals: Tensor) -> Tensor:
        return reals + 0.05 * torch.randn_like(reals)


class ClampedCritic(FixedMLPGAN):
    """The critic's weights are clipped so far that it cannot tell anything."""

    def after_critic_step(self) -> None:
        with torch.no_grad():
            for parameter in self.critic.parameters():
                parameter.clamp_(-0.01, 0.01)


class FlatLabels(FixedMLPGAN):
    """There is one label for each image, and a score for each has two dimensions."""

    def target(self, scores: Tensor, value: float) -> Tensor:
        return torch.full((len(scores),), value, device=scores.device)


class BroadcastLabels(FixedMLPGAN):
    """The same labels, beside a squared error that broadcasts."""

    target = FlatLabels.target

    def adversarial_loss(self, scores: Tensor, targets: Tensor) -> Tensor:
        return (scores - targets).square().mean()


class ReusedFakes(FixedMLPGAN):
    """The generator takes two steps on the same fakes."""

    generator_turns = 2

    def fakes_of_turn(self, fakes: Tensor, turn: int) -> Tensor:
        return fakes


class FloatImages(FixedMLPGAN):
    """The metric gets the generator's floats."""

    def for_metric(self, images: Tensor) -> Tensor:
        return images.expand(-1, 3, -1, -1)


class GreyImages(FixedMLPGAN):
    """The metric gets images of one channel."""

    def for_metric(self, images: Tensor) -> Tensor:
        return self.to_uint8(images)
