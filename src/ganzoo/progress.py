"""How a run shows that it goes on: a bar in a terminal, a line now and then elsewhere."""

import sys
import time
from typing import Any

import pytorch_lightning as pl
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from ganzoo.callbacks import Budget

SHOWN = {
    "g_loss": "loss G {:.3g}",
    "d_loss": "D {:.3g}",
    "generator_gradient": "|grad| G {:.3g}",
    "critic_gradient": "D {:.3g}",
    "critic_accuracy": "D right {:.0%}",
}


class ShowProgress(pl.Callback):
    """Shows generator steps, the two losses, both gradient norms and the critic's accuracy."""

    def __init__(self, budget: Budget, every_s: float = 0.5, plain_every_s: float = 10.0) -> None:
        self.budget = budget
        self.console = Console(file=sys.stderr)
        self.terminal = self.console.is_terminal
        self.every_s = every_s if self.terminal else plain_every_s
        self.shown_at = 0.0
        self.bar: Progress | None = None
        self.task = TaskID(0)

    def on_train_start(self, trainer: pl.Trainer, pl_module: Any) -> None:
        self.shown_at = time.monotonic()
        if self.terminal:
            self.bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(bar_width=20),
                TextColumn("{task.completed}/{task.total} steps"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[readings]}"),
                console=self.console,
            )
            total = self.budget.generator_steps
            self.task = self.bar.add_task(
                pl_module.model_name, total=total, completed=pl_module.generator_steps, readings=""
            )
            self.bar.start()

    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: Any, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        now = time.monotonic()
        if now - self.shown_at < self.every_s and not trainer.should_stop:
            return
        self.shown_at = now
        seen = pl_module.readings
        readings = ", ".join(t.format(float(seen[k])) for k, t in SHOWN.items() if k in seen)
        if self.bar:
            self.bar.update(self.task, completed=pl_module.generator_steps, readings=readings)
        else:
            of = f"/{self.budget.generator_steps}" if self.budget.generator_steps else ""
            line = f"{pl_module.model_name} step {pl_module.generator_steps}{of}: {readings}"
            self.console.print(line, soft_wrap=True, highlight=False)

    def on_train_end(self, trainer: pl.Trainer, pl_module: Any) -> None:
        self.close()

    def on_exception(self, trainer: pl.Trainer, pl_module: Any, exception: BaseException) -> None:
        self.close()

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self.bar:
            self.bar.stop()
            self.bar = None
