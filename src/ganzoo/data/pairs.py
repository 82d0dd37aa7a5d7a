"""Pairs of domains: labelled source images and unlabelled target images in one batch."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pytorch_lightning as pl
import torch

from ganzoo.data.stream import BatchStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from ganzoo.data.datamodule import Images

MOST_CLASSES = 10  # outputs of the adaptation family's label head

PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "digits_mnist5k": ({"name": "digits", "framed": True}, {"name": "mnist5k"}),
    "mnist5k_digits": ({"name": "mnist5k"}, {"name": "digits", "framed": True}),
    "digits_inverted": ({"name": "digits"}, {"name": "inverted_digits"}),
    "mnist_usps": ({"name": "mnist"}, {"name": "usps"}),
    "svhn_mnist": ({"name": "svhn"}, {"name": "mnist"}),
}


class DomainPair(pl.LightningDataModule):
    """Two domains, each split into images to train on and images to judge by.

    A batch holds source images and labels and target images. The target's labels are only in
    ``held_out("target")``, for reports.

    Args:
        name: What the pair is called.
        source: The labelled domain.
        target: The domain whose labels are not used.
        held_out: Share of each domain that is kept out of training, in (0, 1).
        classes: Labels are whole numbers below this.

    Raises:
        ValueError: ``held_out`` is out of its range.
    """

    crop = None

    def __init__(
        self, name: str, source: Images, target: Images, held_out: float = 0.3, classes: int = 10
    ) -> None:
        super().__init__()
        if not (isinstance(held_out, float) and 0 < held_out < 1):
            raise ValueError(f"data.held_out takes a share between 0 and 1, not {held_out!r}")
        if not (isinstance(classes, int) and 2 <= classes <= MOST_CLASSES):
            text = f"data.classes takes a whole number from 2 to {MOST_CLASSES}, not {classes!r}"
            raise ValueError(text)
        self.name, self.held_out_share, self.classes = name, held_out, classes
        self.domains = {"source": source, "target": target}
        self.seed, self.batch_size = source.seed, source.batch_size
        self.cache_dir = source.cache_dir

    def prepare_data(self) -> None:
        self.setup()

    def setup(self, stage: str | None = None) -> None:
        """Open both domains, and split each by a fixed order.

        Raises:
            ValueError, FileNotFoundError: One domain is empty, unusable or, the source, has no
                labels; the text begins with its name.
        """
        for role, images in self.domains.items():
            try:
                images.setup()
            except (ValueError, OSError) as error:
                raise type(error)(f"{role} domain: {error}") from error
        if not labelled(self.domains["source"]):
            source = self.domains["source"].name
            remedy = {
                "folder": "sort the images into a sub-folder for each label",
                "arrays": "store an array called labels beside images",
            }.get(source, "choose a labelled one")
            raise ValueError(f"source domain: {source} has no labels: {remedy}")
        for role, domain in self.domains.items():
            self._check_labels(role, domain)
        # Domains that show the same images in two forms must not show one image in both.
        same = self.domains["source"].count == self.domains["target"].count
        orders = {role: domain_order(d.count) for role, d in self.domains.items()}
        if same and self.name == "digits_inverted":
            half = len(orders["source"]) // 2
            orders = {"source": orders["source"][:half], "target": orders["target"][half:]}
        self.parts: dict[str, tuple[Any, Any]] = {}
        for role, order in orders.items():
            kept = max(1, round(len(order) * self.held_out_share))
            self.parts[role] = order[kept:], order[:kept]
        both = "".join(domain.fingerprint for domain in self.domains.values())
        self.fingerprint = hashlib.sha256(both.encode()).hexdigest()[:32]
        self.count = sum(len(training) for training, _ in self.parts.values())

    def _check_labels(self, role: str, domain: Images) -> None:
        labels = domain.labels
        wrong = np.flatnonzero((labels < 0) | (labels >= self.classes))
        if len(wrong):
            raise ValueError(
                f"{role} domain: {domain.name}: image {wrong[0]} has label {labels[wrong[0]]}, "
                f"and labels are 0 to {self.classes - 1}"
            )

    def train_dataloader(self) -> DomainStream:
        """Return the batches; with a trainer, from the first that its program has not seen."""
        if self.trainer is None:
            return self.stream(self.seed)
        return self.stream(
            self.seed,
            start=getattr(self.trainer.lightning_module, "batches_seen", 0),
            rank=self.trainer.global_rank,
            world_size=self.trainer.world_size,
        )

    def stream(self, seed: int, **place: int) -> DomainStream:
        """Return endless batches of the training parts; ``place`` as in ``BatchStream``."""
        source, target = (self.training(role) for role in ("source", "target"))
        labels = self.domains["source"].labels[self.parts["source"][0]]
        return DomainStream(source, labels, target, self.batch_size, seed, **place)

    def training(self, role: str) -> Any:
        """Return the training images of a domain, uint8 (N, C, H, W)."""
        return self.domains[role].images[self.parts[role][0]]

    def held_out(self, role: str) -> tuple[Tensor, Tensor]:
        """Return images and labels of a domain that are not trained on."""
        chosen = self.parts[role][1]
        domain = self.domains[role]
        return torch.from_numpy(domain.images[chosen]), torch.from_numpy(domain.labels[chosen])

    def describe(self) -> dict[str, Any]:
        """Return name, both domains, size, channels, count and fingerprint, fit for JSON."""
        described = {role: domain.describe() for role, domain in self.domains.items()}
        size, channels = described["source"]["size"], described["source"]["channels"]
        return {
            "name": self.name,
            "crop": None,
            "size": size,
            "channels": channels,
            "count": self.count,
            "fingerprint": self.fingerprint,
            "domains": described,
            "held_out": self.held_out_share,
        }


class DomainStream:
    """An endless iterable of (source images, source labels, target images).

    Both domains go through their own permutations, so that batch number k is a function of the seed
    and k alone; see ``BatchStream``.

    Raises:
        ValueError: One domain is too small for a batch, or the domains' images differ in shape.
    """

    def __init__(
        self,
        source_images: Any,
        source_labels: Any,
        target_images: Any,
        batch_size: int,
        seed: int = 0,
        **place: int,
    ) -> None:
        shapes = tuple(np.shape(source_images)[1:]), tuple(np.shape(target_images)[1:])
        if shapes[0] != shapes[1]:
            raise ValueError(
                f"target domain: images of shape {shapes[1]}, and the source's are {shapes[0]}: "
                "bring both to one size and number of channels"
            )
        unlabelled = np.zeros(len(target_images), np.int64)
        sides = {
            "source": (source_images, source_labels, seed),
            "target": (target_images, unlabelled, seed + 1_000_003),
        }
        self.streams: dict[str, BatchStream] = {}
        for role, (images, labels, own_seed) in sides.items():
            try:
                self.streams[role] = BatchStream(images, labels, batch_size, own_seed, **place)
            except ValueError as error:
                raise ValueError(f"{role} domain: {error}") from error
        self.start = place.get("start", 0)

    def batch(self, k: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return batch number ``k``, from 0 on."""
        images, labels = self.streams["source"].batch(k)
        return images, labels, self.streams["target"].batch(k)[0]

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        k = self.start
        while True:
            yield self.batch(k)
            k += 1


def labelled(domain: Images) -> bool:
    """Return whether a domain that was set up has labels."""
    return domain.has_labels and len(np.unique(domain.labels)) > 1


def domain_order(count: int) -> Any:
    """Return the fixed order in which a domain of ``count`` images is split."""
    return np.random.default_rng(0).permutation(count)


def as_settings(domain: Any, role: str) -> dict[str, Any]:
    """Return a domain's name and settings as a dict.

    Raises:
        ValueError: It is no mapping with a name.
    """
    if not isinstance(domain, Mapping) or not isinstance(domain.get("name"), str):
        raise ValueError(f"data.{role} takes a mapping such as {{name: folder, root: DIR}}")
    return {str(key): value for key, value in domain.items()}
