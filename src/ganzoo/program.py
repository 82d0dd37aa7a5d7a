"""What every program of the zoo shares: two networks stepped by hand, counters, and sampling."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any, ClassVar, cast

import pytorch_lightning as pl
import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from ganzoo.data.faces import draw_faces
from ganzoo.data.stream import BatchStream
from ganzoo.names import known


class Program(pl.LightningModule):
    """A generator and a critic, and the way they are stepped; families and variants subclass it.

    A subclass names its ``settings``: class attributes that a caller may set by keyword. ``scales``
    holds their values at each scale; a keyword overrides them.

    Raises:
        ValueError: unknown scale or setting (with the nearest name), or a value of the wrong kind.
    """

    family: ClassVar[str]
    draws_images: ClassVar[bool] = True  # False: it reads a pair of domains
    model_name: str = ""  # set by ``ganzoo.build``
    fault_ids: Sequence[str] = ()
    settings: ClassVar[tuple[str, ...]] = ("batch_size",)
    scales: ClassVar[Mapping[str, Mapping[str, Any]]] = {"posted": {}, "quick": {}}

    generator: Any  # an nn.Module, with the layers that the family gives it
    critic: Any
    batch_size: int = 32
    chance_score: float = 0.0  # of the critic where it cannot tell

    def __init__(self, scale: str = "quick", **settings: Any) -> None:
        super().__init__()
        self.automatic_optimization = False  # Lightning 2 steps several optimisers only by hand
        self.scale = known(scale, self.scales, "scale")
        for name, value in {**self.scales[scale], **settings}.items():
            default = getattr(self, known(name, self.settings, f"setting of {self.family}"), None)
            setattr(self, name, like(default, value, name))
        self.generator_steps = 0
        self.batches_seen = 0
        self.images_seen = 0
        self.readings: dict[str, Tensor] = {}
        self.generator, self.critic = self.make_networks()

    @property
    def image_shape(self) -> tuple[int, int, int]:
        """Return (C, H, W) of the images that the program reads and makes."""
        raise NotImplementedError(f"{type(self).__name__} has no image size")

    def make_networks(self) -> tuple[Any, Any]:
        """Return the generator and the critic with their initial weights."""
        raise NotImplementedError(f"{type(self).__name__} defines no networks")

    def configure_optimizers(self) -> list[Optimizer]:
        """Return the generator's and the critic's optimiser, in that order."""
        raise NotImplementedError(f"{type(self).__name__} has no optimisers")

    def both_optimizers(self) -> tuple[Optimizer, Optimizer]:
        """Return the generator's and the critic's optimiser, in that order."""
        generator, critic = cast("tuple[Optimizer, Optimizer]", self.optimizers())
        return generator, critic

    def draw_latents(self, count: int) -> Tensor:
        """Return the noise of ``count`` images, from the global random state."""
        raise NotImplementedError(f"{type(self).__name__} draws no latents")

    def generate(self, latents: Tensor) -> Tensor:
        """Return images (N, C, H, W), float in [0, 1], as the generator makes them."""
        return self.generator(latents)

    def example_batches(self, seed: int) -> Iterable[Any]:
        """Return endless batches of drawn faces, as small experiments use them."""
        images, _ = draw_faces(max(16, self.batch_size), self.image_shape[1:])
        images = images[:, : self.image_shape[0]]
        return BatchStream(images, torch.zeros(len(images)), self.batch_size, seed=seed)

    def evidence(self) -> dict[str, Any]:
        """Return what a family's verdict needs beyond what the monitor sees, ready for JSON."""
        return {}

    def keep_losses(self, generator_loss: Tensor, critic_loss: Tensor) -> None:
        """Keep both losses of this step for the monitor, and give them to Lightning's callbacks."""
        losses = {"g_loss": generator_loss.detach(), "d_loss": critic_loss.detach()}
        self.readings.update(losses)
        # not by log_dict, which takes milliseconds a step; the monitor writes the rows
        self.trainer.callback_metrics.update(losses)

    def keep_scores(self, real_scores: Tensor, fake_scores: Tensor) -> None:
        """Keep the critic's accuracy on this batch for the monitor: a share in [0, 1]."""
        right = (real_scores > self.chance_score).sum() + (fake_scores < self.chance_score).sum()
        total = real_scores.numel() + fake_scores.numel()
        self.readings["critic_accuracy"] = right.detach() / total

    def averaged_generator(self) -> nn.Module | None:
        """Return the averaged copy of the generator, or None where the program keeps none."""
        return None

    @torch.inference_mode()
    def sample(self, count: int, seed: int = 0, averaged: bool = False) -> Tensor:
        """Return samples (count, C, H, W), uint8 in [0, 255], on the CPU.

        Equal seeds give equal latents. The networks are put into eval mode for the call; their
        mode and the global random state come back as they were.
        """
        if not self.draws_images:
            raise ValueError(f"{self.model_name or type(self).__name__} draws no images")
        generator = self.averaged_generator() if averaged else self.generator
        if generator is None:
            raise ValueError(f"{type(self).__name__} keeps no averaged generator: averaged=False")
        images: list[Tensor] = []
        with evaluating(generator), self.seeded(seed):
            while (missing := count - sum(map(len, images))) > 0:
                latents = self.draw_latents(min(self.batch_size, missing))
                images.append(self.to_uint8(generator(latents)).cpu())
        return torch.cat(images)[:count]

    def to_uint8(self, images: Tensor) -> Tensor:
        """Return 8-bit levels of images in [0, 1], rounded half up and clamped."""
        return (images * 255 + 0.5).clamp(0, 255).to(torch.uint8)

    @contextmanager
    def seeded(self, seed: int) -> Iterator[None]:
        """Seed the random states of the CPU and this program's GPU, and restore them at the end."""
        cuda = [self.device] if self.device.type == "cuda" else []
        with torch.random.fork_rng(devices=cuda):
            torch.manual_seed(seed)
            yield

    def on_train_batch_start(self, batch: Any, batch_idx: int) -> None:
        # counted before the step, so that a checkpoint at its end goes on with the next batch
        self.batches_seen += 1
        self.images_seen += len(batch[0]) * self.trainer.world_size

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        counters = {name: getattr(self, name) for name in COUNTERS}
        random = {"cpu": torch.get_rng_state()}
        if self.device.type == "cuda":
            random["cuda"] = torch.cuda.get_rng_state(self.device)
        checkpoint["ganzoo"] = {"counters": counters, "random": random}

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        for name in COUNTERS:
            setattr(self, name, checkpoint["ganzoo"]["counters"][name])
        self._random_to_restore = checkpoint["ganzoo"]["random"]

    def on_train_start(self) -> None:
        # after every callback's set-up, which may draw numbers of its own
        random = self.__dict__.pop("_random_to_restore", None)
        if random is not None:
            torch.set_rng_state(random["cpu"].cpu())
            if "cuda" in random and self.device.type == "cuda":
                torch.cuda.set_rng_state(random["cuda"].cpu(), self.device)


COUNTERS = ("generator_steps", "batches_seen", "images_seen")


@contextmanager
def evaluating(network: nn.Module) -> Iterator[None]:
    """Put a network into eval mode, and every submodule back into its own mode at the end."""
    modes = {module: module.training for module in network.modules()}
    network.eval()
    try:
        yield
    finally:
        for module, mode in modes.items():
            module.training = mode


def like(default: Any, value: Any, name: str) -> Any:
    """Return ``value`` as the kind of ``default``: a tuple for a list, a float for an int."""
    if isinstance(default, tuple):
        value = tuple(value) if not isinstance(value, str | int | float) else value
        try:
            return tuple(like(d, v, name) for d, v in zip(default, value, strict=True))
        except (TypeError, ValueError) as error:
            text = f"{name} takes {len(default)} numbers, like {default}, not {value!r}"
            raise ValueError(text) from error
    if isinstance(default, str) and isinstance(value, str):
        return value
    number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if isinstance(default, int) and number and value == int(value) and value >= min(1, default):
        return int(value)
    if isinstance(default, float) and number and value >= 0:
        return float(value)
    kind = {int: "a whole number", float: "a number", str: "a word"}[type(default)]
    raise ValueError(f"{name} takes {kind} like {default!r}, not {value!r}")
