"""What a claim is: one statement of a post or an answer, and the experiment that judges it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["true", "false", "partly"]


@dataclass(frozen=True)
class Judgement:
    """The verdict on a claim, why, and the numbers that were measured for it."""

    verdict: Verdict
    reason: str
    numbers: dict[str, Any]


@dataclass(frozen=True)
class Claim:
    """One statement of a post or its answer, in this project's words."""

    id: str
    by: Literal["post", "answer"]
    statement: str
    experiment: Callable[[], Judgement]

    def check(self) -> Judgement:
        """Return the verdict, after running the experiment anew."""
        return self.experiment()
