"""Features of the 2015 TensorFlow Inception-v3, the ones whose distance is called FID."""

import hashlib
import logging
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from ganzoo.evaluation.extractors.base import Extractor, load_weights
from ganzoo.evaluation.extractors.described import INCEPTIONS

FILE = "pt_inception-2015-12-05-6726825d.pth"
SHA256_BEGINS = "6726825d"
HOW_TO_GET = (
    f"inception needs its weights: download {FILE} (weights-inception-2015-12-05-6726825d.pth on "
    "https://github.com/toshas/torch-fidelity/releases/tag/v0.2.0) and set evaluation.weights=PATH"
)
SIDE = 299


class Inception(Extractor):
    """Inception-v3 up to its last pooling, as torch-fidelity ports it: 2048 features.

    Its 1008 classes are ImageNet's and not those of the data, so that they serve the inception
    score alone; their probabilities are those of the last layer without its bias, as in the score's
    first program.

    Args:
        name: how images are resized and scaled; see ``extractors/described.py``.
        weights: the file of weights; another one than the reference's is told in the log, and
            gives scores another fingerprint.

    Source: Heusel et al., GANs Trained by a Two Time-Scale Update Rule, 2017, section 4; Parmar et
    al., On Aliased Resizing and Surprising Subtleties in GAN Evaluation, 2022, for ``clean``.
    """

    classes = 1008
    is_inception = True

    def __init__(self, name: str, weights: str | Path | None = None) -> None:
        if weights is None:
            raise ValueError(HOW_TO_GET)
        try:
            from torch_fidelity.feature_extractor_inceptionv3 import FeatureExtractorInceptionV3
        except ImportError as error:
            raise ModuleNotFoundError(
                "inception features need two packages: "
                "python -m pip install torch-fidelity torchvision"
            ) from error
        # torch-fidelity unpickles the file without limits, so it is read with limits first.
        load_weights(Path(weights))
        try:
            with torch.random.fork_rng(devices=[]):
                network = FeatureExtractorInceptionV3(
                    "inception", ["2048"], feature_extractor_weights_path=str(weights)
                )
        except RuntimeError as error:
            raise ValueError(
                f"{weights} does not hold the Inception weights: fetch {FILE}"
            ) from error
        warn_of_other_weights(Path(weights))
        super().__init__(
            name, network, dimension=2048, preprocessing=INCEPTIONS[name].preprocessing
        )

    def features(self, images: Tensor) -> Tensor:
        """Return features (N, 2048) of images, uint8 (N, 3, H, W)."""
        if self.name == "inception_tf":
            return self.network(images)[0]
        x = scaled(self.name, resized(self.name, images.float()))
        *layers, _ = self.network.children()  # the last one makes classes
        for layer in layers:
            x = layer(x)
        return x.flatten(1)

    def probabilities(self, features: Tensor) -> Tensor:
        """Return the probabilities (N, 1008) of features (N, 2048)."""
        weight = self.network.get_parameter("fc.weight")
        return (features @ weight.T).softmax(1)


def resized(name: str, images: Tensor) -> Tensor:
    """Return images (N, 3, 299, 299), float in [0, 255], as a protocol resizes them."""
    side = (SIDE, SIDE)
    if name == "legacy":
        return functional.interpolate(images, side, mode="bilinear", align_corners=False)
    mode = "bicubic" if name == "clean" else "bilinear"
    found = functional.interpolate(images, side, mode=mode, align_corners=False, antialias=True)
    return found.clamp(0, 255)  # a cubic kernel overshoots


def scaled(name: str, pixels: Tensor) -> Tensor:
    """Return pixels in [0, 255] as a protocol gives them to the network."""
    return 2 * (pixels / 255) - 1 if name == "legacy" else (pixels - 128) / 128


def warn_of_other_weights(path: Path) -> None:
    """Log a warning where a file of weights is not the reference's."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if not digest.startswith(SHA256_BEGINS):
        logging.getLogger(__name__).warning(
            "%s (sha256 %s) is not the reference's file %s: its distances are no FID",
            path,
            digest[:16],
            FILE,
        )
