"""Writes the tables of README.md and docs/evaluation.md from the result files.

python benchmarks/tables.py            rewrite them
python benchmarks/tables.py --check    exit 1 if they are not what the files say
"""

import json
import re
import sys
from pathlib import Path
from statistics import mean, stdev

from ablation_tables import dcgan_ablation
from evaluation_tables import PARTS

ROOT = Path(__file__).parents[1]
DCGAN = {
    "buggy_dcgan": "as posted",
    "buggy_dcgan_no_rounding": "as posted, without `rounded_fakes`",
    "advised_dcgan": "as advised",
    "fixed_dcgan": "fixed",
    "fixed_dcgan_12500": "fixed, longer",
    "fixed_dcgan_radford": "fixed, `topology=radford`",
}
WGAN = {
    "buggy_wgan": "as posted, faces",
    "tiny_wgan": "as posted, `experiment=tiny_wgan`",
    "advised_wgan": "as advised, faces",
    "fixed_wgan": "fixed, faces at 32x32",
    "fixed_wgan_digits": "fixed, `data=digits evaluation=digits`",
}


def score(results, protocol, label):
    """Return the value of a score, or None where the run has none."""
    for row in results["metrics"]:
        if row["name"].endswith(f"/{label}") and re.fullmatch(protocol, row["protocol"]):
            return row["value"]
    return None


def dcgan_table(folder):
    """Return the family's results as a Markdown table."""
    head = (
        "| program | generator steps (images) | training | largest gradient of G "
        "| largest change of a weight, G / D | symptom | distance, untrained = 1: raw / averaged "
        "| deviation of samples / reals | error of the mean image |"
    )
    rows = [head, "|" + "---|" * 9]
    for name, title in DCGAN.items():
        path = folder / f"{name}.json"
        if path.exists():
            rows.append(dcgan_row(title, json.loads(path.read_text(encoding="utf-8"))))
    return "\n".join(rows)


def dcgan_row(title, r):
    """Return one run as a row."""
    seen, best = r["seen"], "averaged"
    distance = r"fi?d\d\w+_(lite0|inception_\w+)"
    untrained = score(r, distance, "untrained")
    ratios = []
    for label in ("raw", "averaged"):
        value = score(r, distance, label)
        ratios.append("-" if value is None else f"{value / untrained:.2f}")
    if score(r, "deviation", best) is None:
        best = "raw"
    deviation, real = score(r, "deviation", best), score(r, "real_deviation", best)
    cells = [
        title,
        f"{r['generator_steps']} ({r['images_seen']})",
        f"{r['train_s'] / 60:.1f} min",
        f"{seen['generator']['largest_norm']:.3g}",
        f"{seen['generator']['change']:.2g} / {seen['critic']['change']:.2g}",
        "present" if r["symptom"]["present"] else "absent",
        " / ".join(ratios),
        f"{deviation:.3f} / {real:.3f}",
        f"{score(r, 'mean_image_error', best):.3f}",
    ]
    return "| " + " | ".join(cells) + " |"


def wgan_table(folder):
    """Return the results of the critic with a reversal on images as a Markdown table."""
    head = (
        "| program | generator steps | training | first losses | largest loss | symptom "
        "| distance, untrained = 1 | deviation of samples / reals | digits covered |"
    )
    rows = [head, "|" + "---|" * 9]
    for name, title in WGAN.items():
        path = folder / f"{name}.json"
        if path.exists():
            rows.append(wgan_row(title, json.loads(path.read_text(encoding="utf-8"))))
    return "\n".join(rows)


def wgan_row(title, r):
    """Return one run as a row."""
    evidence = r["symptom"]["evidence"]
    distance, untrained = (score(r, r"fd\d\w+_(lite0|digits)", k) for k in ("raw", "untrained"))
    deviation, covered = score(r, "deviation", "raw"), score(r, "classes_covered", "raw")
    real = score(r, "real_deviation", "raw")
    cells = [
        title,
        str(r["generator_steps"]),
        f"{r['train_s']:.0f} s",
        ", ".join(f"{loss:.2g}" for loss in evidence["first_losses"][:5]),
        f"{evidence['largest_loss']:.2g}",
        "present" if r["symptom"]["present"] else "absent",
        "-" if distance is None else f"{distance / untrained:.2f}",
        "-" if deviation is None else f"{deviation:.3f} / {real:.3f}",
        "-" if covered is None else f"{covered:.0f} of 10",
    ]
    return "| " + " | ".join(cells) + " |"


def adapt_table(path):
    """Return accuracies of adaptation over seeds as a Markdown table."""
    found = json.loads(path.read_text(encoding="utf-8"))
    head = (
        "| pair | program | target accuracy: source only | adapted | gain (95 % interval, paired) "
        "| gain of each seed | proxy A-distance: source only / adapted |"
    )
    rows = [head, "|" + "---|" * 7]
    for row in found["rows"]:
        low, high = row["gain_interval"]
        cells = [
            f"`{row['pair']}`",
            row["model"],
            f"{row['source_only']:.3f}",
            f"{row['adapted']:.3f}",
            f"{100 * row['gain']:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})",
            ", ".join(f"{100 * gain:+.1f}" for gain in row["gains"]),
            f"{row['distance_source_only']:.2f} / {row['distance_adapted']:.2f}",
        ]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def step_table(path):
    """Return the step benchmark as a sentence."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return (
        f"Step of `fixed_dcgan` at `quick` scale through Lightning, monitor and logging included, "
        f"against the same step in a bare loop: {found['ratio_cpu']:.3f} times its CPU time "
        f"({found['ratio_wall']:.3f} of wall time; medians of {found['turns']} paired turns of "
        f"{found['steps_a_turn']} steps on {found['threads']} threads)."
    )


def spread(values, form=".3g"):
    """Return mean and deviation over seeds, or "-" where something is not a number."""
    if any(value is None for value in values):
        return "-"
    return f"{mean(values):{form}} ± {stdev(values):.2g}"


MEASURES = (
    "| distance | digits covered | diversity | critic right | gradient of G |",
    ("distance", "classes", "diversity", "critic_accuracy", "generator_gradient"),
)


def pitfalls_table(path):
    """Return the pitfalls and the repaired programs, over seeds, as a Markdown table."""
    found = json.loads(path.read_text(encoding="utf-8"))
    heads, keys = MEASURES
    rows = [f"| what is run | generator steps | state, of 5 seeds {heads}", "|" + "---|" * 8]
    for title, row in found.items():
        names = sorted(set(row["state"]), key=lambda name: -row["state"].count(name))
        states = ", ".join(f"{name} {row['state'].count(name)}" for name in names)
        cells = [title, row["generator_steps"], states, *(spread(row[key]) for key in keys)]
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(rows)


def article_table(path):
    """Return the article's tables, measured anew over seeds, as one Markdown table."""
    found = json.loads(path.read_text(encoding="utf-8"))
    heads, keys = MEASURES
    rows = [f"| table | row {heads}", "|" + "---|" * 7]
    for table, entries in found.items():
        for title, row in sorted(entries.items(), key=lambda entry: mean(entry[1]["distance"])):
            cells = [table.replace("_", " "), title, *(spread(row[key]) for key in keys)]
            rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def penalty_sentence(path):
    """Return what the two penalties come to at equal generator steps."""
    found = json.loads(path.read_text(encoding="utf-8"))
    buggy, fixed = found["buggy_wgan_gp"], found["fixed_wgan_gp"]
    large = [found[f"{name}_wgan_gp, data=mnist5k"] for name in ("fixed", "buggy")]
    gaps = [b - f for b, f in zip(buggy["distance"], fixed["distance"], strict=True)]
    half = 2.776 * stdev(gaps) / len(gaps) ** 0.5  # Student's t, 4 degrees of freedom, 95 %
    return (
        f"After {fixed['generator_steps']} generator steps on digits the distance is "
        f"{spread(fixed['distance'])} with the paper's penalty and {spread(buggy['distance'])} "
        f"with the printed one ({len(gaps)} seeds; the difference is {mean(gaps):.2f}, with a 95 % "
        f"interval of {mean(gaps) - half:.2f} to {mean(gaps) + half:.2f}, paired); the critic's "
        f"slope for an image is {spread(fixed['slope'])} and {spread(buggy['slope'])}. On 28x28 "
        f"images (`data=mnist5k`, {large[0]['generator_steps']} steps) the slopes are "
        f"{spread(large[0]['slope'])} and {spread(large[1]['slope'])}, the distances "
        f"{spread(large[0]['distance'])} and {spread(large[1]['distance'])}."
    )


def claims_sentence(path):
    """Return how many claims there are, and their verdicts."""
    found = json.loads(path.read_text(encoding="utf-8"))
    rows = [row for row in found if row["family"] != "adapt"]  # whose claims are those of wgan
    verdicts = [row["verdict"] for row in rows]
    counted = ", ".join(
        f"{verdicts.count(v)} {v}"
        for v in ("true", "partly", "false", "not settled", "failed")
        if v in verdicts
    )
    return f"{len(rows)} claims of the posts and answers are judged so far: {counted}."


def distance_sentence(path):
    """Return how long other routes to the distance take."""
    found = json.loads(path.read_text(encoding="utf-8"))
    (many, full), (few, poor) = (
        (n, {name: row["ratio"] for name, row in rows.items()}) for n, rows in found["n"].items()
    )
    return (
        f"At {found['d']} features the routes of torchmetrics and torch-fidelity (`eigvals`) "
        f"and of pytorch-fid (`sqrtm`) take {full['eigvals']:.1f} and {full['sqrtm']:.1f} "
        f"times as long as ours for {many} samples, {poor['eigvals']:.0f} and "
        f"{poor['sqrtm']:.0f} times for {few} (one thread, `benchmarks/distance.py`)."
    )


def readme_parts():
    """Return the generated parts of README.md."""
    results, own = ROOT / "results", ROOT / "benchmarks"
    return {
        "dcgan": dcgan_table(results),
        "ablation": dcgan_ablation(results),
        "wgan": wgan_table(results),
        "adapt": adapt_table(results / "adapt.json"),
        "pitfalls": pitfalls_table(results / "pitfalls.json"),
        "article": article_table(results / "article.json"),
        "penalty": penalty_sentence(results / "pitfalls.json"),
        "claims": claims_sentence(ROOT / "docs" / "claims.json"),
        "distance": distance_sentence(own / "distance.json"),
        "step": step_table(own / "step.json"),
    }


def filled(name, text, parts):
    """Return a document with its marked parts made anew."""
    for part, content in parts.items():
        pattern = rf"(<!-- {part} -->\n).*?(<!-- /{part} -->)"
        text, count = re.subn(pattern, rf"\g<1>{content}\n\g<2>", text, flags=re.DOTALL)
        if count != 1:
            raise SystemExit(f"{name} has {count} parts called {part}, not one")
    return text


def main():
    evaluation = {part: make(ROOT / "benchmarks") for part, make in PARTS.items()}
    for name, parts in (("README.md", readme_parts()), ("docs/evaluation.md", evaluation)):
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        new = filled(name, text, parts)
        if "--check" not in sys.argv:
            path.write_text(new, encoding="utf-8")
        elif text != new:
            raise SystemExit(f"{name} is not what the result files say")


if __name__ == "__main__":
    main()
