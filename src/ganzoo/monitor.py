"""What a run sees of its networks: gradients between backward and step, and how they moved."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

import pytorch_lightning as pl
import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from ganzoo.program import Program

ROLES: tuple[str, str] = ("generator", "critic")


@dataclass
class NetworkSeen:
    """What was seen of one network over all its optimiser steps."""

    tensors: int  # parameters, counted as tensors
    held: int = 0  # of these, in the network's optimiser
    foreign: int = 0  # tensors in that optimiser that are not the network's
    steps: int = 0
    most_missing: int = 0  # most tensors whose gradient was None at one step
    largest_norm: float = 0.0  # of the whole gradient, over all steps
    last_norm: float = 0.0
    change: float = 0.0  # largest change of one weight since the run began


@dataclass
class Seen:
    """What was seen of a run.

    Attributes:
        losses: means over the run.
        loss_bounds: the least and the largest value of each loss.
        sign_flips: how often each loss changed its sign from one batch to the next.
        critic_accuracy: mean over the run, in [0, 1]; None where the program keeps none.
    """

    generator: NetworkSeen
    critic: NetworkSeen
    losses: dict[str, float] = field(default_factory=dict)
    loss_bounds: dict[str, list[float]] = field(default_factory=dict)
    sign_flips: dict[str, int] = field(default_factory=dict)
    critic_accuracy: float | None = None
    printed_gradients: dict[int, float | None] = field(default_factory=dict)
    not_finite_at: int | None = None  # the generator step at which a loss was not a number
    evidence: dict[str, Any] = field(default_factory=dict)  # what the program itself kept

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers, ready for JSON."""
        return asdict(self)


class Monitor(pl.Callback):
    """Reads each network's gradient after backward and before its optimiser's step.

    Norms are kept on the device and become numbers only when they are asked for, so that a step on
    a GPU does not wait. The networks are compared with ``start``, the program before training.

    Args:
        start: a copy of the program as it was built.
        check_every: batches between two looks at whether the losses are finite.
        rows_every: generator steps between two rows for the trainer's loggers.
    """

    def __init__(self, start: Program, check_every: int = 50, rows_every: int = 10) -> None:
        self.start = start
        self.check_every = check_every
        self.rows_every = rows_every
        self.largest = {role: torch.zeros(()) for role in ROLES}
        self.last = {role: torch.zeros(()) for role in ROLES}
        self.sums: dict[str, Tensor] = {}
        self.traces: dict[str, Tensor] = {}  # least, largest, last sign and changes of sign
        self.counts: dict[str, int] = dict.fromkeys((*ROLES, "batches"), 0)
        self.missing: dict[str, int] = dict.fromkeys(ROLES, 0)
        self.holdings: dict[str, tuple[int, int]] = dict.fromkeys(ROLES, (0, 0))
        self.not_finite_at: int | None = None
        self.row_at = -1

    def on_train_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        for role, optimizer in zip(ROLES, trainer.optimizers, strict=False):
            own = {id(p) for p in getattr(pl_module, role).parameters()}
            held = [id(p) for group in optimizer.param_groups for p in group["params"]]
            mine = len(own.intersection(held))
            self.holdings[role] = (mine, len(held) - mine)

    def on_before_optimizer_step(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, optimizer: Optimizer
    ) -> None:
        # the optimiser's place says whose step it is: in a broken program its tensors do not
        role = next(r for r, o in zip(ROLES, trainer.optimizers, strict=False) if o is optimizer)
        gradients = [p.grad for p in getattr(pl_module, role).parameters()]
        present = [g for g in gradients if g is not None]
        norm = nn.utils.get_total_norm(present).detach()
        self.last[role] = norm
        self.largest[role] = torch.maximum(self.largest[role].to(norm.device), norm)
        self.missing[role] = max(self.missing[role], len(gradients) - len(present))
        self.counts[role] += 1

    def on_train_batch_end(
        self,
        trainer: pl.Trainer,
        pl_module: pl.LightningModule,
        outputs: Any,
        batch: Any,
        batch_idx: int,
    ) -> None:
        if not isinstance(pl_module, Program):
            raise TypeError(f"Monitor watches a ganzoo Program, not {type(pl_module).__name__}")
        readings = pl_module.readings
        readings.update({f"{role}_gradient": self.last[role] for role in ROLES})
        for name in [name for name in readings if name.endswith(("_loss", "_accuracy"))]:
            self.sums[name] = self.sums.get(name, 0) + readings[name]
            self.traces[name] = traced(self.traces.get(name), readings[name])
        self.counts["batches"] += 1
        steps = pl_module.generator_steps
        if steps % self.rows_every == 0 and steps != self.row_at:  # not for a critic's extra steps
            self.write_row(trainer, pl_module)
        if self.counts["batches"] % self.check_every == 0:
            trainer.should_stop |= self.losses_broke(pl_module)

    def on_train_end(self, trainer: pl.Trainer, pl_module: Any) -> None:
        self.losses_broke(pl_module)
        if pl_module.readings and self.row_at != pl_module.generator_steps:
            self.write_row(trainer, pl_module)

    def write_row(self, trainer: pl.Trainer, program: Program) -> None:
        """Give this step's readings to every logger, under the generator's count of steps.

        Not through the module's ``log``: it takes milliseconds a step for rows that are written on
        every tenth, and its own count of steps depends on how often the critic is stepped.
        """
        self.row_at = program.generator_steps
        row = {name: float(value) for name, value in program.readings.items()}
        for logger in trainer.loggers:
            logger.log_metrics({**row, "images_seen": program.images_seen}, step=self.row_at)
            logger.save()

    def losses_broke(self, program: Program) -> bool:
        """Return whether a loss was ever not a number, and keep when that was first noticed."""
        # a sum that was ever NaN stays NaN, so that no step in between goes unseen
        broken = any(not math.isfinite(float(total)) for total in self.sums.values())
        if broken and self.not_finite_at is None:
            self.not_finite_at = program.generator_steps
        return broken

    def seen(self, program: Program) -> Seen:
        """Return what was seen up to now, with the weights compared with the start."""
        networks = {
            role: NetworkSeen(
                tensors=sum(1 for _ in getattr(program, role).parameters()),
                held=self.holdings[role][0],
                foreign=self.holdings[role][1],
                steps=self.counts[role],
                most_missing=self.missing[role],
                largest_norm=float(self.largest[role]),
                last_norm=float(self.last[role]),
                change=largest_change(getattr(self.start, role), getattr(program, role)),
            )
            for role in ROLES
        }
        means = {n: float(total) / self.counts["batches"] for n, total in self.sums.items()}
        accuracy = means.pop("critic_accuracy", None)
        traces = {name: self.traces[name].tolist() for name in means if name in self.traces}
        printed = dict(getattr(program, "printed_gradients", {}))
        return Seen(
            **networks,
            losses=means,
            loss_bounds={name: trace[:2] for name, trace in traces.items()},
            sign_flips={name: int(trace[3]) for name, trace in traces.items()},
            critic_accuracy=accuracy,
            printed_gradients=printed,
            not_finite_at=self.not_finite_at,
            evidence=program.evidence(),
        )

    def state_dict(self) -> dict[str, Any]:
        return {
            name: getattr(self, name)
            for name in ("largest", "last", "sums", "traces", "counts", "missing", "not_finite_at")
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        for name, value in state_dict.items():
            setattr(self, name, value)


def traced(trace: Tensor | None, value: Tensor) -> Tensor:
    """Return least, largest, last sign and changes of sign, with one more value of a loss."""
    value = value.detach().double()
    sign = value.sign()
    if trace is None:
        return torch.stack([value, value, sign, torch.zeros_like(value)])
    least, most, before, flips = trace
    flips = flips + ((sign * before) < 0)
    return torch.stack([least.minimum(value), most.maximum(value), sign, flips])


def largest_change(before: nn.Module, after: nn.Module) -> float:
    """Return the largest absolute difference between two networks' parameters; exact zeros stay."""
    pairs = zip(before.parameters(), after.parameters(), strict=True)
    return max(float((a.detach().cpu() - b.detach().cpu()).abs().max()) for a, b in pairs)
