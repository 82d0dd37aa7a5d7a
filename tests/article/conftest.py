"""Small programs of the two families of the article."""

from typing import Any

import torch

from ganzoo.build import family_of

FAMILIES = ("mlp_gan", "wgan_gp")
VARIANTS = (("mlp_gan", "buggy"), ("mlp_gan", "advised"), ("wgan_gp", "buggy"))
SIZES = {"width": 16, "latent": 4, "batch_size": 8}


def small(cls: type, **settings: Any) -> Any:
    """Return a program of a class at the smallest size, always with the same weights."""
    torch.manual_seed(0)
    return cls(**{**SIZES, **settings})


def grafted(family: str, *ids: str, **settings: Any) -> Any:
    """Return a graft at the smallest size."""
    return small(family_of(family).FAULTS.graft(ids), **settings)
