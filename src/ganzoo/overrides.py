"""Command-line arguments checked before Hydra sees them, so that a typo ends in one line."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_dir
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from ganzoo.build import models
from ganzoo.names import known, near_miss

START = "name a model: python -m ganzoo model=NAME, one of {}; python -m ganzoo --help says more"
TAKES_VALUE = ("--config-name", "-cn", "--config-path", "-cp", "--config-dir", "-cd", "--package")
# without a default of their own, so that only the composed configuration knows their keys
DEFAULT_MODEL = "model=fixed_dcgan"


def checked_arguments(arguments: Sequence[str], conf: Path) -> list[str]:
    """Return the arguments as they are, once every name in them is known.

    Raises:
        ValueError: one line that names the misspelt thing and what there is instead.
    """
    flags, texts = split(arguments)
    if any(flag in ("--help", "-h") for flag in flags):
        return [*flags, DEFAULT_MODEL]  # whose help would otherwise want a model
    if any(
        f.startswith(("--hydra-help", "--version", "--shell", "--config-", "-c")) for f in flags
    ):
        return list(arguments)  # other configuration folders have other names
    if not any(text.startswith(("model=", "experiment=", "+experiment=")) for text in texts):
        raise ValueError(START.format(", ".join(models())))
    try:
        overrides = OverridesParser.create().parse_overrides(list(texts))
    except HydraException as error:
        raise ValueError(f"cannot read {' '.join(texts)!r}: {first_line(error)}") from error
    groups = [o for o in overrides if (conf / o.key_or_group).is_dir()]
    for override in groups:
        check_group(override, conf / override.key_or_group)
    whole = composed(conf, groups)
    for override in overrides:
        if override not in groups:
            check_key(override, whole)
    return list(arguments)


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the flags with their values, and the overrides."""
    flags: list[str] = []
    overrides: list[str] = []
    for text in arguments:
        value = bool(flags) and flags[-1] in (*TAKES_VALUE, "--cfg", "-c")
        (flags if value or text.startswith("-") else overrides).append(text)
    return flags, overrides


def check_group(override: Override, folder: Path) -> None:
    """Raise ValueError if a group has no such option."""
    options = sorted(path.stem for path in folder.glob("*.yaml"))
    for value in values(override):
        if value not in ("None", "null", ""):
            known(value, options, override.key_or_group)


def check_key(override: Override, whole: DictConfig) -> None:
    """Raise ValueError if the configuration has no such key; "+" may add to what libraries take."""
    node: Any = whole
    parts = override.key_or_group.split(".")
    if parts[0] == "hydra" or override.is_delete():
        return
    for depth, part in enumerate(parts):
        if not isinstance(node, DictConfig):
            raise ValueError(f"{'.'.join(parts[:depth])} is a single value: it has no {part!r}")
        if part not in list(node):  # "in" overlooks a key whose value is still to be given
            if override.is_add() and parts[0] in ("data", "trainer", "logger") and depth > 0:
                return  # checked by what they are passed to
            place = f"in {'.'.join(parts[:depth])}" if depth else "at the top"
            keys = [str(key) for key in node if not str(key).startswith("_")]
            hint = near_miss(part, keys)
            raise ValueError(f"no key {part!r} {place}.{hint} There are: {', '.join(keys)}")
        node = OmegaConf.select(whole, ".".join(parts[: depth + 1]), throw_on_missing=False)


def composed(conf: Path, groups: Sequence[Override]) -> DictConfig:
    """Return the configuration of the chosen groups, of a sweep the first choice."""
    chosen = [f"{override.get_key_element()}={next(values(override))}" for override in groups]
    if not any(text.startswith("model=") for text in chosen):
        chosen.append(DEFAULT_MODEL)
    try:
        with initialize_config_dir(str(conf), version_base="1.3"):
            return compose("config", overrides=chosen)
    except (HydraException, OmegaConfBaseException) as error:
        raise ValueError(first_line(error)) from error


def values(override: Override) -> Iterator[str]:
    """Yield the value of an override as text, or each choice of a sweep."""
    value = override.value()
    for choice in value.list if isinstance(value, ChoiceSweep) else [value]:
        yield str(choice)


def first_line(error: Exception) -> str:
    """Return the first line of an error that Hydra spreads over several."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), str(error))
