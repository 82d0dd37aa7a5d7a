"""One run: build, train, examine, evaluate, and write what was found."""

import copy
import logging
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytorch_lightning as pl
import torch
from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf

from ganzoo.best import KeepBest
from ganzoo.build import family_of
from ganzoo.callbacks import Budget, Interrupt, KeepState, SampleGrids
from ganzoo.data import PAIRS, DomainPair
from ganzoo.data.datamodule import at_least
from ganzoo.evaluation import Extractor, Score, extractor
from ganzoo.folders import state_file
from ganzoo.health import REALS, State, state_of
from ganzoo.image_program import ImageProgram
from ganzoo.logs import CSVRows
from ganzoo.monitor import Monitor, Seen
from ganzoo.program import Program
from ganzoo.progress import ShowProgress
from ganzoo.quiet import calm
from ganzoo.results import Symptom, code_fingerprint, git_revision, versions, write_json
from ganzoo.scorer import Scorer
from ganzoo.verdict import judged_claims
from ganzoo.weights import load_weights

if TYPE_CHECKING:
    from ganzoo.data import Images


class Run:
    """A configured run: its parts are made at once, so that a mistake shows before any work.

    Args:
        config: a composed configuration; see ``conf/config.yaml``.
        folder: where everything is written.

    Raises:
        ValueError, FileNotFoundError: the configuration asks for something that is not there.
    """

    def __init__(self, config: DictConfig, folder: Path) -> None:
        calm()
        self.config, self.folder = config, folder
        pl.seed_everything(at_least(0, config.seed, "seed"), verbose=False)
        self.program: Program = instantiate(config.model)
        self.start = copy.deepcopy(self.program)
        self.budget = Budget(**config.budget)
        self.keep = {
            key: at_least(1, value, f"keep.{key}")
            for key, value in config.keep.items()
            if key != "score_every" or value is not None
        }
        self.monitor = Monitor(self.start, rows_every=self.keep["rows_every"])
        self.interrupt = Interrupt()
        network = chosen_extractor(config)
        self.data: Images = instantiate(config.data, program=self.program)
        self.scorer = None if network is None else Scorer(network, self.data, config.evaluation.n)
        self.best = KeepBest(folder / "checkpoints", *self.scoring())
        self.trainer = self.made_trainer() if config.train else None
        self.data.setup()
        if config.train:
            self.data.train_dataloader()  # says at once if the images cannot fill a batch
        self.check_kind()
        if self.scorer is not None:
            self.data.reals(at_least(2, config.evaluation.n, "evaluation.n"))
        if config.checkpoint is not None:
            load_weights(self.program, Path(config.checkpoint))
        self.state = state_file(folder) if config.resume else None
        if self.state is not None:  # one of another program must not cost the run that it is of
            load_weights(self.program, self.state)
        self.error: str | None = None

    def scoring(self) -> tuple[int | None, Callable[[Program, int], list[float]], str]:
        """Return how often a training is scored, by what, and what fixes such a distance."""
        if self.scorer is None:
            return None, lambda *_: [], ""
        measure = f"{self.scorer.extractor.fingerprint} {self.scorer.n}"
        return self.keep.get("score_every"), self.scorer.distances, measure

    def check_kind(self) -> None:
        """Raise ValueError where model, data and evaluation are not of one kind."""
        name, data = self.program.model_name, self.config.data.name
        images, pair = self.program.draws_images, isinstance(self.data, DomainPair)
        if images and pair:
            raise ValueError(
                f"{name} reads one set of images, and data={data} is a pair of domains"
            )
        if not images and not pair:
            raise ValueError(
                f"{name} reads a pair of domains, and data={data} is one set of images: choose "
                f"data={', data='.join(PAIRS)}, or data=pair with two of your own"
            )
        domains = bool(self.config.evaluation.get("domains"))
        if (images and domains) or (pair and self.scorer is not None):
            fit = "lite0, digits or inception" if images else "domains"
            raise ValueError(
                f"{name} is judged by evaluation={fit}, or not at all: evaluation=none"
            )

    def __call__(self) -> dict[str, Any]:
        """Return the results, which also stand in ``results.json``."""
        began = time.monotonic()
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self.folder / "config.part"  # a killed run must not leave half a configuration
        OmegaConf.save(self.config, part, resolve=True)
        part.replace(self.folder / "config.yaml")
        if self.trainer is not None:
            self.train(self.trainer)
        seen = self.monitor.seen(self.program)
        scores = self.scores() if self.error is None else []
        state = self.health(seen, scores)
        load = partial(load_weights, copy.deepcopy(self.start))
        results = self.described(seen, scores) | {
            "state": None if state is None else vars(state),
            "curve": self.best.curve,
            # what broke the training may break a score too, and must not cost the results
            "best": self.best.rescored(load) if self.error is None else [],
        }
        if self.config.check_claims:
            results["claims"] = judged_claims(self.program.family, by="answer")
        results["wall_s"] = round(time.monotonic() - began, 1)
        write_json(self.folder / "results.json", results)
        self.write_page()
        return results

    def write_page(self) -> None:
        """Write the run's page; a failure there costs no result."""
        if not self.config.pages:
            return
        from ganzoo.report import write_report  # takes half a second to import

        try:
            # of a cell among many, the page is enough
            write_report(self.folder, extras=self.config.flip is None)
        except Exception:
            logging.getLogger("ganzoo").warning("%s: no report.html", self.folder, exc_info=True)

    def train(self, trainer: pl.Trainer) -> None:
        """Fit the program; an error of the program itself is kept, with what was reached."""
        if self.state is not None:  # later rows are written again
            CSVRows(self.folder).continue_after(self.program.generator_steps)
        try:
            trainer.fit(self.program, self.data, ckpt_path=self.state, weights_only=True)
        except (AttributeError, NameError, RuntimeError, TypeError, ValueError) as error:
            self.error = f"{type(error).__name__}: {error}"
            logging.getLogger("ganzoo").debug("training failed", exc_info=True)

    def made_trainer(self) -> pl.Trainer:
        """Return Lightning's trainer with this run's callbacks and loggers."""
        loggers = [
            instantiate(logger, save_dir=str(self.folder)) for logger in self.config.logger.values()
        ]
        return instantiate(
            self.config.trainer,
            max_epochs=-1,
            callbacks=[
                self.monitor,
                self.best,
                self.budget,
                self.interrupt,
                ShowProgress(self.budget),
                SampleGrids(self.folder / "samples", self.keep["grid_every"]),
                KeepState(self.folder / "checkpoints", self.keep["state_every"]),
            ],
            logger=loggers,
            enable_progress_bar=False,
            enable_model_summary=False,
            enable_checkpointing=True,
            default_root_dir=str(self.folder),
            _convert_="object",
        )

    def symptom(self, seen: Seen) -> Symptom | None:
        """Return whether the family's symptom shows; None where nothing was trained."""
        if self.monitor.counts["batches"] == 0:
            return None
        return family_of(self.program.family).symptom(seen)

    def health(self, seen: Seen, scores: list[Score]) -> State | None:
        """Return the state of a program that was trained, where its family tells states apart."""
        program, start = self.program, self.start
        if not (isinstance(program, ImageProgram) and isinstance(start, ImageProgram)):
            return None
        if self.error is not None or self.monitor.counts["batches"] == 0:
            return None
        covered = next((s.value for s in scores if s.name == "classes_covered/raw"), None)
        reals = self.data.reals(min(REALS, self.data.count))
        return state_of(program, start, seen, reals, None if covered is None else int(covered))

    def scores(self) -> list[Score]:
        """Return the scores of the untrained, the raw and the averaged generator.

        A family that does not draw images has an examination of its own.
        """
        if self.config.evaluation.get("domains"):
            return family_of(self.program.family).examine(self.program, self.start, self.data)
        return [] if self.scorer is None else self.scorer.scores(self.program, self.start)

    def described(self, seen: Seen, scores: list[Score]) -> dict[str, Any]:
        """Return the results, with all that is needed to make them again."""
        status = "interrupted" if self.interrupt.caught else "finished"
        program, symptom = self.program, self.symptom(seen)
        return {
            "status": "crashed" if self.error else status,
            "error": self.error,
            "model": program.model_name,
            "faults": list(program.fault_ids),
            "scale": program.scale,
            "settings": {name: getattr(program, name) for name in program.settings},
            "data": self.data.describe(),
            "seed": self.config.seed,
            "versions": versions(),
            "git_revision": git_revision(),
            "code": code_fingerprint(),
            "device": str(self.trainer.strategy.root_device if self.trainer else program.device),
            "threads": torch.get_num_threads(),
            "generator_steps": program.generator_steps,
            "images_seen": program.images_seen,
            "train_s": round(self.budget.seconds, 1),
            "symptom": None if symptom is None else vars(symptom),
            "seen": seen.as_dict(),
            "metrics": [score.as_dict() for score in scores],
            "findings": [],
        }


def chosen_extractor(config: DictConfig) -> Extractor | None:
    """Return the extractor that the evaluation asks for, or None."""
    chosen = config.evaluation
    return None if chosen.extractor is None else extractor(chosen.extractor, chosen.weights)
