"""Scores during training: the curve, the five best, and what is scored anew."""

import csv
import json
import logging
from pathlib import Path

import pytest
import torch

import ganzoo.scorer
from ganzoo.best import FRESH, KEPT, SEED, KeepBest
from ganzoo.data.arrays import DigitImages
from ganzoo.evaluation import extractor, frechet_distance
from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.run import Run
from ganzoo.scorer import Scorer
from ganzoo.trial import seeded_program
from ganzoo.weights import load_weights
from tests.conftest import configured, fit

SMALL = ("model=fixed_mlp_gan", "evaluation=digits", "evaluation.n=64", "keep.score_every=1")


def small() -> FixedMLPGAN:
    return seeded_program(FixedMLPGAN, 0, width=16, latent=4, batch_size=8)


def scorer(folder: Path, n: int) -> Scorer:
    """Return what scores digits in the digit classifier's features."""
    data = DigitImages((1, 8, 8), 8, cache_dir=folder / "cache")
    data.setup()
    return Scorer(extractor("digits"), data, n)


def falling(scores: list[float]):
    """Return a scorer that gives these scores in turn, and the seeds that it was asked for."""
    seeds = []

    def score(_program, seed):
        seeds.append(seed)
        return [scores[len(seeds) - 1]]

    return score, seeds


def test_the_five_best_of_more_are_kept(tmp_path):
    score, seeds = falling([9.0, 3.0, 8.0, 1.0, 7.0, 2.0, 6.0, 5.0])
    best = KeepBest(tmp_path, 2, score)
    fit(small(), best, generator_steps=16)
    assert best.curve == [[2, 9], [4, 3], [6, 8], [8, 1], [10, 7], [12, 2], [14, 6], [16, 5]]
    assert best.kept == [[8, 1], [12, 2], [4, 3], [16, 5], [14, 6]]
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"best_{step:06d}.ckpt" for step in (4, 8, 12, 14, 16)]
    assert len(names) == KEPT
    assert set(seeds) == {SEED}


def test_the_kept_are_scored_anew_and_ranked_by_that(tmp_path):
    score, seeds = falling([1.0, 2.0, 30.0, 20.0])
    best = KeepBest(tmp_path, 1, score)
    fit(small(), best, generator_steps=2)
    found = best.rescored(lambda path: load_weights(small(), path))
    assert [(f["generator_steps"], f["chosen_by"], f["rescored"]) for f in found] == [
        (2, 2.0, 20.0),
        (1, 1.0, 30.0),
    ]
    assert seeds == [SEED, SEED, FRESH, FRESH]


def test_without_every_nothing_is_scored(tmp_path):
    score, seeds = falling([])
    fit(small(), KeepBest(tmp_path, None, score), generator_steps=2)
    assert seeds == []
    assert not list(tmp_path.iterdir())


def test_scores_leave_the_training_as_it_is(tmp_path):
    scored, plain = small(), small()
    best = KeepBest(tmp_path, 1, scorer(tmp_path, 40).distances)
    fit(scored, best, generator_steps=3)
    fit(plain, generator_steps=3)
    assert len(best.curve) == 3
    for one, other in zip(scored.state_dict().values(), plain.state_dict().values(), strict=True):
        assert torch.equal(one, other)


def test_a_distance_is_of_its_seed(tmp_path):
    scores, program = scorer(tmp_path, 300), small()
    first, again, other = (scores.distance(program, seed, False) for seed in (0, 0, 1))
    assert first == again != other


def run(folder: Path, *overrides: str) -> dict:
    Run(configured(*SMALL, *overrides), folder)()
    return json.loads((folder / "results.json").read_text())


def test_a_run_tells_the_curve_and_the_best(tmp_path):
    results = run(tmp_path, "budget.generator_steps=3", "keep.rows_every=1")
    assert [step for step, _ in results["curve"]] == [1, 2, 3]
    assert len(results["best"]) == 3
    for entry in results["best"]:
        assert entry["chosen_by"] in [distance for _, distance in results["curve"]]
        assert entry["rescored"] != entry["chosen_by"]
        assert (tmp_path / "checkpoints" / entry["file"]).is_file()
    assert results["state"]["name"] == "untrained"
    with (tmp_path / "metrics.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["distance"]]
    assert [[int(row["step"]), float(row["distance"])] for row in rows] == results["curve"]
    # the curve's point is that of its checkpoint
    done = Run(configured(*SMALL), tmp_path / "other")
    step, distance = results["curve"][1]
    path = tmp_path / "checkpoints" / f"best_{int(step):06d}.ckpt"
    assert done.scorer is not None
    assert done.scorer.distances(load_weights(done.start, path), SEED) == [distance]


def test_a_kept_checkpoint_can_be_evaluated(tmp_path):
    run(tmp_path / "first", "budget.generator_steps=1")
    path = tmp_path / "first" / "checkpoints" / "best_000001.ckpt"
    results = run(tmp_path / "second", "train=false", f"checkpoint={path}")
    assert results["generator_steps"] == 1
    assert results["best"] == results["curve"] == []
    assert results["state"] is None


def test_a_resumed_run_goes_on_with_its_best(tmp_path):
    run(tmp_path, "budget.generator_steps=2")
    results = run(tmp_path, "budget.generator_steps=4", f"resume={tmp_path}")
    assert [step for step, _ in results["curve"]] == [1, 2, 3, 4]
    assert len(results["best"]) == 4


def test_without_an_evaluation_there_is_nothing_to_score(tmp_path):
    results = run(tmp_path, "budget.generator_steps=2", "evaluation=none")
    assert results["curve"] == []


def test_a_wrong_interval_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"keep.score_every takes a whole number from 1 on, not 0"):
        Run(configured(*SMALL, "keep.score_every=0"), tmp_path)
    with pytest.raises(ValueError, match=r"keep.rows_every takes a whole number from 1 on"):
        Run(configured(*SMALL, "keep.rows_every=null"), tmp_path)


def test_a_checkpoint_is_whole_before_it_has_its_name(tmp_path, monkeypatch):
    score, _ = falling([1.0])
    written = []
    save = torch.save

    def noted(content, file, *args, **kwargs):
        written.extend(path.name for path in tmp_path.glob("best_*"))
        save(content, file, *args, **kwargs)
        written.extend(path.name for path in tmp_path.glob("best_*"))

    monkeypatch.setattr(torch, "save", noted)
    fit(small(), KeepBest(tmp_path, 1, score), generator_steps=1)
    assert written == []
    assert [path.name for path in tmp_path.iterdir()] == ["best_000001.ckpt"]


def test_the_extra_steps_of_a_critic_are_not_scored_again(tmp_path):
    wgan = ("model=fixed_wgan", "data=digits", "evaluation=digits", "evaluation.n=64")
    config = configured(*wgan, "keep.score_every=1", "budget.generator_steps=3")
    done = Run(config, tmp_path)
    results = done()
    assert done.program.batches_seen > 3
    assert [step for step, _ in results["curve"]] == [1, 2, 3]


def test_a_point_is_of_the_averaged_generator_and_of_the_raw_one(tmp_path):
    config = configured(
        "model=fixed_dcgan", "evaluation=lite0", "evaluation.n=8", "keep.score_every=1"
    )
    done = Run(config, tmp_path)
    with torch.no_grad():
        for parameter in done.program.generator.parameters():
            parameter.mul_(2)  # so that the averaged copy is another generator
    assert done.scorer is not None
    network, reals = done.scorer.extractor, done.data.reals(8)
    averaged, raw = (
        frechet_distance(network(reals), network(done.program.sample(8, SEED, kind)))
        for kind in (True, False)
    )
    assert raw != pytest.approx(averaged, rel=1e-2)
    found = done.scorer.distances(done.program, SEED)
    assert found == pytest.approx([averaged, raw], rel=1e-4)
    best = KeepBest(tmp_path / "kept", 1, lambda *_: [2.0, 3.0])
    fit(done.program, best, generator_steps=1)
    assert (best.curve, best.kept) == ([[1, 2.0, 3.0]], [[1, 2.0]])


def test_real_features_are_asked_for_once(tmp_path, monkeypatch):
    asked = []
    real_statistics = ganzoo.scorer.real_statistics

    def counted(*args):
        asked.append(args[1].n)
        return real_statistics(*args)

    monkeypatch.setattr(ganzoo.scorer, "real_statistics", counted)
    run(tmp_path, "budget.generator_steps=3")
    assert asked == [64]


def test_distances_of_two_evaluations_are_not_one_curve(tmp_path, caplog):
    run(tmp_path, "budget.generator_steps=2")
    with caplog.at_level(logging.WARNING, logger="ganzoo"):
        results = run(tmp_path, "budget.generator_steps=4", "evaluation.n=32", f"resume={tmp_path}")
    assert [step for step, _ in results["curve"]] == [3, 4]
    assert sorted(entry["generator_steps"] for entry in results["best"]) == [3, 4]
    assert "of another evaluation" in caplog.text


def test_a_score_that_fails_is_a_result(tmp_path):
    done = Run(configured(*SMALL, "budget.generator_steps=3"), tmp_path)
    assert done.scorer is not None
    distances, calls = done.scorer.distances, []

    def score(program, seed):
        calls.append(seed)
        if len(calls) > 1:
            raise ValueError("features hold NaN")
        return distances(program, seed)

    done.best.score = score
    results = done()
    assert (results["status"], results["error"]) == ("crashed", "ValueError: features hold NaN")
    assert [step for step, _ in results["curve"]] == [1]
    assert results["best"] == []
    assert (tmp_path / "results.json").is_file()
