"""Mistakes with two domains: donors, oracles, entries."""

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from ganzoo.wild.entries import seen


class UnscaledTarget:
    """Source images are scaled, and target images go in as bytes."""

    def sides(self: Any, batch: Sequence[Tensor], moves: bool) -> tuple[Tensor, Tensor, Tensor]:
        source_images, labels, target_images = batch
        with torch.set_grad_enabled(moves):
            source = self.generator.extract(self.reals_in_range(source_images))
            target = (
                self.generator.extract(target_images.float())
                if self.adversarial
                else source.detach()
            )
            own_loss = cross_entropy(self.generator.head(source), labels)
        return source, target, own_loss if moves else own_loss.detach()


class OneLabel:
    """Every source image has the label 0."""

    def sides(self: Any, batch: Sequence[Tensor], moves: bool) -> tuple[Tensor, Tensor, Tensor]:
        source_images, labels, target_images = batch
        with torch.set_grad_enabled(moves):
            source = self.generator.extract(self.reals_in_range(source_images))
            target = (
                self.generator.extract(self.reals_in_range(target_images))
                if self.adversarial
                else source.detach()
            )
            own_loss = cross_entropy(self.generator.head(source), torch.zeros_like(labels))
        return source, target, own_loss if moves else own_loss.detach()


def both_domains_have_one_scale(program: Any) -> None:
    copied = copy.deepcopy(program)
    spans = []

    def extract(images: Tensor) -> Tensor:
        spans.append(float(images.max() - images.min()))
        return torch.zeros(len(images), copied.feature_length, requires_grad=True)

    copied.generator.extract = extract
    noise = torch.Generator().manual_seed(0)
    shape = (4, *copied.image_shape)
    images = torch.randint(0, 256, shape, generator=noise).to(torch.uint8)
    copied.sides((images, torch.zeros(4).long(), images), True)
    ratio = max(spans) / min(spans)
    assert ratio < 10, f"one domain spans {ratio:.0f} times what the other does"


def labels_are_read(program: Any) -> None:
    copied = copy.deepcopy(program).eval()
    noise = torch.Generator().manual_seed(0)
    images = torch.randint(0, 256, (4, *copied.image_shape), generator=noise).to(torch.uint8)
    zeros, several = torch.zeros(4).long(), torch.arange(4)
    losses = [float(copied.sides((images, y, images), True)[2].detach()) for y in (zeros, several)]
    assert losses[0] != losses[1], "the classifier's loss is the same whatever the labels are"


DOMAIN_FAULTS = [
    seen(
        "constant_label",
        "The classifier's loss falls to 0, and every image is given one class.",
        "The folders were laid out so that each image got the label 0.",
        "https://docs.pytorch.org/vision/stable/generated/torchvision.datasets.ImageFolder.html",
        OneLabel,
        "sides",
        labels_are_read,
        "ajbrock/BigGAN-PyTorch#26",
    ),
    seen(
        "unscaled_target",
        "Accuracy on the target domain falls to chance.",
        "Target images are 0 to 255, and source images 0 to 1.",
        "https://github.com/corenel/pytorch-adda/issues/27",
        UnscaledTarget,
        "sides",
        both_domains_have_one_scale,
        "corenel/pytorch-adda#27 corenel/pytorch-adda#29",
    ),
]
