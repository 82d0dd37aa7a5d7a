"""The headline table of the dcgan page: each fault alone, out of the post and into the fix."""

import json
from statistics import mean

HEAD = (
    "| fault | without it alone, as posted: gradient of G | change of G / D | symptom "
    "| with it alone, fixed: gradient of G | change of G / D | symptom |"
)


def dcgan_ablation(folder):
    """Return both directions of the ablation of the post's faults as one Markdown table."""
    left, added = (
        json.loads((folder / f"{kind}_dcgan.json").read_text(encoding="utf-8"))["rows"]
        for kind in ("leave_one_out", "add_one")
    )
    rows = [HEAD, "|" + "---|" * 7]
    for name, row in left.items():
        title = "none (the program itself)" if name == "none" else f"`{name}`"
        cells = [title, *outcome(row), *outcome(added[name])]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def outcome(row):
    """Return the gradient, the changes and the share of seeds with the symptom."""
    gradient, own, other = (
        mean(row[key]) for key in ("generator_gradient", "generator_change", "critic_change")
    )
    seen = f"{sum(row['symptom'])} of {len(row['symptom'])}"
    return [f"{gradient:.3g}", f"{own:.2g} / {other:.2g}", seen]
