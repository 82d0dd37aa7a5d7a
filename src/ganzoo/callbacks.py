"""Small Lightning callbacks of a run: when it stops, what it keeps, and what it shows."""

import signal
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, cast

import pytorch_lightning as pl
from pytorch_lightning.callbacks import Checkpoint

from ganzoo.pictures import save_grid
from ganzoo.program import Program


class Budget(pl.Callback):
    """Ends training at a number of generator steps, images or minutes, whichever comes first.

    Lightning counts the steps of all optimisers together, so that its own limits would depend on
    how often the critic is stepped. Minutes are of training time, resumed runs included.
    """

    def __init__(
        self,
        generator_steps: int | None = None,
        images: int | None = None,
        minutes: float | None = None,
    ) -> None:
        limits = {"generator_steps": generator_steps, "images": images, "minutes": minutes}
        if all(limit is None for limit in limits.values()):
            raise ValueError("no budget: give budget.generator_steps, .images or .minutes")
        for name, limit in limits.items():
            number = isinstance(limit, int | float) and not isinstance(limit, bool)
            if limit is not None and not (number and limit >= 0):
                raise ValueError(f"budget.{name} takes a number of at least 0, not {limit!r}")
        self.generator_steps, self.images, self.minutes = generator_steps, images, minutes
        self.seconds = 0.0
        self.since = 0.0

    def spent(self, program: Program) -> bool:
        """Return whether the budget is used up."""
        return (
            (self.generator_steps is not None and program.generator_steps >= self.generator_steps)
            or (self.images is not None and program.images_seen >= self.images)
            or (self.minutes is not None and self.seconds >= 60 * self.minutes)
        )

    def on_train_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        self.since = time.monotonic()
        # a resumed run may have been at its end
        trainer.should_stop |= self.spent(cast("Program", pl_module))

    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: Any, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        now = time.monotonic()
        self.seconds, self.since = self.seconds + now - self.since, now
        trainer.should_stop |= self.spent(pl_module)

    def state_dict(self) -> dict[str, Any]:
        return {"seconds": self.seconds}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.seconds = state_dict["seconds"]


class KeepState(Checkpoint):
    """Writes ``last.ckpt`` every so many generator steps and at the end; the one before is kept."""

    def __init__(self, folder: Path, every: int) -> None:
        self.folder, self.every = folder, every
        self.saved_at = -1

    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: Any, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        if pl_module.generator_steps >= max(self.saved_at, 0) + self.every:
            self.save(trainer, pl_module)

    def on_train_start(self, trainer: pl.Trainer, pl_module: Any) -> None:
        self.saved_at = pl_module.generator_steps

    def on_train_end(self, trainer: pl.Trainer, pl_module: Any) -> None:
        self.save(trainer, pl_module)

    def save(self, trainer: pl.Trainer, program: Program) -> None:
        """Write the state of the run; at any moment a whole ``last`` or ``previous`` exists."""
        self.folder.mkdir(parents=True, exist_ok=True)
        last, part = self.folder / "last.ckpt", self.folder / "part.ckpt"
        trainer.save_checkpoint(part)
        if trainer.is_global_zero:
            if last.exists():
                last.replace(self.folder / "previous.ckpt")
            part.replace(last)
        self.saved_at = program.generator_steps


class SampleGrids(pl.Callback):
    """Writes 64 samples at fixed latents, raw and averaged, every so many generator steps."""

    def __init__(self, folder: Path, every: int, count: int = 64) -> None:
        self.folder, self.every, self.count = folder, every, count

    def on_train_start(self, trainer: pl.Trainer, pl_module: Any) -> None:
        self.draw(pl_module)

    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: Any, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        if pl_module.generator_steps % self.every == 0:
            self.draw(pl_module)

    def on_train_end(self, trainer: pl.Trainer, pl_module: Any) -> None:
        self.draw(pl_module)

    def draw(self, program: Program) -> None:
        """Write the grids of this step, unless they are there, or there is nothing to draw."""
        if not program.draws_images:
            return
        kinds = ["raw"] if program.averaged_generator() is None else ["raw", "averaged"]
        for kind in kinds:
            path = self.folder / f"{kind}_{program.generator_steps:06d}.png"
            if not path.exists():
                save_grid(program.sample(self.count, averaged=kind == "averaged"), path)


class Interrupt(pl.Callback):
    """Turns the first Ctrl-C or SIGTERM into an orderly end after this step; the second one kills.

    Lightning alone ends at a SIGTERM with exit status 0 and nothing written.
    """

    second: ClassVar[dict[int, Any]] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
    }

    def __init__(self) -> None:
        self.caught = False
        self.before: dict[int, Any] = {}

    def on_train_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        def stop(number: int, _frame: FrameType | None) -> None:
            self.caught = True
            trainer.should_stop = True
            signal.signal(number, self.second[number])

        if threading.current_thread() is threading.main_thread():  # signals are not for others
            self.before = {number: signal.signal(number, stop) for number in self.second}

    def on_train_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        self.restore()

    def on_exception(self, trainer: pl.Trainer, pl_module: Any, exception: BaseException) -> None:
        self.restore()

    def restore(self) -> None:
        """Give both signals their former meaning back."""
        for number, handler in self.before.items():
            signal.signal(number, handler)
        self.before = {}
