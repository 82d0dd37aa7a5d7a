"""The drawn faces."""

import hashlib

import numpy as np
import pytest
import torch

from ganzoo.data import draw_faces
from ganzoo.data.face_factors import HAIR_STYLES, SHARES, UNIFORM, draw_factors
from ganzoo.data.face_painter import Scene
from ganzoo.data.faces import paint_faces

SIZES = [(218, 178), (66, 58), (64, 64), (8, 8), (9, 31)]


@pytest.mark.parametrize("size", SIZES)
def test_face_is_the_same_whatever_the_count(size):
    few, few_factors = draw_faces(3, size, seed=5)
    many, many_factors = draw_faces(40, size, seed=5)
    assert torch.equal(few, many[:3])
    assert all(torch.equal(few_factors[name], many_factors[name][:3]) for name in few_factors)


def test_face_is_the_same_person_at_every_size():
    large, factors = draw_faces(60, (132, 116))
    small, same_factors = draw_faces(60, (66, 58))
    assert all(torch.equal(factors[name], same_factors[name]) for name in factors)
    halved = torch.nn.functional.avg_pool2d(large.float(), 2)
    own = (halved - small.float()).abs().mean((1, 2, 3))
    other = (halved - small.roll(1, 0).float()).abs().mean((1, 2, 3))
    assert own.max() < 4
    assert other.min() > 5 * own.max()


def test_tiny_faces_are_averages_of_larger_ones():
    small, _ = draw_faces(20, (8, 8))
    large, _ = draw_faces(20, (64, 64))
    averaged = torch.nn.functional.avg_pool2d(large.float(), 8)
    assert (small.float() - averaged).abs().mean() < 2


def test_pixels_are_the_recorded_ones():
    images = b"".join(draw_faces(24, size, seed=1)[0].numpy().tobytes() for size in SIZES)
    assert hashlib.sha256(images).hexdigest()[:16] == "07919a32057d72da"


def test_seeds_give_other_faces():
    assert not torch.equal(draw_faces(4, (16, 16), seed=0)[0], draw_faces(4, (16, 16), seed=1)[0])


def test_windows_hide_nothing(monkeypatch):
    images, factors = draw_faces(300, (44, 36))
    # the poses at the edge of what is possible are in the sample, or nearly
    assert factors["rotation"].abs().max() > 0.97 * max(UNIFORM["rotation"])
    monkeypatch.setattr(Scene, "window", lambda scene, *_: scene)
    assert torch.equal(images, draw_faces(300, (44, 36))[0])


def test_factors_are_within_bounds_and_shares():
    factors = draw_factors(4000)
    for name, (low, high) in UNIFORM.items():
        assert factors[name].dtype == np.float32
        assert np.float32(low) <= factors[name].min() <= factors[name].max() <= np.float32(high)
    for name, shares in SHARES.items():
        assert factors[name].dtype == np.int64
        if name != "beard":  # which goes with some hair styles only
            found = np.bincount(factors[name]) / 4000
            assert found == pytest.approx(np.array(shares), abs=0.03)
    assert len(SHARES["hair_style"]) == len(HAIR_STYLES)
    assert factors["hair_style"][factors["beard"] > 0].max() == HAIR_STYLES.index("parted")


def test_faces_vary_as_photographs_do():
    images, _ = draw_faces(400, (66, 58))
    deviation = (images.float() / 255).std(0).mean()
    assert 0.19 < deviation < 0.23  # CelebA's own is in this range


@pytest.mark.parametrize(
    ("factor", "values", "rows", "columns"),
    [
        ("glasses", (0, 1), (18, 44), (0, 58)),
        ("mouth_open", (0, 1), (36, 58), (8, 50)),
        ("beard", (0, 2), (28, 66), (0, 58)),
        ("gaze_x", (-1, 1), (16, 44), (6, 52)),
        ("clothes_value", (0.1, 0.9), (38, 66), (0, 58)),
    ],
)
def test_factor_shows_where_it_belongs_and_nowhere_else(factor, values, rows, columns):
    factors = draw_factors(100)
    one, other = (
        paint_faces({**factors, factor: np.full_like(factors[factor], value)}, (66, 58))
        for value in values
    )
    change = np.abs(one.astype(int) - other).max(1)
    within = np.zeros((66, 58), bool)
    within[slice(*rows), slice(*columns)] = True
    assert change[:, ~within].max() == 0
    assert change.max((1, 2)).min() > 10, "on every face"


def test_impossible_sizes_are_refused():
    with pytest.raises(ValueError, match=r"cannot draw 3 faces of 0x5 pixels"):
        draw_faces(3, (0, 5))
    assert draw_faces(0, (8, 8))[0].shape == (0, 3, 8, 8)
