"""The feature extractor and label head of the adaptation family. Images are float (N, C, H, W)."""

from collections.abc import Callable

from torch import Tensor, nn


class Classifier(nn.Module):
    """Images to features (N, features) by ``extract``, and to logits (N, classes) by ``forward``.

    Args:
        channels: of the images.
        features: length of a feature vector.
        classes: how many labels there are.
        norm: what the features pass through, called with their length.
    """

    def __init__(
        self, channels: int, features: int, classes: int, norm: Callable[[int], nn.Module]
    ) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, 32, 3, padding=1),
            nn.BatchNorm2d(32),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.AdaptiveMaxPool2d(3),  # of images of any size
            nn.Flatten(),
            nn.Linear(64 * 9, features),
            norm(features),
        )
        self.head = nn.Linear(features, classes)

    def extract(self, images: Tensor) -> Tensor:
        """Return features (N, features)."""
        return self.layers(images)

    def forward(self, images: Tensor) -> Tensor:
        return self.head(self.extract(images))
