"""A few steps of a program on its example batches, watched: the smallest experiment."""

import copy
from collections.abc import Callable
from typing import Any

import pytorch_lightning as pl
import torch

from ganzoo.callbacks import Budget
from ganzoo.monitor import Monitor, Seen
from ganzoo.program import Program
from ganzoo.quiet import calm


def seeded_program(make: Callable[..., Any], seed: int = 0, **settings: Any) -> Any:
    """Return a program that ``make`` makes with a seed; the global random state stays."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make(**settings)


def trial(
    program: Program, steps: int, seed: int = 0, accelerator: str = "cpu", batches: Any = None
) -> Seen:
    """Train a program for some generator steps; return what was seen of it.

    ``batches`` are an endless iterable; None stands for the program's own example.

    The global random state is left as it was.
    """
    calm()
    monitor = Monitor(copy.deepcopy(program))
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
        trainer.fit(program, program.example_batches(seed) if batches is None else batches)
    return monitor.seen(program)
