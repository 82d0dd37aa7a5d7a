"""What a claim is: one statement of a post or an answer, and the experiment that judges it."""

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
        """Return the verdict, after running the experiment anew."""
        return self.experiment()
