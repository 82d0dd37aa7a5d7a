"""Extractors by name, and what all of them hold to."""

import pytest
import torch
from torch import Tensor

from ganzoo.evaluation import extractor


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "lite",
            "no extractor 'lite'. Did you mean 'lite0'\\? There are: inception_tf, ",
        ),
        ("Inception", "Did you mean 'inception'"),
        ("vgg", "no extractor 'vgg'. There are: inception_tf, "),
    ],
)
def test_an_unknown_name_gives_the_near_miss_and_the_choices(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        extractor(name)
    assert "\n" not in str(raised.value)


def test_an_extractor_never_trains(tiny) -> None:
    tiny.train()

    assert not any(module.training for module in tiny.modules())
    assert not any(parameter.requires_grad for parameter in tiny.parameters())


def test_the_fingerprint_depends_on_the_weights_and_the_preprocessing(tiny) -> None:
    kind = type(tiny)
    again, other = kind(), kind(seed=1)
    base = kind.__mro__[1]
    worded = base("tiny", tiny.network, 12, "mean over 4 by 4 cells, u8 / 256")

    assert again.fingerprint == tiny.fingerprint
    assert len(tiny.fingerprint) == 16
    assert len({tiny.fingerprint, other.fingerprint, worded.fingerprint}) == 3


def test_mixed_precision_around_it_changes_nothing(tiny) -> None:
    images = torch.randint(0, 256, (8, 3, 8, 8), dtype=torch.uint8)
    plain = tiny(images)
    with torch.autocast("cpu", torch.bfloat16):
        mixed = tiny(images)

    assert mixed.dtype == torch.float32
    assert torch.equal(mixed, plain)


def test_takes_grey_and_colour_and_nothing_else(tiny) -> None:
    grey = torch.randint(0, 256, (4, 1, 8, 8), dtype=torch.uint8)
    features: Tensor = tiny(grey)

    assert features.shape == (4, 12)
    assert torch.equal(features, tiny(grey.repeat(1, 3, 1, 1)))
    with pytest.raises(ValueError, match="2 channels where 1 or 3 are due"):
        tiny(grey.repeat(1, 2, 1, 1))
