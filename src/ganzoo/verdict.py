"""What is printed at the end of a run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.markup import escape
from rich.progress import track

from ganzoo.build import claims

COLOURS = {
    "true": "green",
    "false": "red",
    "partly": "yellow",
    "not settled": "blue",
    "failed": "bold red",
}


def judged_claims(family: str, by: Literal["post", "answer"]) -> list[dict[str, Any]]:
    """Return the verdict on each claim of a post or its answer, with the measured numbers.

    Those whose experiments take long are left to ``claims=...``, which judges them all.
    """
    chosen = [claim for claim in claims(family).values() if claim.by == by and not claim.slow]
    console = Console(stderr=True)
    due = track(chosen, "checking claims", console=console, disable=not console.is_terminal)
    return [claim.judged() for claim in due]


def print_scores(scores: Sequence[Mapping[str, Any]]) -> None:
    """Print a line for each score, with its interval where it has one."""
    console = Console(highlight=False)
    for score in scores:
        between = score.get("interval")
        spread = "" if between is None else f"  ({between[0]:.3g} to {between[1]:.3g})"
        console.print(f"  {score['name']:<32} {score['value']:.4g}{spread}")


def print_verdict(results: dict[str, Any], folder: str) -> None:
    """Print symptom, scores and claims of a run, and where the rest lies."""
    console = Console(highlight=False)
    say = console.print
    head = f"{results['model']} ({results['scale']}): {results['generator_steps']} generator steps"
    say(f"\n[bold]{head}[/bold], {results['images_seen']} images, {results['train_s']} s")
    if results["status"] == "crashed":
        say(f"[bold red]CRASHED[/bold red] {escape(results['error'])}", soft_wrap=True)
    elif results["status"] == "interrupted":
        say("Stopped before its end; resume=true goes on.")
    stop = results["seen"]["not_finite_at"]
    if stop is not None:
        say(f"[bold red]A loss stopped being a number[/bold red] by generator step {stop}.")
    symptom = results["symptom"]
    if symptom:
        colour, word = ("red", "PRESENT") if symptom["present"] else ("green", "absent")
        say(f"symptom {symptom['name']}: [bold {colour}]{word}[/bold {colour}]")
        say(escape(symptom["sentence"]), soft_wrap=True)
        printed = symptom["evidence"].get("printed_gradients", {})
        if printed:
            first = [f"batch {k}: {v if v is None else f'{v:.3g}'}" for k, v in printed.items()][:3]
            say(f"Reading the gradient where this program reads it: {', '.join(first)}")
    state = results.get("state")
    if state:
        colour = "green" if state["name"] == "healthy" else "yellow"
        say(f"state: [bold {colour}]{state['name']}[/bold {colour}]")
        say(escape(state["sentence"]), soft_wrap=True)
    print_scores(results["metrics"])
    if results.get("best"):
        best = results["best"][0]
        say(
            f"best checkpoint: step {best['generator_steps']}, distance {best['rescored']:.4g} on "
            f"fresh latents ({best['chosen_by']:.4g} when it was chosen): {best['file']}",
            soft_wrap=True,
        )
    for claim in results.get("claims", []):
        colour = COLOURS[claim["verdict"]]
        verdict = f"[{colour}]{claim['verdict']}[/{colour}]"
        text = escape(f"{claim['statement']} {claim['reason']}")
        say(f"claim {verdict}: {text}", soft_wrap=True)
    page = ": report.html shows it" if Path(folder, "report.html").is_file() else ""
    say(f"written to {escape(folder)}{page}", soft_wrap=True)
