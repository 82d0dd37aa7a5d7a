"""The distance against closed forms, an SVD reference and torch-fidelity."""

import numpy as np
import pytest
import torch
from torch import Tensor

from ganzoo.evaluation import frechet_distance
from ganzoo.evaluation.distances import Gaussian


def sample(n: int, d: int, seed: int, scale: float = 1.0) -> Tensor:
    """Return features (n, d) of a network's kind: correlated, through ReLU, float64."""
    generator = torch.Generator().manual_seed(seed)
    mixing = torch.randn(d, d, generator=generator, dtype=torch.float64) / d**0.5
    rows = torch.randn(n, d, generator=generator, dtype=torch.float64)
    return scale * torch.relu(rows @ mixing + 0.3)


def whitened(n: int, d: int, seed: int) -> Tensor:
    """Return rows (n, d) with mean exactly zero and covariance exactly one, up to rounding."""
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randn(n, d, generator=generator, dtype=torch.float64)
    rows = rows - rows.mean(0)
    q, _ = torch.linalg.qr(rows)
    return q * (n - 1) ** 0.5


def reference(a: Tensor, b: Tensor) -> float:
    """Return the distance through numpy: roots of both sides from the SVD of the centred rows."""
    first, second = a.double().numpy(), b.double().numpy()
    roots = []
    for rows in (first, second):
        _, s, v = np.linalg.svd((rows - rows.mean(0)) / np.sqrt(len(rows) - 1), full_matrices=False)
        roots.append(v.T * s @ v)
    means = np.sum((first.mean(0) - second.mean(0)) ** 2)
    spread = sum(np.sum(root**2) for root in roots)
    return float(means + spread - 2 * np.linalg.norm(roots[0] @ roots[1], "nuc"))


@pytest.mark.parametrize(("n", "m"), [(90, 70), (30, 20), (41, 40), (40, 40), (15, 90), (90, 15)])
def test_equals_the_svd_reference_on_either_side_of_full_rank(n: int, m: int) -> None:
    a, b = sample(n, 40, seed=1), sample(m, 40, seed=2, scale=1.3)

    assert frechet_distance(a, b) == pytest.approx(reference(a, b), rel=1e-10)


@pytest.mark.parametrize("n", [50, 400])
def test_equals_the_closed_form_of_diagonal_gaussians(n: int) -> None:
    d = 48
    deviations = (
        torch.linspace(0.1, 3, d, dtype=torch.float64),
        torch.linspace(2, 0.5, d, dtype=torch.float64),
    )
    means = torch.linspace(-1, 1, d, dtype=torch.float64), torch.ones(d, dtype=torch.float64)
    a = whitened(n, d, seed=3) * deviations[0] + means[0]
    b = whitened(n, d, seed=3) * deviations[1] + means[1]
    closed = (means[0] - means[1]).square().sum() + (deviations[0] - deviations[1]).square().sum()

    assert frechet_distance(a, b) == pytest.approx(closed.item(), rel=1e-9)


@pytest.mark.parametrize("n", [20, 200])
def test_a_shift_costs_its_squared_length(n: int) -> None:
    a = sample(n, 30, seed=4)

    assert frechet_distance(a, a + 2) == pytest.approx(30 * 4, rel=1e-9)


def test_equals_torch_fidelity() -> None:
    fid = pytest.importorskip("torch_fidelity.metric_fid")
    a, b = sample(300, 64, seed=5), sample(260, 64, seed=6)
    theirs = fid.fid_statistics_to_metric(
        fid.fid_features_to_statistics(a), fid.fid_features_to_statistics(b), verbose=False
    )

    assert frechet_distance(a, b) == pytest.approx(theirs[fid.KEY_METRIC_FID], rel=1e-9)


@pytest.mark.parametrize("n", [25, 200])
def test_is_symmetric_and_zero_only_against_itself(n: int) -> None:
    a, b = sample(n, 40, seed=7), sample(n, 40, seed=8)

    assert frechet_distance(a, b) == pytest.approx(frechet_distance(b, a), rel=1e-9)
    assert 0 <= frechet_distance(a, a) < 1e-9
    assert 0 <= frechet_distance(a, a.flip(0)) < 1e-9


@pytest.mark.parametrize("collapsed", ["constant", "copies", "dead", "both constant"])
def test_singular_features_stay_exact(collapsed: str) -> None:
    a, b = sample(200, 40, seed=9), sample(200, 40, seed=10)
    if collapsed == "copies":
        b = b[:5].repeat(40, 1)
    elif collapsed == "dead":
        a[:, ::3], b[:, ::4] = 0, 0
    else:
        b = torch.full_like(b, 0.7)
        a = torch.full_like(a, 0.2) if collapsed == "both constant" else a

    assert frechet_distance(a, b) == pytest.approx(reference(a, b), rel=1e-7)


@pytest.mark.parametrize("n", [10, 100])
@pytest.mark.parametrize("scale", [1e-200, 1e-30, 1e30, 1e120])
def test_large_and_small_features_scale_as_squares(n: int, scale: float) -> None:
    a, b = sample(n, 20, seed=11), sample(n, 20, seed=12)

    assert frechet_distance(a * scale, b * scale) == pytest.approx(
        frechet_distance(a, b) * scale * scale, rel=1e-9
    )


@pytest.mark.parametrize("n", [10, 100])
def test_features_that_are_all_zero_are_at_no_distance(n: int) -> None:
    assert frechet_distance(torch.zeros(n, 20), torch.zeros(n, 20)) == 0


def test_takes_half_and_single_precision_into_double() -> None:
    a, b = sample(100, 20, seed=13), sample(100, 20, seed=14)
    for dtype in (torch.float16, torch.float32):
        first, second = a.to(dtype), b.to(dtype)

        assert frechet_distance(first, second) == pytest.approx(reference(first, second), rel=1e-10)


@pytest.mark.parametrize("n", [300, 40])
def test_sums_give_the_distance_of_the_rows(n: int) -> None:
    a, b = sample(n, 64, seed=15), sample(n, 64, seed=16)
    streamed = [Gaussian.from_sums(n, rows.sum(0), rows.T @ rows) for rows in (a, b)]

    assert streamed[0].distance(streamed[1]) == pytest.approx(reference(a, b), rel=1e-9)


def test_drawing_rows_again_moves_the_distance_by_far_more_than_its_spread() -> None:
    a, b = sample(80, 200, seed=17), sample(80, 200, seed=18)
    generator = torch.Generator().manual_seed(19)
    drawn = torch.tensor(
        [frechet_distance(a, b[torch.randint(80, (80,), generator=generator)]) for _ in range(8)]
    )

    assert drawn.mean() - frechet_distance(a, b) > 5 * drawn.std()


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (torch.zeros(5, 3), torch.zeros(5, 4), "have 3 and 4 columns: take both from one"),
        (torch.zeros(5), torch.zeros(5, 3), r"shape \(5,\): give one row per image"),
        (torch.zeros(5, 3), torch.zeros(1, 3), r"second features have 1 row\(s\)"),
        (torch.zeros(5, 3), torch.zeros(0, 3), r"have 0 row\(s\)"),
        (torch.zeros(5, 0), torch.zeros(5, 0), "give one row per image"),
        (torch.full((5, 3), torch.nan), torch.zeros(5, 3), "NaN or infinity in 5 of 5 rows"),
        (torch.zeros(5, 3), torch.tensor([[torch.inf] * 3, [0.0] * 3]), "in 1 of 2 rows"),
    ],
)
def test_refuses_what_has_no_distance(a: Tensor, b: Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        frechet_distance(a, b)
