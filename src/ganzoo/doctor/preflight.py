"""A look at a module before it is trained."""

import copy
import warnings
from typing import Any

import pytorch_lightning as pl
import torch

from ganzoo.doctor.findings import Report
from ganzoo.doctor.lightning import GANDoctor

BATCHES = 8


def preflight(module: pl.LightningModule, batch: Any, **doctor: Any) -> Report:
    """Return what the doctor finds in a few training steps of a copy.

    The module, its optimisers and the random state stay as they are.

    Args:
        module: a LightningModule.
        batch: one that its training_step takes.
        doctor: arguments of ``GANDoctor``.

    Raises:
        TypeError: no LightningModule. For a plain loop, put ``watch`` around a few of its steps.
    """
    if not isinstance(module, pl.LightningModule):
        raise TypeError(
            f"preflight takes a LightningModule, not {type(module).__name__}; around a plain loop "
            "put ganzoo.doctor.watch(...)"
        )
    trainer, module._trainer = getattr(module, "_trainer", None), None
    try:
        copied = copy.deepcopy(module)
    finally:
        module._trainer = trainer
    callback = GANDoctor(**doctor)
    with torch.random.fork_rng(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        quiet = pl.Trainer(
            accelerator="cpu",
            devices=1,
            max_epochs=1,
            limit_train_batches=BATCHES,
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            callbacks=[callback],
            num_sanity_val_steps=0,
            limit_val_batches=0,
        )
        try:
            quiet.fit(copied, [batch] * BATCHES)
        except (RuntimeError, TypeError, ValueError, AttributeError) as error:
            callback.finish(error)
    return callback.report()
