"""The fixed program's step through Lightning against the same step in a bare PyTorch loop.

Both train twins with equal weights on equal batches, in turns of a few dozen steps, so that
whatever else the machine does meets both. The Lightning side has everything that a run has:
monitor, budget, progress, checkpoints between turns left out. Prints the ratio of times for each
turn, and writes the median to ``benchmarks/step.json``.

    python benchmarks/step.py [turns] [steps]
"""

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import pytorch_lightning as pl
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

import ganzoo
from ganzoo.callbacks import Budget
from ganzoo.data import BatchStream, draw_faces
from ganzoo.logs import CSVRows
from ganzoo.monitor import Monitor
from ganzoo.progress import ShowProgress
from ganzoo.quiet import calm
from ganzoo.results import versions, write_json

THREADS = 2


class Clock(pl.Callback):
    """Times the steps alone: not Lightning's set-up, nor its end."""

    def on_train_start(self, trainer, pl_module):
        self.begun = time.perf_counter(), time.process_time()

    def on_train_end(self, trainer, pl_module):
        self.spent = time.perf_counter() - self.begun[0], time.process_time() - self.begun[1]


def through_lightning(program, stream, steps, folder):
    """Return (wall, CPU) seconds of some steps as a run does them."""
    clock = Clock()
    budget = Budget(generator_steps=program.generator_steps + steps)
    trainer = pl.Trainer(
        accelerator="cpu",
        max_epochs=-1,
        callbacks=[Monitor(program), budget, ShowProgress(budget), clock],
        logger=CSVRows(folder),
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(program, stream)
    return clock.spent


class Bare:
    """The same mathematics with nothing around it."""

    def __init__(self, twin):
        self.twin, self.step = twin, 0
        self.adams = twin.configure_optimizers()

    def train(self, stream, steps):
        wall, cpu = time.perf_counter(), time.process_time()
        batches = iter(stream)
        for _ in range(steps):
            self.one(next(batches)[0])
        return time.perf_counter() - wall, time.process_time() - cpu

    def one(self, pixels):
        generator, critic, twin = self.twin.generator, self.twin.critic, self.twin
        reals = pixels.float() / 127.5 - 1
        critic.requires_grad_(False)
        fakes = generator(torch.randn(len(reals), 100)) * 2 - 1
        scores = critic(fakes)
        loss = binary_cross_entropy_with_logits(scores, torch.ones_like(scores))
        self.adams[0].zero_grad()
        loss.backward()
        self.adams[0].step()
        twin.average.update_parameters(generator)
        critic.requires_grad_(True)
        real_scores, fake_scores = critic(reals), critic(fakes.detach())
        loss = binary_cross_entropy_with_logits(real_scores, torch.ones_like(real_scores))
        loss = loss + binary_cross_entropy_with_logits(fake_scores, torch.zeros_like(fake_scores))
        loss = loss / 2
        if self.step % twin.penalty_interval == 0:
            reals = reals.requires_grad_()
            (slope,) = torch.autograd.grad(critic(reals).sum(), reals, create_graph=True)
            squared = slope.square().flatten(1).sum(1).mean()
            loss = loss + twin.penalty_weight / 2 * twin.penalty_interval * squared
        self.adams[1].zero_grad()
        loss.backward()
        self.adams[1].step()
        self.step += 1


def main(turns=7, steps=24):
    calm()
    torch.set_num_threads(THREADS)
    torch.manual_seed(0)
    program = ganzoo.build("fixed_dcgan")
    torch.manual_seed(0)
    bare = Bare(ganzoo.build("fixed_dcgan"))
    images, _ = draw_faces(256, program.image_shape[1:])
    stream = BatchStream(images, torch.zeros(256, dtype=torch.int64), program.batch_size)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(turns + 1):
            pair = [through_lightning(program, stream, steps, folder), bare.train(stream, steps)]
            wall, cpu = (pair[0][k] / pair[1][k] for k in (0, 1))
            print(f"turn {turn}: wall {wall:.3f}, CPU {cpu:.3f}" + (" (warm-up)" * (turn == 0)))
            rows.append({"wall": wall, "cpu": cpu, "bare_step_s": pair[1][0] / steps})
    rows = rows[1:]  # the first turn pays for allocations
    found = {
        "ratio_wall": statistics.median(r["wall"] for r in rows),
        "ratio_cpu": statistics.median(r["cpu"] for r in rows),
        "bare_step_s": statistics.median(r["bare_step_s"] for r in rows),
        "turns": turns,
        "steps_a_turn": steps,
        "threads": THREADS,
        "batch_size": program.batch_size,
        "versions": versions(),
    }
    write_json(Path(__file__).with_suffix(".json"), found)
    print(json.dumps({k: found[k] for k in ("ratio_wall", "ratio_cpu", "bare_step_s")}))


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:3]))
