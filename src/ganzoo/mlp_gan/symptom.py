"""The article's symptom: a critic that is right about everything."""

import math

from ganzoo.monitor import Seen
from ganzoo.results import Symptom

WON = 0.99


def symptom(seen: Seen) -> Symptom:
    """Return whether the critic has won: right about 99 % of the last batch, or broken."""
    last = dict(seen.evidence)
    accuracy, g_loss, d_loss = (last[k] for k in ("critic_accuracy", "g_loss", "d_loss"))
    broken = not (math.isfinite(g_loss) and math.isfinite(d_loss))
    evidence = last | {
        "generator_gradient_last": seen.generator.last_norm,
        "generator_gradient_largest": seen.generator.largest_norm,
        "critic_gradient_last": seen.critic.last_norm,
    }
    sentence = (
        f"After {seen.generator.steps} generator steps the critic is right about {accuracy:.0%} of "
        f"a batch; losses: generator {g_loss:.4g}, critic {d_loss:.4g}; gradients: "
        f"{seen.generator.last_norm:.3g} and {seen.critic.last_norm:.3g}."
    )
    return Symptom("critic_wins", broken or accuracy >= WON, sentence, evidence)
