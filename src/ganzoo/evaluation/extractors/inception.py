"""Features of the 2015 TensorFlow Inception-v3, the ones whose distance is called FID."""

from pathlib import Path

import torch
from torch import Tensor

from ganzoo.evaluation.extractors.base import Extractor, load_weights

FILE = "pt_inception-2015-12-05-6726825d.pth"
HOW_TO_GET = (
    f"inception needs its weights: download {FILE} (weights-inception-2015-12-05-6726825d.pth on "
    "https://github.com/toshas/torch-fidelity/releases/tag/v0.2.0) and set evaluation.weights=PATH"
)


class Inception(Extractor):
    """Inception-v3 up to its last pooling, as torch-fidelity ports it: 2048 features.

    Source: Heusel et al., GANs Trained by a Two Time-Scale Update Rule, 2017, section 4; resize and
    scaling as in the TensorFlow graph that the paper used.
    """

    def __init__(self, weights: str | Path | None = None) -> None:
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
        super().__init__(
            "inception",
            network,
            dimension=2048,
            preprocessing="TensorFlow 1 bilinear resize without antialias to 299x299, "
            "(u8 - 128) / 128, grey repeated to RGB, last pooling",
        )

    def features(self, images: Tensor) -> Tensor:
        """Return features (N, 2048) of images, uint8 (N, 3, H, W)."""
        return self.network(images)[0]
