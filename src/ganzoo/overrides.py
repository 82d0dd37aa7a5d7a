"""Command-line arguments checked before Hydra sees them, so that a typo ends in one line."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_dir
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, Glob, Override
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from ganzoo.build import families_of, models
from ganzoo.names import known, near_miss

START = "name a model: python -m ganzoo model=NAME, one of {}; python -m ganzoo --help says more"
TAKES_VALUE = ("--config-name", "-cn", "--config-path", "-cp", "--config-dir", "-cd", "--package")
UNCHECKED = ("--hydra-help", "--version", "--shell", "-sc", "--config-", "-cn", "-cp", "-cd")
PASSED_ON = ("model", "data", "trainer", "logger")  # whose keys are arguments of what they name

# what an evaluation without a model needs
FOLDERS = {
    "folders": {"real": "DIR", "fake": "DIR"},
    "statistics": {"real": "DIR", "file": "FILE.safetensors"},
}
TAKES = {"folders": "compares two folders", "statistics": "measures a folder once"}


def checked_arguments(arguments: Sequence[str], conf: Path) -> list[str]:
    """Return the arguments as they are, once every name in them is known and they fit together.

    Raises:
        ValueError: one line that names the misspelt thing and what there is instead.
    """
    flags, texts = split(arguments)
    if any(flag in ("--help", "-h") for flag in flags):
        return flags  # whatever is misspelt beside it
    if any(flag.startswith(UNCHECKED) for flag in flags):
        return list(arguments)  # other configuration folders have other names
    try:
        overrides = OverridesParser.create().parse_overrides(list(texts))
    except HydraException as error:
        raise ValueError(f"cannot read {' '.join(texts)!r}: {first_line(error)}") from error
    groups = [o for o in overrides if o.key_or_group and (conf / o.key_or_group).is_dir()]
    for override in groups:
        check_group(override, conf)
    whole = composed(conf, groups)
    for override in overrides:
        if override not in groups:
            check_key(override, whole, conf)
    whole_run = any(group.key_or_group in ("model", "experiment") for group in groups)
    without = any(
        override.key_or_group in ("claims", "evaluate", "faults", "report")
        for override in overrides
    )
    if not (whole_run or without):
        raise ValueError(START.format(", ".join(models())))
    whole = composed(conf, overrides)
    if whole.claims is not None:
        families_of(str(whole.claims))
    if whole.faults is not None:
        known(str(whole.faults), ("list", "write"), "faults")
    if whole.evaluate is not None:
        check_folders(whole)
    sweeps = [str(o.input_line) for o in overrides if o.is_sweep_override()]
    if sweeps and not many_runs(flags, whole):
        raise ValueError(f"{sweeps[0]} names several values: add -m for a run of each")
    given = {override.key_or_group for override in overrides}  # by a sweep, for one
    for key in sorted(OmegaConf.missing_keys(whole.data)):
        if key not in given:
            raise ValueError(f"{key} has no value: give {key}=...")
    return list(arguments)


def check_folders(whole: DictConfig) -> None:
    """Raise ValueError where an evaluation without a model lacks a part."""
    kind = known(str(whole.evaluate), tuple(FOLDERS), "evaluate")
    for key, value in FOLDERS[kind].items():
        if whole[key] is None:
            raise ValueError(f"evaluate={kind} {TAKES[kind]}: give {key}={value}")


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the flags with their values, and the overrides."""
    flags: list[str] = []
    overrides: list[str] = []
    for text in arguments:
        value = bool(flags) and flags[-1] in (*TAKES_VALUE, "--cfg", "-c")
        (flags if value or text.startswith("-") else overrides).append(text)
    return flags, overrides


def many_runs(flags: Sequence[str], whole: DictConfig) -> bool:
    """Return whether a command asks for several runs."""
    return bool({"-m", "--multirun"} & {*flags}) or whole.hydra.mode == RunMode.MULTIRUN


def options(group: str, conf: Path) -> list[str]:
    """Return the options of a group."""
    return sorted(path.stem for path in (conf / group).glob("*.yaml"))


def check_group(override: Override, conf: Path) -> None:
    """Raise ValueError if a group has no such option."""
    group = override.key_or_group
    choices = options(group, conf)
    if override.is_delete():
        raise ValueError(f"{group} cannot be left out, only chosen from: {', '.join(choices)}")
    chosen = values(override, choices) or [override.get_value_string()]
    for value in chosen:
        known(value, choices, group)
    if override.get_key_element() != group:  # with "+" or "@package"
        raise ValueError(f"{group} is chosen by {group}={chosen[0]}, not by {override.input_line}")


def check_key(override: Override, whole: DictConfig, conf: Path) -> None:
    """Raise ValueError if the configuration has no such key; "+" may add to what libraries take."""
    node: Any = whole
    parts = override.key_or_group.split(".")
    if parts[0].partition("/")[0] == "hydra":  # such as hydra/launcher=joblib
        return
    for depth, part in enumerate(parts):
        if not isinstance(node, DictConfig):
            raise ValueError(f"{'.'.join(parts[:depth])} is a single value: it has no {part!r}")
        if part not in list(node):  # "in" overlooks a key whose value is still to be given
            added = override.is_add() or override.is_force_add()
            if added and parts[0] in ("data", "trainer", "logger") and depth > 0:
                return  # checked by what they are passed to
            place = f"in {'.'.join(parts[:depth])}" if depth else "at the top"
            keys = [str(key) for key in node if not str(key).startswith("_")]
            if depth == 0:
                groups = (path.name for path in conf.iterdir() if path.is_dir())
                keys = [key for key in dict.fromkeys([*keys, *sorted(groups)]) if key != "hydra"]
            hint = near_miss(part, keys)
            raise ValueError(f"no key {part!r} {place}.{hint} There are: {', '.join(keys)}")
        node = OmegaConf.select(whole, ".".join(parts[: depth + 1]), throw_on_missing=False)
    if override.is_delete() and parts[0] not in PASSED_ON:
        raise ValueError(f"{override.key_or_group} cannot be left out, only set")


def composed(conf: Path, overrides: Sequence[Override]) -> DictConfig:
    """Return the configuration of some overrides, of a sweep over a group the first choice."""
    chosen = []
    for override in overrides:
        if not override.is_sweep_override():
            chosen.append(str(override.input_line))
        elif (conf / override.key_or_group).is_dir():
            first = values(override, options(override.key_or_group, conf))[0]
            chosen.append(f"{override.get_key_element()}={first}")
    try:
        with initialize_config_dir(str(conf), version_base="1.3"):
            return compose("config", overrides=chosen, return_hydra_config=True)
    except (HydraException, OmegaConfBaseException) as error:
        raise ValueError(first_line(error)) from error


def values(override: Override, choices: Sequence[str]) -> list[str]:
    """Return the value of an override as text, or all choices of a sweep."""
    value = override.value()
    if isinstance(value, Glob):
        return value.filter(list(choices))
    several = value.list if isinstance(value, ChoiceSweep) else [value]
    return [str(getattr(one, "text", one)) for one in several]  # "text" of a quoted one


def first_line(error: Exception) -> str:
    """Return the first line of an error that Hydra spreads over several."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), str(error))
