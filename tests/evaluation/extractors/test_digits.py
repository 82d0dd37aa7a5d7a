"""The shipped digit classifier: what it knows, and how it is loaded."""

import pytest
import torch

from ganzoo.data.arrays import DigitImages
from ganzoo.evaluation import evaluate, extractor
from ganzoo.evaluation.extractors.digits import WEIGHTS


@pytest.fixture(name="digits")
def _digits(tmp_path):
    data = DigitImages((1, 8, 8), 1, cache_dir=tmp_path)
    data.setup()
    order = torch.randperm(1797, generator=torch.Generator().manual_seed(0))[:359]
    # the fifth that benchmarks/digit_classifier.py holds out
    return torch.from_numpy(data.images.copy())[order], torch.from_numpy(data.labels.copy())[order]


def test_it_knows_digits_that_it_was_not_trained_on(digits):
    images, labels = digits
    judge = extractor("digits")
    chances = judge.probabilities(judge(images))
    assert chances.sum(1).allclose(torch.ones(len(images)))
    assert (chances.argmax(1) == labels).float().mean() > 0.97
    assert WEIGHTS.stat().st_size < 500_000


def test_colour_and_size_change_little(digits):
    images, labels = digits
    large = images.repeat_interleave(4, 2).repeat_interleave(4, 3).repeat(1, 3, 1, 1)
    judge = extractor("digits")
    right = judge.probabilities(judge(large)).argmax(1) == labels
    assert right.float().mean() > 0.95


@pytest.mark.parametrize(("kept", "covered"), [(range(10), 10), (range(3), 3)])
def test_classes_covered_are_counted(digits, tmp_path, kept, covered):
    images, labels = digits
    shown = images[[int(label) in kept for label in labels]]
    samples = iter(shown.repeat(4, 1, 1, 1).split(1))
    scores = evaluate(
        lambda n: torch.cat([next(samples) for _ in range(n)]),
        images[:100],
        extractor("digits"),
        "raw",
        tmp_path,
        {"reals": "digits"},
    )
    found = {score.protocol: score.value for score in scores}
    assert found["classes_covered"] == covered
    assert found["confident"] > 0.6


def test_other_weights_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no weights at .*none: leave the path out"):
        extractor("digits", tmp_path / "none")
    (tmp_path / "wrong").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="does not hold the digit classifier"):
        extractor("digits", tmp_path / "wrong")
