"""How each extractor sees an image: what its name stands for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Described:
    """What happens between an image of 8 bits and its features.

    Attributes:
        resize: kernel, antialiasing and size.
        scaling: of a level 0..255 (u8) to the network's input.
        features: which layer, and how many.
        equals: whose published numbers it gives; empty where it is ganzoo's own.
    """

    resize: str
    scaling: str
    features: str
    equals: str = ""

    @property
    def preprocessing(self) -> str:
        """One line that is part of a fingerprint."""
        return f"{self.resize}, {self.scaling}, grey repeated to RGB, {self.features}"


POOLED = "last pooling of the 2015 Inception-v3, 2048"
INCEPTIONS = {
    "inception_tf": Described(
        "TensorFlow 1 bilinear without antialias to 299x299",
        "(u8 - 128) / 128",
        POOLED,
        "the TensorFlow reference, torch-fidelity, torchmetrics with antialias=False",
    ),
    "inception_torchmetrics": Described(
        "bilinear with antialias to 299x299",
        "(u8 - 128) / 128",
        POOLED,
        "torchmetrics from 1.8 on",
    ),
    "clean": Described(
        "bicubic with antialias to 299x299, clamped to 0..255, not rounded",
        "(u8 - 128) / 128",
        POOLED,
        "clean-fid",
    ),
    "legacy": Described(
        "bilinear without antialias, half-pixel centres, to 299x299",
        "2 (u8 / 255) - 1",
        POOLED,
        "pytorch-fid, clean-fid's legacy_pytorch",
    ),
}
# At 96 pixels a CPU passes 1.6 times the images a second of 128. Like the 224 pixels that the
# network's fixed padding was made for, 96 is a multiple of its stride of 32.
LITE0_SIDE = 96
DIGITS_SIDE = 16
DESCRIBED = INCEPTIONS | {
    "lite0": Described(
        f"bilinear with antialias to {LITE0_SIDE}x{LITE0_SIDE}",
        "(u8 - 127) / 128",
        "last convolution of EfficientNet-Lite0 averaged over positions, 1280",
    ),
    "digits": Described(
        f"mean of channels, bilinear with antialias to {DIGITS_SIDE}x{DIGITS_SIDE}",
        "u8 / 255",
        "last hidden layer of the packaged classifier, 64",
    ),
}
