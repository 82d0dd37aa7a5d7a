"""When a run stops, what it keeps, and that none of it changes the training."""

import os
import signal
import threading
from types import SimpleNamespace

import pytest
import pytorch_lightning as pl
import torch

from ganzoo import callbacks
from ganzoo.callbacks import Budget, Interrupt, KeepState, SampleGrids
from ganzoo.monitor import Monitor
from tests.conftest import fit, tiny


@pytest.mark.parametrize(
    ("budget", "steps"),
    [
        ({"generator_steps": 2}, 2),
        ({"images": 8}, 2),  # batches of 4
        ({"images": 9}, 3),
        ({"generator_steps": 4, "images": 4}, 1),
        ({"generator_steps": 0}, 0),
    ],
)
def test_training_ends_at_whichever_comes_first(budget, steps):
    program = tiny()
    fit(program, **budget)
    assert program.generator_steps == steps


class Clock:
    """A clock that is 20 s further on at every look."""

    now = 0.0

    def monotonic(self) -> float:
        self.now += 20
        return self.now


def test_minutes_count_training_and_go_on_after_a_resume(monkeypatch):
    monkeypatch.setattr(callbacks, "time", Clock())
    program = tiny()
    fit(program, minutes=1)
    assert program.generator_steps == 3
    first, resumed = Budget(minutes=1), Budget(minutes=1)
    first.seconds = 59.0
    resumed.load_state_dict(first.state_dict())
    assert not resumed.spent(program)
    resumed.seconds += 1
    assert resumed.spent(program)


@pytest.mark.parametrize("limit", [True, "3", -1, float("nan")])
@pytest.mark.parametrize("name", ["generator_steps", "images", "minutes"])
def test_a_limit_is_a_number(name, limit):
    with pytest.raises(ValueError, match=rf"^budget\.{name} takes a number of at least 0, not"):
        Budget(**{name: limit})


class Saving(KeepState):
    """Remembers at which generator steps it saved."""

    def save(self, trainer, program):
        self.steps = [*getattr(self, "steps", []), program.generator_steps]
        super().save(trainer, program)


def test_states_are_kept_at_their_steps_and_at_the_end(tmp_path):
    keep = Saving(tmp_path, every=2)
    fit(tiny(), keep, generator_steps=5)
    assert keep.steps == [2, 4, 5]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["last.ckpt", "previous.ckpt"]
    for name, step in (("last", 5), ("previous", 4)):
        state = torch.load(tmp_path / f"{name}.ckpt", weights_only=True)
        assert state["ganzoo"]["counters"]["generator_steps"] == step


def test_a_resumed_run_waits_its_whole_interval(tmp_path):
    keep = Saving(tmp_path, every=3)
    trainer = SimpleNamespace(save_checkpoint=lambda path: path.touch(), is_global_zero=True)
    program = SimpleNamespace(generator_steps=7)
    keep.on_train_start(trainer, program)
    for program.generator_steps in (7, 8, 9, 10, 11):
        keep.on_train_batch_end(trainer, program, None, None, 0)
    assert keep.steps == [10]


def test_a_write_that_fails_spoils_neither_state(tmp_path):
    def half(path):
        path.write_bytes(b"hal")
        raise OSError("disk full")

    (tmp_path / "last.ckpt").write_bytes(b"last")
    (tmp_path / "previous.ckpt").write_bytes(b"previous")
    trainer = SimpleNamespace(save_checkpoint=half, is_global_zero=True)
    with pytest.raises(OSError, match="disk full"):
        KeepState(tmp_path, 1).save(trainer, tiny())
    assert (tmp_path / "last.ckpt").read_bytes() == b"last"
    assert (tmp_path / "previous.ckpt").read_bytes() == b"previous"


@pytest.mark.parametrize(
    ("name", "kinds"), [("fixed_dcgan", ["averaged", "raw"]), ("buggy_dcgan", ["raw"])]
)
def test_grids_are_drawn_at_the_start_on_time_and_at_the_end(tmp_path, name, kinds):
    fit(tiny(name), SampleGrids(tmp_path, every=2, count=2), generator_steps=5)
    expected = [f"{kind}_{step:06d}.png" for kind in kinds for step in (0, 2, 4, 5)]
    assert sorted(path.name for path in tmp_path.iterdir()) == expected


def test_grids_show_the_samples_of_their_step(tmp_path):
    program = tiny()
    fit(program, SampleGrids(tmp_path / "a", every=100, count=2), generator_steps=3)
    callbacks.save_grid(program.sample(2), tmp_path / "raw.png")
    callbacks.save_grid(program.sample(2, averaged=True), tmp_path / "averaged.png")
    drawn = {}
    for kind in ("raw", "averaged"):
        drawn[kind] = (tmp_path / "a" / f"{kind}_000003.png").read_bytes()
        assert drawn[kind] == (tmp_path / f"{kind}.png").read_bytes()
    assert drawn["raw"] != drawn["averaged"]


@pytest.mark.parametrize("name", ["fixed_dcgan", "buggy_dcgan"])
def test_watching_leaves_weights_and_random_state_as_they_are(tmp_path, name):
    plain, watched = tiny(name), tiny(name)
    fit(plain)
    state = torch.get_rng_state()
    grids = SampleGrids(tmp_path / "samples", every=1, count=3)
    fit(watched, Monitor(tiny(name), 1), grids, KeepState(tmp_path, 1), Interrupt())
    assert torch.equal(state, torch.get_rng_state())
    weights = watched.state_dict()
    for key, weight in plain.state_dict().items():
        assert torch.equal(weight, weights[key]), key


class Press(pl.Callback):
    """Presses Ctrl-C, or sends another signal, in the middle of a run, so many times."""

    def __init__(self, times: int = 1, number: int = signal.SIGINT) -> None:
        self.times, self.number = times, number

    def on_before_optimizer_step(self, trainer, pl_module, optimizer):
        if pl_module.generator_steps == 1:
            for _ in range(self.times):
                os.kill(os.getpid(), self.number)
            self.times = 0


@pytest.fixture
def handler():
    """Return a handler of both signals that must be there again."""

    def mine(number, frame):
        raise AssertionError("the test's own handler was called")

    before = {number: signal.signal(number, mine) for number in Interrupt.second}
    yield mine
    left = [signal.signal(number, handler) for number, handler in before.items()]
    assert left == [mine, mine]


@pytest.mark.usefixtures("handler")
@pytest.mark.parametrize("number", Interrupt.second)
def test_a_signal_ends_training_after_the_step(number):
    program, interrupt = tiny(), Interrupt()
    fit(program, Press(1, number), interrupt, generator_steps=50)
    assert interrupt.caught
    assert 1 <= program.generator_steps <= 2
    assert program.batches_seen == program.generator_steps, "the batch was finished"


@pytest.mark.usefixtures("handler")
def test_a_second_control_c_ends_at_once():
    program = tiny()
    with pytest.raises(SystemExit):
        fit(program, Press(times=2), Interrupt(), generator_steps=50)
    assert program.generator_steps == 1


@pytest.mark.usefixtures("handler")
def test_a_crash_gives_control_c_back(monkeypatch):
    program = tiny()
    monkeypatch.setattr(program, "critic_loss", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        fit(program, Interrupt())


@pytest.mark.parametrize("end", ["on_train_end", "on_exception"])
def test_every_end_restores_by_itself(handler, end):
    interrupt = Interrupt()
    interrupt.on_train_start(None, None)
    assert signal.getsignal(signal.SIGTERM) is not handler
    getattr(interrupt, end)(*[None] * (2 if end == "on_train_end" else 3))
    assert signal.getsignal(signal.SIGTERM) is handler


def test_control_c_is_left_alone_in_other_threads(handler):
    interrupt = Interrupt()
    thread = threading.Thread(target=interrupt.on_train_start, args=(None, None))
    thread.start()
    thread.join()
    assert not interrupt.before
    assert signal.getsignal(signal.SIGINT) is handler
