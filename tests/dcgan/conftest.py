"""Small programs of the family."""

import pytest
import torch

import ganzoo
from ganzoo.dcgan.faults import FAULTS
from ganzoo.dcgan.fixed import FixedDCGAN


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def small(cls: type, **settings: object) -> FixedDCGAN:
    """Return a program of a class at the smallest size, always with the same weights."""
    torch.manual_seed(0)
    return cls(generator_channels=4, critic_channels=4, **settings)


def grafted(*ids: str) -> FixedDCGAN:
    return small(FAULTS.graft(ids))


def built(name: str, **switches: bool) -> FixedDCGAN:
    torch.manual_seed(0)
    settings = {"generator_channels": 4, "critic_channels": 4}
    return ganzoo.build(name, faults=switches, **settings)  # type: ignore[return-value]
