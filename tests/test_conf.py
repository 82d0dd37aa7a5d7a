"""The YAML files say what the code says."""

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

import ganzoo
from ganzoo import conf_dir as module
from ganzoo.conf_dir import conf_dir
from tests.conftest import configured


@pytest.mark.parametrize("name", ganzoo.models())
def test_switches_are_the_catalogue_and_their_values_the_variant(name):
    variant, _, family = name.partition("_")
    switches = OmegaConf.to_container(configured(f"model={name}").model.faults)
    catalogue = ganzoo.faults(family)
    assert list(switches) == list(catalogue)
    assert {id for id, on in switches.items() if on} == catalogue.presets[variant]


@pytest.mark.parametrize("name", ganzoo.models())
def test_every_setting_of_a_program_has_a_key(name):
    program = ganzoo.build(name)
    keys = set(configured(f"model={name}").model) - {
        "_target_",
        "name",
        "scale",
        "topology",
        "faults",
    }
    assert keys == set(program.settings)


OPTIONS = [
    f"{folder.name}={option.stem}"
    for folder in sorted(conf_dir().iterdir())
    if folder.is_dir() and folder.name not in ("model", "experiment")
    for option in sorted(folder.glob("*.yaml"))
]


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_composes_and_resolves(option):
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        config = compose("config", overrides=["model=fixed_dcgan", option])
    if "root" in config.data:
        config.data.root = "somewhere"
    chosen = OmegaConf.to_container(config, resolve=True)
    assert chosen["model"]["name"] == "fixed_dcgan"


@pytest.mark.parametrize("name", sorted(p.stem for p in (conf_dir() / "experiment").glob("*.yaml")))
def test_every_experiment_composes_and_names_models(name):
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        chosen = [f"experiment={name}"]
        config = compose("config", overrides=chosen, return_hydra_config=True)
    swept = config.hydra.sweeper.params or {}
    assert {*swept.get("model", config.model.name).split(",")} <= {*ganzoo.models()}


def test_a_missing_configuration_says_where_it_was_sought(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "__file__", str(tmp_path / "src" / "ganzoo" / "conf_dir.py"))
    with pytest.raises(
        FileNotFoundError, match=r"no config.yaml in .*ganzoo/conf or .*conf: reinst"
    ):
        conf_dir()
