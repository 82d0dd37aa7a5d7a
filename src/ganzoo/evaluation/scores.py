"""A score and the fingerprint that says with what it may be compared."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Fields = dict[str, str | int]


@dataclass(frozen=True)
class Score:
    """One measured number and how it was measured.

    Attributes:
        name: the protocol and whose samples were measured: ``fd1k_lite0/raw``.
        value: the number.
        interval: lower and upper end of its uncertainty, or None where no sound one is known.
        n: how many samples, and as many real images, it comes from.
        protocol: the name's part that is the same for every set of samples: ``fd1k_lite0``.
        fingerprint: of everything that fixes the number but the samples; two scores may be
            compared where it is equal.
        measured: what the fingerprint was taken of, field by field.
    """

    name: str
    value: float
    interval: tuple[float, float] | None
    n: int
    protocol: str
    fingerprint: str
    measured: Mapping[str, str | int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        protocol: str,
        value: float,
        label: str,
        n: int,
        fields: Fields,
        interval: tuple[float, float] | None = None,
    ) -> "Score":
        """Return a score under its protocol, with the fingerprint of what it was measured with."""
        measured = {"protocol": protocol, **fields}
        key = fingerprint(**measured)
        return cls(f"{protocol}/{label}", value, interval, n, protocol, key, measured)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as numbers, strings, lists and None, ready for JSON."""
        return {
            "name": self.name,
            "value": self.value,
            "interval": None if self.interval is None else list(self.interval),
            "n": self.n,
            "protocol": self.protocol,
            "fingerprint": self.fingerprint,
            "measured": dict(self.measured),
        }


def fingerprint(**fields: str | int) -> str:
    """Return 16 hex digits that differ wherever a field differs."""
    text = json.dumps(fields, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def count_word(n: int) -> str:
    """Return n as protocol names write it: 500, 1k, 50k, 1500."""
    return f"{n // 1000}k" if n and n % 1000 == 0 else str(n)
