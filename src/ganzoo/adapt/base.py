"""The adaptation family, faults aside: features of two domains, of which one has labels."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from ganzoo.adapt.networks import Classifier
from ganzoo.data import datamodule
from ganzoo.program import evaluating
from ganzoo.reversal.base import ReversalProgram

CLASSES = 10


class Adapt(ReversalProgram):
    """The features of the labelled domain are the source side, the others' the target side.

    A batch holds source images, source labels and target images: the target's labels never reach
    the program. Its "generator" is the feature extractor with its label head.

    Settings: those of ``ReversalProgram``; ``image_size``, ``image_channels`` and ``features``.
    """

    family = "adapt"
    draws_images = False
    settings = (*ReversalProgram.settings, "image_size", "image_channels", "features")
    scales: ClassVar = {
        "posted": {"features": 256, "critic_hidden": 1024},  # as CDAN, whose code the post adapts
        "quick": {"features": 64, "critic_hidden": 128},
    }

    batch_size: int = 64
    image_size: int = 14
    image_channels: int = 1
    features: int = 64
    feature_norm: Callable[[int], nn.Module]
    reals_in_range: Callable[[Tensor], Tensor]

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (self.image_channels, self.image_size, self.image_size)

    @property
    def feature_length(self) -> int:
        return self.features

    def make_networks(self) -> tuple[Any, Any]:
        if self.image_size < 6:
            raise ValueError(f"adapt reads images of 6 pixels and more, not {self.image_size}")
        generator = Classifier(self.image_channels, self.features, CLASSES, self.feature_norm)
        return generator, self.make_critic()

    def sides(self, batch: Sequence[Tensor], moves: bool) -> tuple[Tensor, Tensor, Tensor]:
        source_images, labels, target_images = batch
        with torch.set_grad_enabled(moves):  # each domain has BatchNorm statistics of its own
            source = self.generator.extract(self.reals_in_range(source_images))
            # the control sees no target image: even BatchNorm's statistics would adapt it
            target = (
                self.generator.extract(self.reals_in_range(target_images))
                if self.adversarial
                else source.detach()
            )
            own_loss = cross_entropy(self.generator.head(source), labels)
        return source, target, own_loss if moves else own_loss.detach()

    @torch.no_grad()
    def features_of(self, images: Tensor) -> Tensor:
        """Return features (N, features) of uint8 images, in eval mode, on the CPU."""
        with evaluating(self.generator):
            parts = [self.reals_in_range(part.to(self.device)) for part in images.split(500)]
            return torch.cat([self.generator.extract(part).cpu() for part in parts])

    @torch.no_grad()
    def labels_of(self, images: Tensor) -> Tensor:
        """Return the labels (N,) that the head finds for uint8 images."""
        device = self.generator.head.weight.device
        return self.generator.head(self.features_of(images).to(device)).argmax(1).cpu()

    def example_batches(self, seed: int) -> Iterable[Any]:
        pair = datamodule("digits_inverted", self)
        pair.setup()
        return pair.stream(seed)
