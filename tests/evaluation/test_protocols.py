"""Every score of a set of samples against its definition."""

import re
from pathlib import Path

import pytest
import torch
from torch import Tensor

from ganzoo.evaluation import Score, evaluate, frechet_distance
from ganzoo.evaluation.feature_scores import warn_once
from ganzoo.evaluation.images import halved
from ganzoo.evaluation.kernel import kernel_distance
from ganzoo.evaluation.manifold import manifold

PAIRS = ("precision", "recall", "density", "coverage", "nearest", "copied", "repeated")


class Sampler:
    """Hands out the given images in order and remembers how many were asked for."""

    def __init__(self, images: Tensor) -> None:
        self.images = images
        self.asked: list[int] = []

    def __call__(self, n: int) -> Tensor:
        start = sum(self.asked)
        self.asked.append(n)
        return self.images[start : start + n]


def noise(n: int, seed: int, channels: int = 3) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, 256, (n, channels, 10, 9), generator=generator).to(torch.uint8)


def by_protocol(scores: list[Score]) -> dict[str, float]:
    return {score.protocol: score.value for score in scores}


@pytest.mark.parametrize("channels", [1, 3])
def test_every_score_equals_its_definition(tiny, tmp_path: Path, channels: int) -> None:
    reals, fakes = noise(600, 0, channels), noise(600, 1, channels) // 2
    sampler = Sampler(fakes)
    values = by_protocol(evaluate(sampler, reals, tiny, "raw", tmp_path, {"reals": "r"}))
    real, fake = reals.double() / 255, fakes.double() / 255

    assert sampler.asked == [250, 250, 100]
    assert list(values) == [
        "fd600_tiny",
        "fd600_tiny_half",
        "deviation",
        "real_deviation",
        "mean_image_error",
        "fd_limit600_tiny",
        "kd600_tiny",
        *(f"{word}600_tiny" for word in PAIRS),
    ]
    distance = kernel_distance(tiny(reals), tiny(fakes))
    assert values["kd600_tiny"] == pytest.approx(distance.value, rel=1e-4)
    lie = manifold(tiny(reals), tiny(fakes), 5).scores()
    assert tuple(lie) == PAIRS
    for word, (value, _) in lie.items():
        assert values[f"{word}600_tiny"] == pytest.approx(value, abs=2 / 600, rel=1e-4)
    assert values["fd600_tiny"] == pytest.approx(
        frechet_distance(tiny(reals), tiny(fakes)), rel=1e-5
    )
    assert values["fd600_tiny_half"] == pytest.approx(
        frechet_distance(tiny(halved(reals)), tiny(halved(fakes))), rel=1e-5
    )
    assert values["deviation"] == pytest.approx(fake.std(0, correction=0).mean().item())
    assert values["real_deviation"] == pytest.approx(real.std(0, correction=0).mean().item())
    error = (real.mean(0) - fake.mean(0)).square().mean().sqrt().item()
    assert values["mean_image_error"] == pytest.approx(error)


def test_every_score_of_features_has_an_interval_about_it(tiny, tmp_path: Path) -> None:
    reals, fakes = noise(200, 0), noise(200, 1) // 2
    scores = evaluate(Sampler(fakes), reals, tiny, "raw", tmp_path, {"reals": "r"})
    pixels = ("deviation", "real_deviation", "mean_image_error", "fd200_tiny_half")
    for score in scores:
        if score.protocol in pixels:
            assert score.interval is None
        else:
            low, high = score.interval
            assert low <= score.value <= high
            assert low < high or score.value in (0, 1)


def test_names_carry_protocol_and_label(tiny, tmp_path: Path) -> None:
    reals = noise(1000, 2)
    scores = evaluate(Sampler(reals), reals, tiny, "averaged", tmp_path, {"reals": "r"})

    assert scores[0].name == "fd1k_tiny/averaged"
    assert all(s.name == f"{s.protocol}/averaged" and s.n == 1000 for s in scores)
    assert scores[0].value == pytest.approx(0, abs=1e-9)
    tiny.name, tiny.is_inception = "clean", True
    named = evaluate(Sampler(reals), reals, tiny, "raw", tmp_path, {"reals": "r"})
    assert [s.name for s in named[:2]] == ["fid1k_clean/raw", "fid1k_clean_half/raw"]


def test_fingerprints_differ_where_scores_cannot_be_compared(tiny, tmp_path: Path) -> None:
    reals, fakes = noise(20, 3), noise(20, 4)
    base = evaluate(Sampler(fakes), reals, tiny, "raw", tmp_path, {"reals": "r"})
    same = evaluate(Sampler(reals), reals, tiny, "averaged", tmp_path, {"reals": "r"})
    other_reals = evaluate(Sampler(fakes), reals, tiny, "raw", tmp_path, {"reals": "s"})
    fewer = evaluate(Sampler(fakes), reals[:19], tiny, "raw", tmp_path, {"reals": "r"})
    other_tiny = evaluate(
        Sampler(fakes), reals, type(tiny)(seed=1), "raw", tmp_path, {"reals": "r"}
    )

    assert len({s.fingerprint for s in base}) == len(base) == 13
    assert [s.fingerprint for s in same] == [s.fingerprint for s in base]
    for others in (other_reals, fewer):
        assert not {s.fingerprint for s in others} & {s.fingerprint for s in base}
    changed = [a.fingerprint != b.fingerprint for a, b in zip(other_tiny, base, strict=True)]
    assert changed == [True, True, False, False, False, *[True] * 8]


def test_the_real_side_is_computed_once(tiny, tmp_path: Path) -> None:
    reals = noise(64, 5)
    first = evaluate(Sampler(noise(64, 6)), reals, tiny, "raw", tmp_path, {"reals": "r"})
    calls = tiny.calls
    second = evaluate(Sampler(noise(64, 6)), reals, tiny, "raw", tmp_path, {"reals": "r"})

    assert tiny.calls - calls == calls / 2
    assert first == second


def test_only_the_samples_draw_random_numbers(tiny, tmp_path: Path) -> None:
    def drawing(n: int) -> Tensor:
        return (torch.rand(n, 3, 10, 9) * 255).to(torch.uint8)

    torch.manual_seed(7)
    evaluate(drawing, noise(300, 8), tiny, "raw", tmp_path, {"reals": "r"})
    after = torch.rand(3)
    torch.manual_seed(7)
    drawing(250)
    drawing(50)

    assert torch.equal(after, torch.rand(3))


def test_runs_under_inference_mode_and_leaves_the_grad_mode(tiny, tmp_path: Path) -> None:
    def grad_mode(n: int) -> Tensor:
        assert not torch.is_grad_enabled()
        return noise(n, 9)

    reals = noise(30, 10)
    outside = evaluate(grad_mode, reals, tiny, "raw", tmp_path, {"reals": "r"})
    assert torch.is_grad_enabled()
    with torch.inference_mode():
        inside = evaluate(grad_mode, reals, tiny, "raw", tmp_path / "other", {"reals": "r"})

    assert inside == outside


@pytest.mark.parametrize(
    ("fakes", "message"),
    [
        (noise(29, 11), r"sample\(30\) gave images of shape \(29, 3, 10, 9\)"),
        (noise(30, 11)[..., 1:], "real images of their own size"),
        (noise(30, 11, channels=1), "real images of their own size"),
        (noise(30, 11) / 127.5 - 1, r"float images in \[-1, 1\] given where uint8 is due"),
    ],
)
def test_refuses_samples_that_cannot_be_compared(
    tiny, tmp_path: Path, fakes: Tensor, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(Sampler(fakes), noise(30, 12), tiny, "raw", tmp_path, {"reals": "r"})


@pytest.mark.parametrize("reals", [noise(1, 13), noise(9, 13)[..., :1]])
def test_refuses_too_few_or_too_small_real_images(tiny, tmp_path: Path, reals: Tensor) -> None:
    with pytest.raises(ValueError, match="give at least 2, of at least 2x2 pixels"):
        evaluate(Sampler(reals), reals, tiny, "raw", tmp_path, {"reals": "r"})


def test_few_samples_are_told_with_the_size_of_the_bias(tiny, tmp_path: Path, caplog) -> None:
    warn_once.cache_clear()
    reals = noise(12, 14)
    for label in ("raw", "averaged"):
        evaluate(Sampler(noise(12, 15)), reals, tiny, label, tmp_path, {"reals": "few"})
    halves = tiny(reals)
    floor = frechet_distance(halves[::2], halves[1::2])
    text = f"12 images for 12 features: .*two halves of the real images, 6 each, lie {floor:.3g} a"
    assert len(re.findall(text, caplog.text)) == 1
    caplog.clear()
    evaluate(Sampler(noise(13, 15)), noise(13, 14), tiny, "raw", tmp_path, {"reals": "more"})
    assert "features" not in caplog.text
