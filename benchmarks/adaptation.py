"""Adaptation over seeds: each program beside its source-only control; writes results/adapt.json.

    python benchmarks/adaptation.py [seeds]
    python benchmarks/adaptation.py choose    how the weight of the reversal was chosen

The choice reads no label of a target. For each weight and pair it trains with a seed that is not
among the five, and takes the weight whose classifier tells most about the target's unlabelled
images: the entropy of its mean prediction minus the mean entropy of its predictions, in nats, which
is large where single images are told with confidence and all classes are used (Bridle et al. 1991).
"""

import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import torch

import ganzoo
from ganzoo.adapt.examine import examine
from ganzoo.results import git_revision, versions, write_json
from ganzoo.trial import trial

RESULTS = Path(__file__).parents[1] / "results"
WEIGHTS = (0.125, 0.25, 0.5, 1.0)
UNSEEN_SEED = 100
CHOICE_STEPS = 600
STEPS = 400
CASES = (
    ("fixed_adapt", "digits_mnist5k", {}),
    ("fixed_adapt", "mnist5k_digits", {}),
    ("fixed_adapt", "digits_inverted", {}),
    ("advised_adapt", "digits_mnist5k", {"batch_size": 20}),
    ("advised_adapt", "mnist5k_digits", {"batch_size": 20}),
)
# two-sided 95 % points of Student's t by degrees of freedom
T95 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}


def one(model, pair, settings, seed):
    """Return the scores of one run by name."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    start, program = (ganzoo.build(model, **settings) for _ in range(2))
    program.load_state_dict(start.state_dict())
    data = ganzoo.datamodule(pair, program, seed=seed)
    data.setup()
    trial(program, STEPS, seed=seed, batches=data.stream(seed))
    return {score.name: score.value for score in examine(program, start, data)}


def information(program, images):
    """Return how much the predictions on unlabelled images tell, in nats."""
    with torch.no_grad():
        chances = program.generator.head(program.features_of(images)).softmax(1)
    mean = chances.mean(0)
    each = -(chances * chances.clamp_min(1e-12).log()).sum(1).mean()
    return float(-(mean * mean.clamp_min(1e-12).log()).sum() - each)


def choose():
    torch.set_num_threads(1)
    rows = []
    for weight in WEIGHTS:
        found = {}
        for pair in ("digits_mnist5k", "mnist5k_digits"):
            torch.manual_seed(UNSEEN_SEED)
            program = ganzoo.build("fixed_adapt", reversal_weight=weight)
            data = ganzoo.datamodule(pair, program, seed=UNSEEN_SEED)
            data.setup()
            trial(program, CHOICE_STEPS, seed=UNSEEN_SEED, batches=data.stream(UNSEEN_SEED))
            found[pair] = information(program, torch.from_numpy(data.training("target")))
        rows.append({"reversal_weight": weight, "information": found})
        print(weight, found, flush=True)
    best = max(rows, key=lambda row: sum(row["information"].values()))
    print("chosen:", best["reversal_weight"])
    about = {"versions": versions(), "steps": CHOICE_STEPS, "seed": UNSEEN_SEED}
    write_json(
        RESULTS / "adapt_choice.json", {**about, "rows": rows, "chosen": best["reversal_weight"]}
    )


def main(seeds=5):
    rows = []
    pool = ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    for model, pair, settings in CASES:
        begun = time.perf_counter()
        runs = list(pool.map(partial(one, model, pair, settings), range(seeds)))
        gains = [r["target_accuracy/adapted"] - r["target_accuracy/source_only"] for r in runs]
        half = T95[seeds - 1] * statistics.stdev(gains) / seeds**0.5
        gain = statistics.mean(gains)

        def mean(name, runs=runs):
            return statistics.mean(r[name] for r in runs)

        rows.append(
            {
                "model": model,
                "pair": pair,
                "settings": settings,
                "source_only": mean("target_accuracy/source_only"),
                "adapted": mean("target_accuracy/adapted"),
                "gain": gain,
                "gain_interval": [gain - half, gain + half],
                "gains": gains,
                "distance_source_only": mean("proxy_a_distance/source_only"),
                "distance_adapted": mean("proxy_a_distance/adapted"),
                "runs": runs,
                "seconds_a_run": (time.perf_counter() - begun) / seeds,
            }
        )
        print(
            f"{model} {pair}: {100 * gain:+.1f} points, interval half {100 * half:.1f}", flush=True
        )
    about = {"versions": versions(), "git_revision": git_revision(), "steps": STEPS}
    write_json(RESULTS / "adapt.json", {**about, "seeds": seeds, "rows": rows})


if __name__ == "__main__":
    choose() if sys.argv[1:] == ["choose"] else main(*map(int, sys.argv[1:]))
