"""The article's pitfalls and tables over seeds: results/pitfalls.json, results/article.json.

    python benchmarks/article.py [pitfalls remedies activations optimisers staged_rate batch]

Each part is a Hydra multirun of the command line, in one process; without a name all of them run,
which takes about an hour of one core.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean, stdev
from typing import Any

RESULTS = Path(__file__).parents[1] / "results"
LARGE = ("data=mnist5k", "budget.generator_steps=150", "keep.score_every=null")
PITFALLS = {  # what is run, and the state that it is to be called
    "critic_wins": (["experiment=critic_wins"], "saturated"),
    "critic_wins, loss on logits": (
        ["experiment=critic_wins", "model.faults.sigmoid_bce=false"],
        "overpowered",
    ),
    "critic_wins, log(1 - D) on logits": (
        [
            "experiment=critic_wins",
            "model.faults.sigmoid_bce=false",
            "model.faults.saturating_generator_loss=true",
        ],
        "vanishing",
    ),
    "exploding": (["experiment=exploding"], "exploding"),
    "wrong_output_range": (["experiment=wrong_output_range"], "range_mismatch"),
    "adam_momentum": (["experiment=adam_momentum"], "collapse"),
    "adam_momentum, betas of 0.5": (
        ["experiment=adam_momentum", "model.faults.default_betas=false"],
        None,
    ),
    "curves_lie": (["experiment=curves_lie"], "collapse"),
    "curves_lie, 1500 steps": (["experiment=curves_lie", "budget.generator_steps=1500"], None),
    "fixed_mlp_gan": (["model=fixed_mlp_gan"], "healthy"),
    "fixed_wgan_gp": (["model=fixed_wgan_gp"], "healthy"),
    "buggy_wgan_gp": (["model=buggy_wgan_gp"], None),
    "fixed_wgan_gp, data=mnist5k": (["model=fixed_wgan_gp", *LARGE], None),
    "buggy_wgan_gp, data=mnist5k": (["model=buggy_wgan_gp", *LARGE], None),
}
TABLES = ("remedies", "activations", "optimisers", "staged_rate", "batch")
SEEDS = "seed=0,1,2,3,4"


def runs_of(arguments: list[str]) -> list[dict[str, Any]]:
    """Return the results of each run of a command, with the title of its row."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ganzoo", *arguments, f"runs={folder}", "logger=none"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found = []
        for path in sorted(Path(folder).rglob("results.json")):
            results = json.loads(path.read_text(encoding="utf-8"))
            text = (path.parent / "config.yaml").read_text(encoding="utf-8")
            row = next(line for line in text.splitlines() if line.startswith("row:"))
            found.append(results | {"row": row.removeprefix("row:").strip().strip("'\"")})
    return found


def summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the measures of some seeds of one program, each as a list over the seeds."""
    runs = sorted(runs, key=lambda run: run["seed"])
    scores = [{score["name"]: score["value"] for score in run["metrics"]} for run in runs]
    distance = next(name for name in scores[0] if name.startswith("fd1k") and "half" not in name)
    distance = f"{distance.partition('/')[0]}/raw"
    evidence = [run["state"]["evidence"] for run in runs]
    return {
        "seeds": [run["seed"] for run in runs],
        "generator_steps": runs[0]["generator_steps"],
        "train_s": [run["train_s"] for run in runs],
        "state": [run["state"]["name"] for run in runs],
        "distance": [one.get(distance) for one in scores],
        "classes": [one.get("classes_covered/raw") for one in scores],
        **{
            key: [one[key] for one in evidence]
            for key in (
                "critic_accuracy",
                "generator_gradient",
                "diversity",
                "generator_loss",
                "critic_loss",
            )
        },
        "slope": [run["symptom"]["evidence"].get("slope") for run in runs],
    }


def kept(path: Path, found: dict[str, Any]) -> None:
    """Put what was found into a file beside what is in it."""
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps(before | found, indent=1) + "\n", encoding="utf-8")


def main(wanted: list[str]) -> None:
    """Run the named parts, or all."""
    parts = wanted or ["pitfalls", *TABLES]
    for name, (arguments, due) in PITFALLS.items():
        if "pitfalls" in parts or name in parts:
            row = summary(runs_of(["-m", *arguments, SEEDS])) | {"due": due}
            kept(RESULTS / "pitfalls.json", {name: row})
            said = f"{mean(row['distance']):.3g} +- {stdev(row['distance']):.2g}"
            print(f"{name}: {row['state']}, distance {said}", flush=True)
    for table in TABLES:
        if table in parts:
            rows: dict[str, list[dict[str, Any]]] = {}
            for run in runs_of([f"experiment=article_{table}"]):
                rows.setdefault(run["row"], []).append(run)
            found = {title: summary(runs) for title, runs in rows.items()}
            kept(RESULTS / "article.json", {table: found})
            for title, row in found.items():
                print(f"{table} | {title}: {mean(row['distance']):.3g}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
