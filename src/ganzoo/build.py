"""From a model's name to a program; every misspelling, whatever its door, is reported here."""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ganzoo.claims import Claim
from ganzoo.names import known

if TYPE_CHECKING:  # both import torch, which takes seconds and is not needed for a name
    from ganzoo.catalogue import Fault
    from ganzoo.program import Program

VARIANTS = ("buggy", "advised", "fixed")
VARIANTS_OF = {  # what the article calls the cure is what is mended in wgan_gp
    "dcgan": VARIANTS,
    "wgan": VARIANTS,
    "adapt": VARIANTS,
    "mlp_gan": VARIANTS,
    "wgan_gp": ("buggy", "fixed"),
}
FAMILIES = tuple(VARIANTS_OF)


def models() -> list[str]:
    """Return every model name, ``{variant}_{family}``."""
    return [f"{variant}_{family}" for family in FAMILIES for variant in VARIANTS_OF[family]]


def families_of(chosen: str) -> list[str]:
    """Return the families that ``claims=...`` names: all, or some with commas between.

    Raises:
        ValueError: no such family; the message names the nearest.
    """
    if chosen == "all":
        return list(FAMILIES)
    return [known(name.strip(), ("all", *FAMILIES), "family") for name in chosen.split(",")]


def family_of(name: str) -> ModuleType:
    """Return the package of a model's or a family's name."""
    family = name if name in FAMILIES else known(name, models(), "model").partition("_")[2]
    return import_module(f"ganzoo.{family}")


def faults(family: str) -> "Mapping[str, Fault[Any]]":
    """Return the faults of a family by id, each with its cause and an oracle."""
    return family_of(known(family, FAMILIES, "family")).FAULTS


def claims(family: str) -> Mapping[str, Claim]:
    """Return the claims made about a family's post by id, each with an experiment."""
    return family_of(known(family, FAMILIES, "family")).CLAIMS


def build(
    name: str,
    scale: str = "quick",
    faults: Mapping[str, bool] | None = None,
    topology: str = "posted",
    **settings: Any,
) -> "Program":
    """Return a program with freshly drawn weights; seed torch first to draw the same ones again.

    Args:
        name: a model name; see ``models``.
        scale: "posted" for the post's own sizes, "quick" for a laptop's.
        faults: switches by fault id; those not named keep the variant's value.
        topology: "posted", or a reference topology of the family for the fixed program.
        settings: any setting of the program, such as ``batch_size``; None keeps its default.

    Raises:
        ValueError: an unknown name, fault, scale or setting (the message names the nearest), or
            choices that exclude each other.
    """
    family = family_of(known(name, models(), "model"))
    ids = fault_ids(family, name.partition("_")[0], faults or {})
    cls = family.FAULTS.program_class(ids)
    topologies = family.TOPOLOGIES
    if known(topology, topologies, "topology") != "posted":
        if ids:
            raise ValueError(f"topology={topology} is for fixed_{cls.family} without faults")
        cls = topologies[topology]
    wanted = {key: value for key, value in settings.items() if value is not None}
    for id in ids:
        for key in wanted.keys() & set(family.FAULTS[id].takes):
            raise ValueError(f"the fault {id!r} decides {key}: switch it off, or leave {key} out")
    program = cls(scale, **wanted)
    program.model_name, program.fault_ids = name, ids
    return program


def fault_ids(family: ModuleType, variant: str, switches: Mapping[str, bool]) -> list[str]:
    """Return the ids that are on, in the catalogue's order, for a variant and some switches."""
    catalogue = family.FAULTS
    on = dict.fromkeys(catalogue, False) | dict.fromkeys(catalogue.presets[variant], True)
    for id, value in switches.items():
        if not isinstance(value, bool):
            raise ValueError(f"fault {id!r} takes true or false, not {value!r}")
        on[catalogue[id].id] = value
    return [id for id in catalogue if on[id]]
