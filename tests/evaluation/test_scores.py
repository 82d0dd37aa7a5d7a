"""Scores as JSON, and their fingerprints."""

import json

import pytest

from ganzoo.evaluation import Score
from ganzoo.evaluation.scores import count_word, fingerprint


@pytest.mark.parametrize(
    ("n", "word"),
    [(500, "500"), (1000, "1k"), (1500, "1500"), (10_000, "10k"), (50_000, "50k"), (0, "0")],
)
def test_counts_read_as_in_papers(n: int, word: str) -> None:
    assert count_word(n) == word


@pytest.mark.parametrize("interval", [None, (1.0, 2.5)])
def test_a_score_survives_json(interval: tuple[float, float] | None) -> None:
    score = Score("fd1k_lite0/raw", 1.5, interval, 1000, "fd1k_lite0", "ab", {"n": 1000})
    read = json.loads(json.dumps(score.as_dict()))
    if read["interval"] is not None:
        read["interval"] = tuple(read["interval"])

    assert Score(**read) == score


def test_a_fingerprint_depends_on_each_field_and_not_on_their_order() -> None:
    first = fingerprint(a="x", n=1)

    assert first == fingerprint(n=1, a="x")
    assert len({first, fingerprint(a="y", n=1), fingerprint(a="x", n=2), fingerprint(a="x")}) == 4
