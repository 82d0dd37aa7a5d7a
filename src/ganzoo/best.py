"""Scores during training, and the checkpoints that they favour."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytorch_lightning as pl

from ganzoo.program import Program

KEPT = 5
SEED = 1_000_000  # of the latents of every score during training, so that a curve is of one noise
FRESH = 2_000_000  # of the scores at the end


class KeepBest(pl.Callback):
    """Scores the generator every so many of its steps, and keeps the five best checkpoints.

    The lowest of many noisy scores flatters, so that the kept ones are scored anew, on other
    latents, at the end of a run (``rescored``).

    Args:
        folder: of the checkpoints.
        every: generator steps between two scores; None scores nothing.
        score: gives a program's distances for a seed of the latents: first the one that chooses,
            then others to be kept beside it.
        measure: what fixes a distance beside the samples; a resumed run goes on with its curve only
            where it is the same.
    """

    def __init__(
        self,
        folder: Path,
        every: int | None,
        score: Callable[[Program, int], list[float]],
        measure: str = "",
    ) -> None:
        self.folder, self.every, self.score, self.measure = folder, every, score, measure
        self.curve: list[list[float]] = []  # generator step and distances
        self.kept: list[list[float]] = []  # the best of them, the best first

    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: Any, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        step = pl_module.generator_steps
        scored = bool(self.curve) and self.curve[-1][0] >= step
        if self.every is None or step == 0 or step % self.every or scored:
            return
        distance, *others = self.score(pl_module, SEED)
        self.curve.append([step, distance, *others])
        logged = {"distance": distance} | ({"raw_distance": others[0]} if others else {})
        for logger in trainer.loggers:
            logger.log_metrics(logged, step=step)
            logger.save()
        self.keep(trainer, step, distance)

    def keep(self, trainer: pl.Trainer, step: int, distance: float) -> None:
        """Write a checkpoint that is among the best, then delete the one that no longer is."""
        self.kept = sorted([*self.kept, [step, distance]], key=lambda entry: entry[1])
        *_, worst = self.kept
        if len(self.kept) <= KEPT or worst[0] != step:
            self.folder.mkdir(parents=True, exist_ok=True)
            part = self.folder / "best.part"
            trainer.save_checkpoint(part)
            if trainer.is_global_zero:
                part.replace(self.path(step))
        if len(self.kept) > KEPT:
            self.path(int(worst[0])).unlink(missing_ok=True)
            self.kept.pop()

    def path(self, step: int) -> Path:
        """Return where the checkpoint of a step lies."""
        return self.folder / f"best_{step:06d}.ckpt"

    def rescored(self, load: Callable[[Path], Program]) -> list[dict[str, Any]]:
        """Return the kept checkpoints with their old score and one on fresh latents, best first.

        Args:
            load: gives the program of a checkpoint.
        """
        found = [
            {
                "generator_steps": int(step),
                "file": self.path(int(step)).name,
                "chosen_by": distance,
                "rescored": self.score(load(self.path(int(step))), FRESH)[0],
            }
            for step, distance in self.kept
            if self.path(int(step)).is_file()
        ]
        return sorted(found, key=lambda entry: entry["rescored"])

    def state_dict(self) -> dict[str, Any]:
        return {"curve": self.curve, "kept": self.kept, "measure": self.measure}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        if state_dict.get("measure", self.measure) == self.measure:
            self.curve, self.kept = state_dict["curve"], state_dict["kept"]
        elif state_dict["curve"]:
            logging.getLogger(__name__).warning(
                "the earlier distances are of another evaluation: curve and best start anew"
            )
