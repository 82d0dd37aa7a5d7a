"""The streaming metric against the distance of all features and torchmetrics."""

import pickle

import pytest
import torch
from torch import Tensor, nn

from ganzoo.evaluation import Extractor, FrechetDistance, frechet_distance


def noise(n: int, channels: int = 3, seed: int = 0, high: int = 256) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, high, (n, channels, 8, 8), generator=generator).to(torch.uint8)


def filled(extractor: Extractor, real: Tensor, fake: Tensor, batch: int) -> FrechetDistance:
    metric = FrechetDistance(extractor)
    for images in real.split(batch):
        metric.update(images, real=True)
    for images in fake.split(batch):
        metric.update(images, real=False)
    return metric


@pytest.mark.parametrize("n", [8, 60])
def test_streaming_equals_the_distance_of_all_features(tiny: Extractor, n: int) -> None:
    real, fake = noise(n, seed=1), noise(n + 3, seed=2, high=200)
    value = filled(tiny, real, fake, batch=7).compute()

    assert value.dtype == torch.float64
    # Of the same batches: float32 features of one image alone have another last digit.
    real_rows, fake_rows = (torch.cat([tiny(i) for i in s.split(7)]) for s in (real, fake))
    assert value.item() == pytest.approx(frechet_distance(real_rows, fake_rows), rel=1e-9)


def test_equals_torchmetrics(tiny: Extractor) -> None:
    fid = pytest.importorskip("torchmetrics.image.fid")

    class Plain(nn.Module):
        num_features = 12

        def forward(self, images: Tensor) -> Tensor:
            return tiny(images)

    real, fake = noise(60, seed=3), noise(60, seed=4, high=180)
    theirs = fid.FrechetInceptionDistance(feature=Plain()).set_dtype(torch.float64)
    theirs.update(real, real=True)
    theirs.update(fake, real=False)

    ours = filled(tiny, real, fake, batch=60).compute().item()
    assert ours == pytest.approx(theirs.compute().item(), rel=1e-6)


def test_grey_images_count_as_rgb(tiny: Extractor) -> None:
    real, fake = noise(20, 1, seed=5), noise(20, 1, seed=6, high=200)
    grey = filled(tiny, real, fake, batch=20).compute()
    colour = filled(tiny, real.expand(-1, 3, -1, -1), fake.repeat(1, 3, 1, 1), batch=20).compute()

    assert torch.equal(grey, colour)


def test_reset_forgets_both_sides(tiny: Extractor) -> None:
    metric = filled(tiny, noise(9), noise(9, seed=1), batch=9)
    metric.reset()
    metric.update(noise(20, seed=7), real=True)
    metric.update(noise(20, seed=8), real=False)

    fresh = filled(tiny, noise(20, seed=7), noise(20, seed=8), batch=20)
    assert torch.equal(metric.compute(), fresh.compute())


def test_survives_pickling(tiny: Extractor) -> None:
    metric = filled(tiny, noise(20, seed=9), noise(20, seed=10), batch=20)
    copied = pickle.loads(pickle.dumps(metric))  # noqa: S301
    for each in (metric, copied):
        each.update(noise(9, seed=11), real=False)

    assert torch.equal(copied.compute(), metric.compute())


def test_inference_mode_may_begin_and_end_between_updates(tiny: Extractor) -> None:
    real, fake = noise(20, seed=9), noise(20, seed=10)
    metric = filled(tiny, fake, real, batch=20)
    with torch.inference_mode():
        metric.reset()
        metric.update(real[:8], real=True)
    metric.update(real[8:], real=True)
    metric.update(fake, real=False)

    expected = filled(tiny, real, fake, batch=20).compute().item()
    assert metric.compute().item() == pytest.approx(expected, rel=1e-6)


def test_says_which_side_lacks_images(tiny: Extractor) -> None:
    metric = FrechetDistance(tiny)
    metric.update(noise(5), real=True)
    with pytest.raises(ValueError, match=r"generated side has 0 image\(s\): update it with"):
        metric.compute()

    metric = FrechetDistance(tiny)
    metric.update(noise(1), real=True)
    metric.update(noise(5), real=False)
    with pytest.raises(ValueError, match=r"real side has 1 image\(s\)"):
        metric.compute()


def test_refuses_float_images_with_the_remedy(tiny: Extractor) -> None:
    metric = FrechetDistance(tiny)
    with pytest.raises(ValueError, match=r"float images in \[-1, 1\] given where uint8 is due"):
        metric.update(torch.rand(2, 3, 8, 8) * 2 - 1, real=False)


def test_features_that_are_not_finite_are_named(tiny: Extractor) -> None:
    next(tiny.parameters()).data.fill_(torch.nan)
    with pytest.raises(ValueError, match="features of the real images hold NaN"):
        filled(tiny, noise(5), noise(5), batch=5).compute()


def test_the_default_extractor_is_lite0() -> None:
    pytest.importorskip("efficientnet_lite_pytorch")

    assert FrechetDistance().extractor.name == "lite0"


def test_samples_after_a_distance_need_a_reset(tiny: Extractor, caplog) -> None:
    metric = filled(tiny, noise(30, seed=1), noise(30, seed=2), batch=30)
    metric.compute()
    metric.update(noise(5, seed=3), real=True)  # more reals are no mistake
    assert "not reset" not in caplog.text
    metric.update(noise(30, seed=3), real=False)
    metric.update(noise(30, seed=4), real=False)
    assert caplog.text.count("was not reset after its last distance: the 30 generated") == 1
    caplog.clear()
    metric.reset()
    metric.update(noise(30, seed=3), real=False)
    assert "not reset" not in caplog.text


def test_the_real_side_can_outlive_a_reset(tiny: Extractor) -> None:
    metric = FrechetDistance(tiny, reset_real=False)
    metric.update(noise(30, seed=1), real=True)
    metric.update(noise(30, seed=2), real=False)
    metric.reset()
    metric.update(noise(30, seed=3, high=200), real=False)
    fresh = filled(tiny, noise(30, seed=1), noise(30, seed=3, high=200), batch=30)
    assert torch.equal(metric.compute(), fresh.compute())


def test_few_images_are_told_once(tiny: Extractor, caplog) -> None:
    metric = filled(tiny, noise(12, seed=1), noise(40, seed=2), batch=40)
    metric.compute()
    metric.compute()
    assert caplog.text.count("12 images for 12 features: a covariance is singular") == 1
    caplog.clear()
    filled(tiny, noise(13, seed=1), noise(40, seed=2), batch=40).compute()
    assert "features" not in caplog.text
