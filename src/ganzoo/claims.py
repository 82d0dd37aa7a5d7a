"""What a claim is: one statement of a post or an answer, and the experiment that judges it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

# not settled: it takes a GPU, days, or weights that cannot be had here; the reason says which
Verdict = Literal["true", "false", "partly", "not settled"]


@dataclass(frozen=True)
class Judgement:
    """The verdict on a claim, why, and the numbers that were measured for it."""

    verdict: Verdict
    reason: str
    numbers: dict[str, Any]


@dataclass(frozen=True)
class Claim:
    """One statement of a post or its answer, in this project's words.

    A ``slow`` one has an experiment that takes 5 s of a CPU or more.
    """

    id: str
    by: Literal["post", "answer"]
    statement: str
    experiment: Callable[[], Judgement]
    slow: bool = False

    def check(self) -> Judgement:
        """Return the verdict, after running the experiment anew, always from one random state."""
        import torch  # not for --help, which names the claims' module

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return self.experiment()

    def judged(self) -> dict[str, Any]:
        """Return the claim with its verdict, ready for JSON; "failed" where that stops."""
        began = time.perf_counter()
        row: dict[str, Any] = {"id": self.id, "by": self.by, "statement": self.statement}
        try:
            row |= vars(self.check())
        except Exception as error:  # noqa: BLE001 - its result, whatever it is
            text = " ".join(f"{type(error).__name__}: {error}".split())
            row |= {"verdict": "failed", "reason": f"The experiment stopped: {text}", "numbers": {}}
        return row | {"seconds": round(time.perf_counter() - began, 1)}
