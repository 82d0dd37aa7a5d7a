"""What all tests share: one thread, a cache of their own, and composed configurations."""

import pytest
import torch
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

from ganzoo.conf_dir import conf_dir

SMALL = (
    "model.generator_channels=4",
    "model.critic_channels=4",
    "evaluation=none",
    "trainer=cpu",
    "logger=csv",
    "data.count=64",
)


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("GANZOO_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@pytest.fixture(autouse=True)
def _one_thread():
    torch.set_num_threads(1)


def configured(*overrides: str) -> DictConfig:
    """Return the composed configuration of a small run."""
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        return compose("config", overrides=[*SMALL, *overrides])
