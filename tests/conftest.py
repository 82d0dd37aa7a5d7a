"""What all tests share: one thread, a cache, composed configurations, and a program to train."""

from pathlib import Path
from typing import Any

import pytest
import pytorch_lightning as pl
import torch
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig
from pytorch_lightning.callbacks import Checkpoint

import ganzoo
from ganzoo.callbacks import Budget
from ganzoo.conf_dir import conf_dir
from ganzoo.data import BatchStream
from ganzoo.program import Program
from ganzoo.quiet import calm

SMALL = ("evaluation=none", "trainer=cpu", "logger=csv", "pages=false")
SIZES = {
    "dcgan": ("model.generator_channels=4", "model.critic_channels=4", "data.count=64"),
    "wgan": ("model.generator_width=4", "model.critic_hidden=16", "image.size=8", "data.count=64"),
    "mlp_gan": ("model.width=16", "keep.score_every=null"),
    "wgan_gp": ("model.width=16", "keep.score_every=null"),
    "adapt": ("model.features=8", "model.critic_hidden=16", "data=digits_inverted"),
}


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
    """Return the composed configuration of a small run, of ``fixed_dcgan`` if none is named."""
    model = next((o for o in overrides if o.startswith("model=")), "model=fixed_dcgan")
    sizes = [
        o for o in SIZES[model.partition("_")[2]] if o != "data.count=64" or is_faces(overrides)
    ]
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        return compose("config", overrides=[*SMALL, *sizes, *overrides])


def is_faces(overrides: tuple[str, ...]) -> bool:
    """Return whether the data are the default faces."""
    return not any(o.startswith("data=") and o != "data=faces" for o in overrides)


def tiny(name: str = "fixed_dcgan", **settings: Any) -> Program:
    """Return a small program, always with the same weights; ``fixed_dcgan`` in batches of 4."""
    torch.manual_seed(0)
    batches = {"batch_size": 4} if name == "fixed_dcgan" else {}
    settings = {"generator_channels": 4, "critic_channels": 4, **batches, **settings}
    return ganzoo.build(name, **settings)


def fit(
    program: Program,
    *callbacks: pl.Callback,
    logger: Any = False,
    resume: Path | None = None,
    **budget: Any,
) -> None:
    """Train a program within a budget (3 generator steps if none is given) on 16 fixed images.

    ``resume`` is the checkpoint from which it goes on.
    """
    calm()
    noise = torch.Generator().manual_seed(0)
    images = torch.randint(256, (16, *program.image_shape), dtype=torch.uint8, generator=noise)
    trainer = pl.Trainer(
        accelerator="cpu",
        devices=1,
        max_epochs=-1,
        callbacks=[*callbacks, Budget(**(budget or {"generator_steps": 3}))],
        logger=logger,
        enable_checkpointing=any(isinstance(callback, Checkpoint) for callback in callbacks),
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    torch.manual_seed(0)
    if resume is not None:  # the stream must know where to go on
        program.batches_seen = torch.load(resume)["ganzoo"]["counters"]["batches_seen"]
    stream = BatchStream(images, torch.zeros(16), program.batch_size, start=program.batches_seen)
    trainer.fit(program, stream, ckpt_path=resume, weights_only=True)
