"""The Fréchet distance at 2048 features against the routes of other packages, in one run.

    python benchmarks/distance.py [features]

Writes benchmarks/distance.json: seconds on one thread, and how many times longer the others take.
Every route gets what a streaming metric holds: both means and covariances where there are more
samples than features, else the features themselves. Ours keeps a root of the real side, which does
not change during a training. Medians of three turns, in which the routes follow each other.
"""

import json
import sys
import time
import warnings
from pathlib import Path
from statistics import median

import numpy as np
import torch
from scipy import linalg
from torchmetrics.image.fid import _compute_fid

from ganzoo.evaluation.distances import Gaussian


def timed(work):
    """Return what a function gives, and the seconds it took."""
    began = time.perf_counter()
    found = work()
    return float(found), time.perf_counter() - began


def by_eigenvalues(means, covariances):
    """Return the distance as torchmetrics and torch-fidelity compute it."""
    return _compute_fid(means[0], covariances[0], means[1], covariances[1])


def by_matrix_root(means, covariances):
    """Return the distance as pytorch-fid computes it."""
    first, second = (covariance.numpy() for covariance in covariances)
    root = linalg.sqrtm(first @ second)
    apart = (means[0] - means[1]).square().sum().item()
    return apart + np.trace(first) + np.trace(second) - 2 * np.trace(root.real)


def by_ganzoo(real, fake, products):
    """Return the distance as ganzoo computes it, from sums where they are enough."""
    n, d = fake.shape
    other = Gaussian.from_features(fake) if n <= d else Gaussian.from_sums(n, *products)
    return real.distance(other)


def features(n, d, seed):
    """Return features (n, d), float64, of a falling spectrum, like those of a network."""
    noise = torch.Generator().manual_seed(seed)
    scales = torch.arange(1, d + 1, dtype=torch.float64) ** -0.5
    mix = torch.linalg.qr(torch.randn(d, d, dtype=torch.float64, generator=noise)).Q
    return torch.randn(n, d, dtype=torch.float64, generator=noise) * scales @ mix + 0.1 * seed


def turn(real, fake):
    """Return value and seconds of each route, one after the other."""
    ready = Gaussian.from_features(real)
    assert ready.root is not None  # made once for the real side
    means = real.mean(0), fake.mean(0)
    covariances = real.T.cov(), fake.T.cov()
    products = fake.sum(0), fake.T @ fake
    return {
        "ganzoo": timed(lambda: by_ganzoo(ready, fake, products)),
        "eigvals": timed(lambda: by_eigenvalues(means, covariances)),
        "sqrtm": timed(lambda: by_matrix_root(means, covariances)),
    }


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # the roots of rank-deficient matrices warn
    d = int(sys.argv[1]) if len(sys.argv) > 1 else 2048
    rows = {}
    for n in (2 * d, d // 8):
        real, fake = features(n, d, 0), features(n, d, 1)
        turn(real[: d // 8], fake[: d // 8])  # the first call of a routine is slow
        turns = [turn(real, fake) for _ in range(3)]
        seconds = {name: median(t[name][1] for t in turns) for name in turns[0]}
        rows[str(n)] = {
            name: {
                "value": turns[0][name][0],
                "seconds": seconds[name],
                "ratio": seconds[name] / seconds["ganzoo"],
            }
            for name in seconds
        }
        print(n, rows[str(n)], flush=True)
    out = Path(__file__).with_suffix(".json")
    out.write_text(json.dumps({"d": d, "threads": 1, "n": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
