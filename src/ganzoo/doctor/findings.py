"""What the doctor says: findings, and the report that they make."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from ganzoo.doctor.kinds import KINDS
from ganzoo.results import write_text

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True)
class Finding:
    """One thing that was found.

    Attributes:
        code: the kind, one of ``kinds.KINDS``.
        severity: "error": this keeps the program from learning what it should; "warning": it
            probably does; "note": worth knowing, and normal in many healthy programs.
        role: "generator", "critic" or "": whose matter it is.
        place: a parameter, a layer, or the user's file and line.
        step: optimiser steps that had been taken, of all optimisers together.
        evidence: what was measured.
        cause: why that is so.
        remedy: what to do.
        faults: ids in the catalogue that have this mechanism.
    """

    code: str
    severity: Severity
    role: str
    place: str
    step: int
    evidence: Mapping[str, Any] = field(default_factory=dict)
    cause: str = ""
    remedy: str = ""
    faults: tuple[str, ...] = ()

    @property
    def link(self) -> str:
        """Where the catalogue tells more; "" if it has no such fault."""
        return f"docs/faults.md#{self.faults[0]}" if self.faults else ""

    def __str__(self) -> str:
        whom = " of the ".join(part for part in (self.place, self.role) if part)
        head = f"{self.severity}: {self.code}" + (f" ({whom})" if whom else "")
        seen = ", ".join(f"{key} {shown(value)}" for key, value in self.evidence.items())
        lines = [head + f", seen at step {self.step}", f"  measured: {seen}" if seen else ""]
        lines += [f"  cause:    {self.cause}", f"  remedy:   {self.remedy}"]
        lines += [f"  see:      {self.link}"] if self.link else []
        return "\n".join(line for line in lines if line)


def shown(value: Any) -> str:
    """Return a measured value as a reader wants it."""
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list | tuple):
        return " to ".join(map(shown, value)) if len(value) == 2 else ", ".join(map(shown, value))
    return str(value)


def found(
    code: str,
    *,
    role: str = "",
    place: str = "",
    step: int = 0,
    severity: Severity | None = None,
    **evidence: Any,
) -> Finding:
    """Return a finding of a kind, with the kind's own words.

    Raises:
        KeyError: no such kind.
    """
    kind = KINDS[code]
    return Finding(
        code,
        severity or kind.severity,
        role,
        place,
        step,
        evidence,
        kind.cause,
        kind.remedy,
        kind.faults,
    )


class Report:
    """Findings, the gravest first; those of one kind and place are one.

    Attributes:
        findings: sorted.
        steps: optimiser steps that were seen.
    """

    def __init__(self, findings: Iterable[Finding], steps: int = 0) -> None:
        first: dict[tuple[str, str, str], Finding] = {}
        for one in findings:
            first.setdefault((one.code, one.role, one.place), one)
        order = list(KINDS)
        self.findings = sorted(
            first.values(),
            key=lambda f: (SEVERITIES.index(f.severity), order.index(f.code), f.step),
        )
        self.steps = steps

    def of(self, severity: Severity) -> list[Finding]:
        """Return the findings of one severity."""
        return [one for one in self.findings if one.severity == severity]

    @property
    def ok(self) -> bool:
        """Whether there is neither an error nor a warning."""
        return not (self.of("error") or self.of("warning"))

    def __str__(self) -> str:
        counts = [f"{len(self.of(s))} {s}{'s'[: len(self.of(s)) != 1]}" for s in SEVERITIES]
        head = f"ganzoo doctor, {self.steps} optimiser steps: {', '.join(counts)}"
        return "\n\n".join([head, *map(str, self.findings)])

    def as_list(self) -> list[dict[str, Any]]:
        """Return plain values, ready for JSON."""
        return [
            asdict(one)
            | {"evidence": {k: plain(v) for k, v in one.evidence.items()}}
            | {"link": one.link, "kind": one.code, "message": one.cause, "where": one.place}
            for one in self.findings
        ]

    def write(self, path: Path) -> None:
        """Write ``findings.json``."""
        write_text(path, json.dumps(self.as_list(), indent=1) + "\n")


def plain(value: Any) -> Any:
    """Return a value that JSON has; numbers that are not finite become text."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not abs(value) < float("inf"):
        return str(value)
    return value if isinstance(value, str | int | float | bool | None) else str(value)


class DoctorError(RuntimeError):
    """A finding of severity "error", raised because ``on_error="raise"`` asked for it."""
