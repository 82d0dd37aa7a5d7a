"""Networks that turn images into the features in which distances are measured."""

from pathlib import Path

from ganzoo.evaluation.extractors.base import Extractor
from ganzoo.evaluation.extractors.described import DESCRIBED
from ganzoo.names import known

__all__ = ["Extractor", "extractor"]

CHOICES = (*DESCRIBED, "inception")


def extractor(name: str, weights: str | Path | None = None) -> Extractor:
    """Return the named extractor with its weights, in evaluation mode, on the CPU.

    Nothing is downloaded, and the random state stays as it was.

    Args:
        name: ``lite0`` (EfficientNet-Lite0, its weights come as a package), ``digits`` (a small
            classifier of digits, shipped), or the 2015 TensorFlow Inception-v3, whose distances
            alone are called FID, with one of four resizes: ``inception_tf`` (or ``inception``),
            ``inception_torchmetrics``, ``clean``, ``legacy``; see ``described.py``.
        weights: a file of weights in place of the packaged ones; Inception needs one.

    Raises:
        ValueError: for an unknown name, or Inception without weights or with wrong ones.
        FileNotFoundError: where there is no such file.
        ModuleNotFoundError: where the extractor's packages are missing, with the line that installs
            them.
    """
    known(name, CHOICES, "extractor")
    # The networks' packages are optional, so each is imported only where it is asked for.
    if name == "lite0":
        from ganzoo.evaluation.extractors.lite0 import Lite0

        return Lite0(weights)
    if name == "digits":
        from ganzoo.evaluation.extractors.digits import Digits

        return Digits(weights)
    from ganzoo.evaluation.extractors.inception import Inception

    return Inception("inception_tf" if name == "inception" else name, weights)
