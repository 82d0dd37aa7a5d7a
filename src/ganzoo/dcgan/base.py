"""What the variants of the DCGAN family share, faults aside: sizes, networks, noise, averaging."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

from ganzoo.dcgan.networks import Critic, Generator, image_size
from ganzoo.program import Program


class DCGAN(Program):
    """Sizes and networks of the family; the variants fill in the pieces that it calls.

    Settings: ``seed_grid`` (rows, columns; images are 8 * rows + 42 by 8 * columns + 42),
    ``generator_channels``, ``critic_channels`` and the training constants of the variants.
    """

    family = "dcgan"
    settings = (
        "seed_grid",
        "generator_channels",
        "critic_channels",
        "batch_size",
        "learning_rate",
        "betas",
        "penalty_weight",
        "penalty_interval",
        "average_decay",
        "anneal_steps",
    )
    scales: ClassVar = {
        "posted": {"seed_grid": (22, 17), "generator_channels": 400, "critic_channels": 300},
        "quick": {"seed_grid": (3, 2), "generator_channels": 48, "critic_channels": 48},
    }

    seed_grid: tuple[int, int] = (3, 2)
    generator_channels: int = 48
    critic_channels: int = 48
    learning_rate: float
    betas: tuple[float, float]
    penalty_weight: float = 4.0  # gamma of Mescheder et al. 2018, for pixels in [-1, 1]
    penalty_interval: int = 16  # lazy: every 16th step, 16 times as strong (Karras et al. 2020, B)
    average_decay: float = 0.998
    anneal_steps: int = 0  # generator steps over which the rates fall, where a variant lowers them

    fold_seed: Callable[[Tensor, Sequence[int]], Tensor]
    flatten_features: Callable[[Tensor], Tensor]
    critic_norm: Callable[[int], nn.Module]
    critic_output: Callable[[], nn.Module]

    def __init__(self, scale: str = "quick", **settings: Any) -> None:
        super().__init__(scale, **settings)
        self.average = self.start_average()
        self.printed_gradients: dict[int, float | None] = {}

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (3, *image_size(self.seed_grid))

    def make_networks(self) -> tuple[Any, Any]:
        """Return the generator and the critic, made and initialised in the posted order."""
        generator = Generator(self.seed_grid, self.generator_channels, self.fold_seed)
        critic = Critic(
            self.seed_grid,
            self.critic_channels,
            self.flatten_features,
            self.critic_norm,
            self.critic_output,
        )
        generator.apply(self.init_weights)
        critic.apply(self.init_weights)
        # channels last: the same numbers, about a quarter faster on a CPU
        channels_last = torch.channels_last
        return generator.to(memory_format=channels_last), critic.to(memory_format=channels_last)

    def init_weights(self, module: nn.Module) -> None:
        """Draw one layer's initial weights."""
        raise NotImplementedError(f"{type(self).__name__} draws no weights")

    def start_average(self) -> nn.Module | None:
        """Return the averaged copy of the generator that training updates, or None."""
        raise NotImplementedError(f"{type(self).__name__} says nothing about an average")

    def generator_stepped(self) -> None:
        """Count a generator step, and let the averaged copy follow it."""
        self.generator_steps += 1
        if isinstance(self.average, AveragedModel):
            self.average.update_parameters(self.generator)

    def read_gradient(self, batch_idx: int) -> None:
        """Keep the norm of the generator's first gradient, as of now, on every 100th batch."""
        if batch_idx % 100 == 0:
            gradient = next(self.generator.parameters()).grad
            norm = None if gradient is None else float(gradient.norm())
            self.printed_gradients[batch_idx] = norm

    def averaged_generator(self) -> nn.Module | None:
        return self.average
