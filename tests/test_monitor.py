"""What is seen of two networks, against numbers known in closed form."""

import copy
import math

import pytest
import torch
from torch import Tensor, nn
from torch.optim import SGD

from ganzoo.monitor import Monitor
from ganzoo.program import Program
from tests.conftest import fit, tiny


class Slopes(Program):
    """Two linear networks: the generator's gradient is (3, 4) / step, and its bias has none."""

    family = "slopes"
    batch_size = 2
    broken_from = math.inf  # the generator step from which on a loss is not a number
    broken = math.nan

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (1, 1, 1)

    def make_networks(self) -> tuple[nn.Module, nn.Module]:
        return nn.Linear(2, 1), nn.Linear(2, 1)

    def configure_optimizers(self) -> list[torch.optim.Optimizer]:
        return [SGD(self.generator.parameters(), lr=0.25), SGD(nn.Linear(2, 1).parameters(), lr=1)]

    def training_step(self, batch: list[Tensor], batch_idx: int) -> None:
        generator_optimizer, critic_optimizer = self.both_optimizers()
        generator_optimizer.zero_grad()
        self.generator_steps += 1
        slope = torch.tensor([3.0, 4.0]) / self.generator_steps
        self.manual_backward((self.generator.weight * slope).sum())
        generator_optimizer.step()
        self.critic.zero_grad()
        self.manual_backward(self.critic(torch.tensor([2.0, 1.0])).sum() * 2)
        critic_optimizer.step()
        broken = self.generator_steps >= self.broken_from
        loss = torch.tensor(self.broken if broken else float(self.generator_steps))
        self.keep_losses(loss, torch.tensor(2.0))


def watched(steps: int = 3, check_every: int = 50, **attributes: float) -> tuple[Monitor, Program]:
    """Return a monitor that has watched a program for some steps, and the program."""
    program = Slopes()
    for name, value in attributes.items():
        setattr(program, name, value)
    monitor = Monitor(copy.deepcopy(program), check_every)
    fit(program, monitor, generator_steps=steps)
    return monitor, program


def test_norms_changes_and_missing_gradients():
    monitor, program = watched(3)
    generator = monitor.seen(program).generator
    assert (generator.tensors, generator.steps, generator.most_missing) == (2, 3, 1)
    assert (generator.largest_norm, generator.last_norm) == pytest.approx((5, 5 / 3))
    assert generator.change == pytest.approx(0.25 * 4 * (1 + 1 / 2 + 1 / 3))
    assert (generator.held, generator.foreign) == (2, 0)


def test_an_optimiser_of_foreign_tensors_is_seen():
    monitor, program = watched(2)
    critic = monitor.seen(program).critic
    assert (critic.held, critic.foreign) == (0, 2)
    assert (critic.steps, critic.most_missing, critic.change) == (2, 0, 0)
    assert critic.last_norm == pytest.approx(math.sqrt(4**2 + 2**2 + 2**2))


def test_losses_are_means():
    monitor, program = watched(4)
    assert monitor.seen(program).losses == {"g_loss": 2.5, "d_loss": 2.0}


def test_bounds_and_changes_of_sign_are_those_of_all_batches():
    losses = iter([3.0, -1.0, 0.0, -2.0, 5.0])
    program = Slopes()
    monitor = Monitor(copy.deepcopy(program))
    keep = program.keep_losses
    program.keep_losses = lambda _, d_loss: keep(torch.tensor(next(losses)), d_loss)
    fit(program, monitor, generator_steps=5)
    seen = monitor.seen(program)
    assert seen.loss_bounds == {"g_loss": [-2.0, 5.0], "d_loss": [2.0, 2.0]}
    assert seen.sign_flips == {"g_loss": 2, "d_loss": 0}  # through 0 is no change from one to next
    assert seen.critic_accuracy is None


@pytest.mark.parametrize("broken", [math.nan, math.inf])
def test_a_loss_that_is_no_number_stops_the_run_at_the_next_look(broken):
    monitor, program = watched(20, check_every=4, broken_from=6, broken=broken)
    assert monitor.not_finite_at == program.generator_steps == 8


def test_a_loss_that_breaks_between_two_looks_is_seen_at_the_end():
    monitor, _ = watched(6, check_every=4, broken_from=6)
    assert monitor.not_finite_at == 6


def test_a_healthy_run_is_not_stopped():
    monitor, program = watched(5, check_every=1)
    assert monitor.not_finite_at is None
    assert program.generator_steps == 5


def test_a_resumed_monitor_goes_on_counting():
    monitor, program = watched(3)
    resumed = Monitor(monitor.start)
    resumed.load_state_dict(copy.deepcopy(monitor.state_dict()))
    resumed.holdings = monitor.holdings  # read anew when training starts
    assert resumed.seen(program) == monitor.seen(program)


def test_only_programs_are_watched():
    module = nn.Module()
    with pytest.raises(TypeError, match="Monitor watches a ganzoo Program, not Module"):
        Monitor(tiny()).on_train_batch_end(None, module, None, None, 0)
