"""A mistake with two domains: its donor, oracle, entry."""

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


DOMAIN_FAULTS = [
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
