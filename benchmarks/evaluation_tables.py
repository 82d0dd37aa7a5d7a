"""The generated parts of docs/evaluation.md: protocols, equality, speed and memory."""

import json

from ganzoo.evaluation.extractors.described import DESCRIBED

NAMES = {
    "inception_tf": "`fid50k_inception_tf`",
    "inception_torchmetrics": "`fid50k_inception_torchmetrics`",
    "clean": "`fid50k_clean`",
    "legacy": "`fid50k_legacy`",
    "lite0": "`fd5k_lite0`, `fd10k_lite0`, `fd50k_lite0`; `lite0` (n 1000)",
    "digits": "`digits` (n 1000)",
}


def protocols_table(_folder):
    """Return what happens to an image under each protocol."""
    rows = ["| `evaluation=` | resize | scaling of a level | features | equals |", "|" + "---|" * 5]
    for extractor, told in DESCRIBED.items():
        cells = [NAMES[extractor], told.resize, f"`{told.scaling}`", told.features]
        rows.append("| " + " | ".join([*cells, told.equals or "-"]) + " |")
    return "\n".join(rows)


def parity_table(folder):
    """Return how far other packages' distances lie from ours."""
    found = json.loads((folder / "parity.json").read_text(encoding="utf-8"))
    rows = [
        "| protocol | package | distance: ganzoo | package | apart | features apart |",
        "|" + "---|" * 6,
    ]
    for row in found["rows"]:
        cells = [
            f"`{row['protocol']}`",
            f"{row['package']} {row['version']}",
            f"{row['ganzoo']:.6f}",
            f"{row['other']:.6f}",
            f"{row['relative']:.1e}",
            f"{row['features']:.1e}",
        ]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def evaluation_table(folder):
    """Return how long torchmetrics takes for one distance during a training."""
    found = json.loads((folder / "evaluation.json").read_text(encoding="utf-8"))["speed"]
    rows = ["| torchmetrics' FID with | batches of | seconds | times ours |", "|" + "---|" * 4]
    for row in found["torchmetrics"]:
        cells = [row["extractor"], row["batch"], f"{row['seconds']:.0f}", f"{row['ratio']:.2f}"]
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    rows.append(f"| ganzoo, {found['samples']} samples | 32 | {found['seconds']:.0f} | 1 |")
    return "\n".join(rows)


def memory_sentence(folder):
    """Return the peak memory of whole evaluations."""
    found = json.loads((folder / "evaluation.json").read_text(encoding="utf-8"))
    few, many = found["memory"]
    pairs = found["pairs"]
    return (
        f"A whole evaluation with 1280 features, both sides, peaks at {few['peak_mib']:.0f} MiB "
        f"for {few['n']} samples and at {many['peak_mib']:.0f} MiB for {many['n']} (the process "
        f"before it: {few['before_mib']:.0f}). Precision, recall, density and coverage of "
        f"{pairs['n']} rows of {pairs['d']} features peak at {pairs['peak_mib']:.0f} MiB and take "
        f"{pairs['seconds']:.0f} s on one thread."
    )


PARTS = {
    "protocols": protocols_table,
    "parity": parity_table,
    "evaluation": evaluation_table,
    "memory": memory_sentence,
}
