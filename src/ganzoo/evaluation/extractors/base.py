"""What all extractors share: checked input, frozen weights, float32 features, a fingerprint."""

import hashlib
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from ganzoo.evaluation.images import checked
from ganzoo.evaluation.scores import fingerprint


class Extractor(nn.Module):
    """A frozen network from uint8 images to features; a subclass writes :meth:`features`.

    Attributes:
        name: the word in a score's name.
        dimension: number of features of an image.
        preprocessing: one line on everything between the uint8 images and the network.
        weights: 16 hex digits of the sha256 of the network's tensors, taken at construction.
        classes: how many classes it tells apart, where it is a classifier; otherwise 0.
        knows_data: whether these are classes that the images are meant to have.
        is_inception: whether distances of its features are called FID and KID.
    """

    classes: int = 0
    knows_data: bool = False
    is_inception: bool = False

    def __init__(self, name: str, network: nn.Module, dimension: int, preprocessing: str) -> None:
        super().__init__()
        self.name = name
        self.network = network.requires_grad_(False)
        self.dimension = dimension
        self.preprocessing = preprocessing
        self.weights = _sha256(network)
        self.train(False)

    @property
    def fields(self) -> dict[str, str | int]:
        """What a score's fingerprint takes from the extractor."""
        return {
            "extractor": self.name,
            "preprocessing": self.preprocessing,
            "weights": self.weights,
        }

    @property
    def fingerprint(self) -> str:
        """16 hex digits over name, weights and preprocessing."""
        return fingerprint(**self.fields)

    def features(self, images: Tensor) -> Tensor:
        """Return features (N, dimension) of images, uint8 (N, 3, H, W)."""
        raise NotImplementedError(f"{type(self).__name__} computes no features")

    def probabilities(self, features: Tensor) -> Tensor:
        """Return the probabilities (N, classes) of features (N, dimension), for a classifier."""
        raise NotImplementedError(f"{type(self).__name__} tells no classes apart")

    def forward(self, images: Tensor) -> Tensor:
        """Return float32 features (N, dimension), on the extractor's device.

        Args:
            images: uint8 (N, 3, H, W) or (N, 1, H, W), on any device; grey is repeated to RGB.

        Raises:
            ValueError: for any other dtype or shape.
        """
        rgb = checked(images).to(self.device).expand(-1, 3, -1, -1)
        # A surrounding mixed-precision block would change the features, and so the protocol.
        with torch.autocast(self.device.type, enabled=False):
            return self.features(rgb).float()

    @property
    def device(self) -> torch.device:
        """The device of the weights; the CPU for a network without any."""
        first = next(chain(self.parameters(), self.buffers()), None)
        return torch.device("cpu") if first is None else first.device

    def train(self, mode: bool = True) -> "Extractor":
        """Return the extractor in evaluation mode, whatever is asked.

        A program that holds it calls ``train()`` on all it holds, and batch statistics would then
        make each image's features depend on its neighbours.
        """
        return super().train(False)


def load_weights(path: Path) -> dict[str, Any]:
    """Return the state dict in a file, read so that no code in it can run.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: where the file holds anything else.
    """
    if not path.is_file():
        raise FileNotFoundError(f"no weights at {path}: give the path of an existing file")
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        # torch.load raises half a dozen unrelated types, most with a page of text.
        raise ValueError(f"{path} is not a file of weights: fetch it again") from error
    if not isinstance(state, dict) or not all(isinstance(v, Tensor) for v in state.values()):
        raise ValueError(f"{path} does not hold a state dict of tensors: save model.state_dict()")
    return state


def _sha256(network: nn.Module) -> str:
    digest = hashlib.sha256()
    for key, tensor in sorted(network.state_dict().items()):
        digest.update(f"{key} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.cpu().contiguous().flatten().view(torch.uint8).numpy())
    return digest.hexdigest()[:16]
