"""The posted symptom: a loss that leaves every bound within a few batches."""

import math

from ganzoo.monitor import Seen
from ganzoo.results import Symptom

DIVERGED = 1e5  # times the first loss, or 1 where that is smaller


def symptom(seen: Seen) -> Symptom:
    """Return whether the loss diverged: grew 100,000-fold, or stopped being a number."""
    evidence = dict(seen.evidence)
    first = evidence["first_losses"][0] if evidence["first_losses"] else 0.0
    largest = evidence["largest_loss"]
    growth = largest / max(1.0, abs(first))
    present = not math.isfinite(largest) or growth > DIVERGED
    evidence |= {
        "growth": growth,
        "largest_weight_change": seen.critic.change,
        "generator_gradient_largest": seen.generator.largest_norm,
    }
    trace = ", ".join(f"{loss:.4g}" for loss in evidence["first_losses"][:6])
    sentence = f"The loss began as {trace}"
    if present:
        sentence += (
            f" and reached {largest:.3g} in magnitude; in the first {len(evidence['first_losses'])} "
            f"batches its sign changed {evidence['sign_changes']} times. A critic's weight moved by "
            f"up to {seen.critic.change:.3g}: nothing bounds its slope."
        )
    else:
        sentence += f" and stayed within {largest:.3g} of 0 over {seen.generator.steps} steps."
    return Symptom("diverging_loss", present, sentence, evidence)
