"""What makes one drawn face differ from another: the factors, their bounds and their shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Bounds of the factors that are uniform. Lengths are in half image widths, the rotation in radians.
# The order is part of the data: a face's random numbers are one row with a column for each name.
UNIFORM: dict[str, tuple[float, float]] = {
    "shift_x": (-0.10, 0.10),
    "shift_y": (-0.03, 0.13),
    "rotation": (-0.18, 0.18),
    "scale": (0.98, 1.24),
    "yaw": (-1.0, 1.0),
    "face_width": (0.46, 0.55),
    "face_height": (0.61, 0.70),
    "jaw": (0.05, 0.32),
    "skin": (0.0, 1.0),
    "light_x": (-0.65, 0.65),
    "light_y": (-0.55, 0.05),
    "exposure": (0.78, 1.10),
    "hair_tone": (0.0, 1.0),
    "hair_dye": (0.0, 1.0),
    "hair_volume": (0.6, 1.3),
    "hair_part": (-1.0, 1.0),
    "eye_distance": (0.205, 0.245),
    "eye_size": (0.090, 0.120),
    "eye_open": (0.40, 0.64),
    "iris_tone": (0.0, 1.0),
    "gaze_x": (-1.0, 1.0),
    "gaze_y": (-0.6, 0.6),
    "brow_height": (0.125, 0.165),
    "brow_tilt": (0.05, 0.32),
    "brow_weight": (0.014, 0.032),
    "nose_length": (0.17, 0.23),
    "nose_width": (0.055, 0.095),
    "mouth_height": (0.34, 0.40),
    "mouth_width": (0.15, 0.21),
    "smile": (-0.30, 1.0),
    "lip_weight": (0.028, 0.048),
    "lip_colour": (0.0, 1.0),
    "clothes_hue": (0.0, 1.0),
    "clothes_saturation": (0.05, 0.80),
    "clothes_value": (0.08, 0.95),
    "background_hue": (0.0, 1.0),
    "background_saturation": (0.0, 0.6),
    "background_value": (0.12, 0.95),
    "background_turn": (-1.0, 1.0),
    "background_change": (-0.4, 0.4),
    "blob_x": (-1.0, 1.0),
    "blob_y": (-1.2, 1.2),
    "blob_size": (0.4, 1.3),
    "blob_light": (-0.3, 0.3),
}
HAIR_STYLES = ("bald", "short", "parted", "fringe", "long", "bob", "curls")
# Shares of the factors that are one of several: 0, 1, 2 and so on.
SHARES: dict[str, tuple[float, ...]] = {
    "hair_style": (0.08, 0.17, 0.16, 0.14, 0.19, 0.13, 0.13),
    "mouth_open": (0.6, 0.4),
    "glasses": (0.76, 0.24),
    "beard": (0.62, 0.19, 0.19),  # none, stubble, full; kept with the three shortest hair styles
    "neckline": (0.5, 0.5),
}


def draw_factors(count: int, seed: int = 0) -> dict[str, NDArray]:
    """Return the factors of the first faces by name: (N,), float32, or int64 for choices."""
    # The generator fills the table row by row, so that a face does not depend on the count.
    table = np.random.default_rng(seed).random((count, len(UNIFORM) + len(SHARES)))
    columns = iter(table.T)
    factors: dict[str, NDArray] = {}
    for name, (low, high) in UNIFORM.items():
        factors[name] = (low + (high - low) * next(columns)).astype(np.float32)
    for name, shares in SHARES.items():
        edges = np.cumsum(shares)[:-1]
        factors[name] = np.digitize(next(columns), edges)
    # Dark skin comes with dark hair and brown eyes more often than not.
    factors["hair_tone"] *= 1 - np.float32(0.75) * factors["skin"]
    factors["iris_tone"] *= 1 - np.float32(0.8) * factors["skin"]
    short = factors["hair_style"] <= HAIR_STYLES.index("parted")
    factors["beard"] = np.where(short, factors["beard"], 0)
    return factors
