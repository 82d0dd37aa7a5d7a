"""Adaptation over seeds: each program beside its source-only control; writes results/adapt.json.

    python benchmarks/adaptation.py [seeds]
"""

import statistics
import sys
import time
from pathlib import Path

import torch

import ganzoo
from ganzoo.adapt.examine import examine
from ganzoo.results import git_revision, versions, write_json
from ganzoo.trial import trial

OUT = Path(__file__).parents[1] / "results" / "adapt.json"
STEPS = 600
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
    torch.manual_seed(seed)
    start, program = (ganzoo.build(model, **settings) for _ in range(2))
    program.load_state_dict(start.state_dict())
    data = ganzoo.datamodule(pair, program, seed=seed)
    data.setup()
    trial(program, STEPS, seed=seed, batches=data.stream(seed))
    return {score.name: score.value for score in examine(program, start, data)}


def main(seeds=5):
    torch.set_num_threads(1)
    rows = []
    for model, pair, settings in CASES:
        begun = time.perf_counter()
        runs = [one(model, pair, settings, seed) for seed in range(seeds)]
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
        print(f"{model} {pair}: {100 * gain:+.1f} points, interval half {100 * half:.1f}")
    about = {"versions": versions(), "git_revision": git_revision(), "steps": STEPS}
    write_json(OUT, {**about, "seeds": seeds, "rows": rows})


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
