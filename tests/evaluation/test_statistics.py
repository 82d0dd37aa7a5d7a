"""Streamed statistics against those of all rows at once, and their memory."""

import pytest
import torch
from torch import Tensor

from ganzoo.evaluation import frechet_distance, statistics
from ganzoo.evaluation.statistics import BLOCKS, FeatureStatistics, dealt


def rows(n: int, d: int = 6, seed: int = 0) -> Tensor:
    noise = torch.Generator().manual_seed(seed)
    return torch.randn(n, d, generator=noise).relu() + 0.1 * seed


@pytest.fixture
def few_kept(monkeypatch):
    monkeypatch.setattr(statistics, "KEPT", 40)
    monkeypatch.setattr(statistics, "AT_ONCE", 20)


@pytest.mark.parametrize("n", [5, 40, 41, 97])
@pytest.mark.parametrize("batch", [1, 7, 64])
@pytest.mark.parametrize("blocks", [1, BLOCKS])
@pytest.mark.usefixtures("few_kept")
def test_streaming_equals_all_rows(n, batch, blocks):
    found = FeatureStatistics(6, blocks)
    for part in rows(n).split(batch):
        found.update(part)
    assert found.n == n
    assert torch.equal(found.rows, rows(n)[:40])
    other = FeatureStatistics.of(rows(50, seed=1)).gaussian()
    due = frechet_distance(rows(50, seed=1), rows(n))
    assert other.distance(found.gaussian()) == pytest.approx(due, rel=1e-9)


@pytest.mark.parametrize("n", [30, 97])
@pytest.mark.parametrize("first", [13, 41])
@pytest.mark.usefixtures("few_kept")
def test_a_row_has_its_block_whenever_sums_begin(n, first):
    found = FeatureStatistics(6)
    for part in (rows(n)[:first], rows(n)[first:]):
        found.update(part)
        found.gaussian()  # from now on there are sums
    chosen = [block for block in range(BLOCKS) if block != 3]
    due = rows(n)[[row for row in range(n) if int(dealt(n)[row]) != 3]]
    other = FeatureStatistics.of(rows(50, seed=1)).gaussian()
    assert other.distance(found.gaussian(chosen)) == pytest.approx(
        frechet_distance(rows(50, seed=1), due), rel=1e-9
    )


def test_every_ten_rows_are_dealt_to_ten_blocks_in_no_period():
    blocks = dealt(400).reshape(-1, BLOCKS)
    assert torch.equal(blocks.sort(1).values, torch.arange(BLOCKS).expand(40, -1))
    assert torch.equal(dealt(30, 17), dealt(47)[17:])
    for place in range(BLOCKS):  # rows of one place in their ten go to many blocks
        assert len(blocks[:, place].unique()) >= 8


def test_with_fewer_rows_than_features_a_block_is_left_out_of_the_rows():
    found = FeatureStatistics.of(rows(30, d=64))
    due = rows(30, d=64)[[row for row in range(30) if int(dealt(30)[row]) not in (0, 9)]]
    other = rows(80, d=64, seed=1)
    assert FeatureStatistics.of(other).gaussian().distance(
        found.gaussian(range(1, 9))
    ) == pytest.approx(frechet_distance(other, due), rel=1e-9)


@pytest.mark.usefixtures("few_kept")
def test_memory_does_not_grow_with_the_number_of_rows():
    def held(n):
        found = FeatureStatistics(6)
        for part in rows(n).split(10):
            found.update(part)
        return sum(
            value.numel() for value in vars(found).values() if isinstance(value, Tensor)
        ) + sum(map(Tensor.numel, found.waiting + found.parts))

    assert held(400) == held(60) == 40 * 6 + BLOCKS * (1 + 6 + 36)


@pytest.mark.parametrize("n", [5, 97])
@pytest.mark.usefixtures("few_kept")
def test_what_a_file_holds_gives_the_same_back(n):
    found = FeatureStatistics.of(rows(n), 1)
    again = FeatureStatistics.from_tensors(found.tensors(), 6)
    assert (again.n, again.complete) == (n, n <= 40)
    assert torch.equal(again.rows, found.rows)
    assert again.gaussian().distance(found.gaussian()) < 1e-12


@pytest.mark.parametrize("lost", ["n", "rows", "total", "products"])
@pytest.mark.usefixtures("few_kept")
def test_a_part_that_is_missing_is_refused(lost):
    tensors = FeatureStatistics.of(rows(97), 1).tensors()
    del tensors[lost]
    with pytest.raises(ValueError, match="no statistics of 6 features"):
        FeatureStatistics.from_tensors(tensors, 6)


def test_rows_that_are_not_numbers_are_named_by_place():
    found = FeatureStatistics.of(rows(8))
    bad = rows(4)
    bad[2, 1] = torch.inf
    with pytest.raises(ValueError, match="NaN or infinity in 1 of 4 rows from number 8 on"):
        found.update(bad)


def test_one_row_has_no_covariance():
    with pytest.raises(ValueError, match=r"1 image\(s\): a covariance needs at least 2"):
        FeatureStatistics.of(rows(1)).gaussian()
