"""What one process does not mind and several do: its donor, oracle, entry."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from ganzoo.wgan_gp.base import WGANGP
from ganzoo.wgan_gp.fixed import FixedWGANGP
from ganzoo.wild.entries import seen

DDP = (
    "https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html"
)


class TwoHeaded(nn.Module):
    """A generator with a layer that no image passes."""

    def __init__(self, generator: nn.Module, latent: int) -> None:
        super().__init__()
        self.generator, self.unused = generator, nn.Linear(latent, 1)

    def forward(self, latents: Tensor) -> Tensor:
        return self.generator(latents)


class UnusedHead(FixedWGANGP):
    """The generator has parameters that its output does not depend on."""

    def make_networks(self) -> tuple[Any, Any]:
        generator, critic = WGANGP.make_networks(self)
        return TwoHeaded(generator, self.latent), critic


@contextmanager
def one_process() -> Iterator[None]:
    """Make a process group of this process alone, where there is none."""
    own = not distributed.is_initialized()
    if own:
        store = distributed.HashStore()  # pyright: ignore[reportPrivateImportUsage]
        distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
    try:
        yield
    finally:
        if own:
            distributed.destroy_process_group()


def ddp_finishes_its_reduction(program: FixedWGANGP) -> None:
    generator = copy.deepcopy(program.generator).cpu()
    latents = torch.zeros(4, program.latent)
    with one_process():
        wrapped = DistributedDataParallel(generator)
        try:
            for _ in range(2):
                wrapped(latents).sum().backward()
        except RuntimeError as error:
            text = str(error).split(". ")[0]
            if "finished reduction" in text:
                raise AssertionError(f"RuntimeError: {text}") from error


DDP_FAULTS = [
    seen(
        "unused_parameters",
        "Over several processes the second step stops with a RuntimeError about an unfinished "
        "reduction; in one process nothing shows.",
        "DDP waits for the gradient of every parameter, and some are in no loss.",
        DDP,
        UnusedHead,
        "make_networks",
        ddp_finishes_its_reduction,
        "Lightning-AI/pytorch-lightning#20328 Lightning-AI/pytorch-lightning#20866",
        "crash",
    ),
]
