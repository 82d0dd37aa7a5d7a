"""A few steps of a program on faces, watched: the smallest experiment."""

import copy

import pytorch_lightning as pl
import torch

from ganzoo.callbacks import Budget
from ganzoo.data import BatchStream, draw_faces
from ganzoo.monitor import Monitor, Seen
from ganzoo.program import Program
from ganzoo.quiet import calm


def trial(program: Program, steps: int, seed: int = 0, accelerator: str = "cpu") -> Seen:
    """Train a program for some generator steps; return what was seen of it.

    The global random state is left as it was.
    """
    calm()
    monitor = Monitor(copy.deepcopy(program))
    size = program.image_shape[1:]
    images, _ = draw_faces(max(16, program.batch_size), size)
    labels = torch.zeros(len(images), dtype=torch.int64)
    trainer = pl.Trainer(
        accelerator=accelerator,
        devices=1,
        max_epochs=-1,
        callbacks=[monitor, Budget(generator_steps=steps)],
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        trainer.fit(program, BatchStream(images, labels, program.batch_size, seed=seed))
    return monitor.seen(program)
