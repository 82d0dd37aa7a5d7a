"""The posted symptom: a loss that leaves every bound within a few batches."""

import math

from ganzoo.monitor import Seen
from ganzoo.results import Symptom

DIVERGED = 1000  # times the first loss, or 1 where that is smaller
STAYED = 100


def symptom(seen: Seen) -> Symptom:
    """Return whether the loss ran away: grew a thousandfold and did not come back, or became NaN.

    It came back where its mean over the last batches is within 100 times the first loss.
    """
    evidence = dict(seen.evidence)
    losses = evidence["first_losses"]
    unit = max(1.0, abs(losses[0])) if losses else 1.0
    largest, last = evidence["largest_loss"], evidence["last_loss"]
    left = not math.isfinite(largest) or largest > DIVERGED * unit
    present = left and not last <= STAYED * unit  # a NaN does not come back
    evidence |= {
        "growth": largest / unit,
        "largest_weight_change": seen.critic.change,
        "generator_gradient_largest": seen.generator.largest_norm,
        "critic_gradient_last": seen.critic.last_norm,
    }
    trace = ", ".join(f"{loss:.4g}" for loss in losses[:6])
    steps = f"{seen.generator.steps} generator steps"
    if present:
        rest = (
            f"and reached {largest:.3g} in magnitude within {steps}; in its first {len(losses)} "
            f"batches its sign changed {evidence['sign_changes']} times. A critic's weight moved "
            f"by up to {seen.critic.change:.3g}: nothing bounds its slope."
        )
    elif left:
        rest = f"reached {largest:.3g} in magnitude, and came back to about {last:.3g} ({steps})"
        dead = seen.critic.last_norm == 0
        rest += ": the critic has no gradient left, and tells nothing apart." if dead else "."
    else:
        rest = f"and stayed within {largest:.3g} of 0 over {steps}."
    return Symptom("diverging_loss", present, f"The loss began as {trace} {rest}", evidence)
