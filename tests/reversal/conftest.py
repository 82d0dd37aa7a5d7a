"""Small programs of the two families with a reversal."""

import torch

from ganzoo.build import family_of
from ganzoo.reversal.base import ReversalProgram

FAMILIES = ("wgan", "adapt")
SIZES = {
    "wgan": {"image_size": 8, "generator_width": 4, "critic_hidden": 16, "batch_size": 8},
    "adapt": {"features": 8, "critic_hidden": 16, "batch_size": 8},
}


def small(family: str, cls: type, **settings: object) -> ReversalProgram:
    """Return a program of a class at the smallest size, always with the same weights."""
    torch.manual_seed(0)
    return cls(**{**SIZES[family], **settings})


def grafted(family: str, *ids: str, **settings: object) -> ReversalProgram:
    """Return a graft; one that cannot be made is a healthy program that was given its class."""
    faults = family_of(family).FAULTS
    cls = faults.graft(ids)
    if "wrong_super" in ids:
        program = small(family, faults.fixed, **settings)
        program.__class__ = cls
        return program
    return small(family, cls, **settings)
