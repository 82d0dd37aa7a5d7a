"""Features of a small digit classifier, whose weights come with ganzoo."""

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor, nn
from torch.nn import functional

from ganzoo.evaluation.extractors.base import Extractor
from ganzoo.evaluation.extractors.described import DESCRIBED, DIGITS_SIDE

WEIGHTS = Path(__file__).with_name("digits.safetensors")


def network() -> nn.Sequential:
    """Return the classifier, untrained: grey images (N, 1, 16, 16) in [0, 1] to logits (N, 10)."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 16, 64),
        nn.ReLU(),
        nn.Linear(64, 10),
    )


class Digits(Extractor):
    """The last hidden layer of a classifier of handwritten digits: 64 features.

    ``benchmarks/digit_classifier.py`` trained it on UCI's and MNIST's digits, and prints its error.
    """

    classes = 10
    knows_data = True

    def __init__(self, weights: str | Path | None = None) -> None:
        path = Path(weights or WEIGHTS)
        with torch.device("meta"):
            layers = network()
        try:
            state = {key: value.float() for key, value in load(path.read_bytes()).items()}
            layers.load_state_dict(state, assign=True)
        except FileNotFoundError as error:
            raise FileNotFoundError(f"no weights at {path}: leave the path out") from error
        except (SafetensorError, RuntimeError) as error:
            raise ValueError(
                f"{path} does not hold the digit classifier: leave the path out to use the "
                "packaged weights"
            ) from error
        super().__init__(
            "digits",
            layers,
            dimension=64,
            preprocessing=DESCRIBED["digits"].preprocessing,
        )

    def features(self, images: Tensor) -> Tensor:
        """Return features (N, 64), zero and above, of images, uint8 (N, 3, H, W)."""
        grey = images.float().mean(1, keepdim=True)
        pixels = functional.interpolate(
            grey, (DIGITS_SIDE, DIGITS_SIDE), mode="bilinear", align_corners=False, antialias=True
        )
        return self.network[:-1](pixels / 255)  # pyright: ignore[reportIndexIssue]

    def probabilities(self, features: Tensor) -> Tensor:
        """Return the classifier's probabilities (N, 10) from its features (N, 64)."""
        return self.network[-1](features).softmax(1)  # pyright: ignore[reportIndexIssue]
