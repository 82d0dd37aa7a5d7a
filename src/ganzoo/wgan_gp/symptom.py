"""The sign of a penalty that bounds something else: a critic whose slope is far from 1."""

import math

from ganzoo.monitor import Seen
from ganzoo.results import Symptom

STEEP = 2.0


def symptom(seen: Seen) -> Symptom:
    """Return whether the critic's slope for an image is above 2, where the penalty asks for 1."""
    slope = seen.evidence["slope"]
    sentence = (
        f"After {seen.generator.steps} generator steps the critic's slope between real and fake "
        f"images is {slope:.3g} for each image, where the penalty is to keep it at 1."
    )
    present = not math.isfinite(slope) or slope > STEEP
    return Symptom("steep_critic", present, sentence, dict(seen.evidence))
