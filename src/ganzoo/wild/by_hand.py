"""A few training steps without a trainer, for oracles that look at what a step does."""

import copy
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from ganzoo.program import Program

# what a program may stop by that has another fault
STOPS = (RuntimeError, ValueError, TypeError)


class HandTrainer:
    """What a training step asks of its trainer."""

    world_size = 1

    def __init__(self, optimizers: list[Optimizer]) -> None:
        self.optimizers = optimizers
        self.callback_metrics: dict[str, Tensor] = {}
        self.global_step = 0


class Steps:
    """A copy of a program that takes its training steps by hand.

    Args:
        program: stays as it is.
        settings: attributes of the copy, set before its optimisers are made.
    """

    def __init__(self, program: Program, **settings: Any) -> None:
        self.program: Any = copy.deepcopy(program).train()
        for name, value in settings.items():
            setattr(self.program, name, value)
        self.optimizers: list[Optimizer] = self.program.configure_optimizers()
        self.trainer = HandTrainer(self.optimizers)
        self.program.trainer = self.trainer
        self.program.both_optimizers = lambda: tuple(self.optimizers)
        self.program.manual_backward = lambda loss: loss.backward()
        self.gradients: dict[str, list[list[Tensor | None]]] = {"generator": [], "critic": []}
        for name, optimizer in zip(self.gradients, self.optimizers, strict=True):
            optimizer.register_step_pre_hook(self.kept(name))
            optimizer.register_step_post_hook(self.counted)

    def kept(self, name: str) -> Callable[..., None]:
        """Return a hook that keeps the gradients that an optimiser's step is about to use."""

        def hook(optimizer: Optimizer, *_: Any) -> None:
            parameters = [p for group in optimizer.param_groups for p in group["params"]]
            self.gradients[name].append(
                [None if p.grad is None else p.grad.clone() for p in parameters]
            )

        return hook

    def counted(self, *_: Any) -> None:
        """Count an optimiser's step as Lightning does."""
        self.trainer.global_step += 1

    def take(self, batches: Iterable[Any]) -> None:
        """Take a step on each batch, always with the same random numbers.

        Raises:
            RuntimeError, ValueError, TypeError: what the program stops by.
        """
        with self.program.seeded(0):
            for number, batch in enumerate(batches):
                self.program.batches_seen += 1
                self.program.training_step(batch, number)


def some_batches(program: Program, count: int = 1, size: int = 4) -> list[Any]:
    """Return batches of random pixels and labels, always the same."""
    noise = torch.Generator().manual_seed(1)
    shape = (size, *program.image_shape)
    return [
        (torch.randint(0, 256, shape, generator=noise).to(torch.uint8), torch.zeros(size).long())
        for _ in range(count)
    ]


def leftover_survives(program: Program, network: str, **settings: Any) -> bool:
    """Return whether gradients that lie there before a step are part of what it uses."""
    found = []
    for filled in (False, True):
        try:
            steps = Steps(program, **settings)
            if filled:
                for parameter in getattr(steps.program, network).parameters():
                    parameter.grad = torch.full_like(parameter, 1e3)
            steps.take(some_batches(program))
        except STOPS:
            return False
        if not steps.gradients[network]:
            return False
        found.append(steps.gradients[network][0])
    clean, mixed = found
    return any(
        (a is None) != (b is None) or (a is not None and b is not None and not torch.equal(a, b))
        for a, b in zip(clean, mixed, strict=True)
    )


class Scores(nn.Module):
    """A critic whose scores are what one says, and can be asked for their gradient.

    Args:
        output: what the score passes through.
        value: of every score.
    """

    def __init__(self, output: nn.Module, value: float = 0.0) -> None:
        super().__init__()
        self.output, self.value = output, value
        self.given: list[Tensor] = []

    def forward(self, images: Tensor) -> Tensor:
        scores = torch.full((len(images), 1), self.value, requires_grad=True)
        self.given.append(scores)
        return self.output(scores)


class Slopes(NamedTuple):
    """How the losses depend on the scores, where every score has one value.

    Attributes:
        real: slope of the critic's loss by the scores of reals.
        fake: the same by those of fakes.
        generator: slope of the generator's loss by the scores of fakes.
        loss: the generator's loss.
    """

    real: float
    fake: float
    generator: float
    loss: float


def slope_of(scores: Tensor) -> float:
    """Return the sum of a loss's slopes by scores; 0 where none reaches them."""
    return 0.0 if scores.grad is None else float(scores.grad.sum())


def score_slopes(program: Any, value: float = 0.0) -> Slopes | None:
    """Return the slopes of both losses; None where the losses stop by another fault."""
    copied = copy.deepcopy(program)
    images = torch.zeros(4, *program.image_shape)
    try:
        copied.critic = Scores(copied.critic_output(), value)
        copied.critic_loss(images, images[:3]).backward()
        sides = {len(scores): slope_of(scores) for scores in copied.critic.given}
        real, fake = sides[4], sides[3]
        copied.critic = Scores(copied.critic_output(), value)
        loss = copied.generator_loss(images)
        loss.backward()
        (wanted,) = map(slope_of, copied.critic.given)
    except (*STOPS, AttributeError, KeyError):
        return None
    return Slopes(real, fake, wanted, float(loss.detach()))


def reaches_fakes(program: Any) -> bool:
    """Return whether the generator's loss has a path to the fakes."""
    fakes = torch.zeros(4, *program.image_shape, requires_grad=True)
    try:
        loss = copy.deepcopy(program).generator_loss(fakes)
    except STOPS:
        return True
    (gradient,) = torch.autograd.grad(loss, fakes, allow_unused=True)
    return gradient is not None
