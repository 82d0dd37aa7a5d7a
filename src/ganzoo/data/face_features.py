"""The features of a drawn face, and its glasses; each layer paints on a scene in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ganzoo.data.face_hair import hair_colour
from ganzoo.data.face_painter import bump, ellipse, hsv, palette, plain, skin_colour

if TYPE_CHECKING:
    from ganzoo.data.face_painter import Scene

_IRIS = ((0.20, 0.11, 0.06), (0.36, 0.21, 0.10), (0.38, 0.42, 0.20), (0.30, 0.50, 0.64))
_LIPS = ((0.74, 0.44, 0.42), (0.82, 0.44, 0.46), (0.78, 0.22, 0.27), (0.58, 0.18, 0.28))
_EYE_LINE = -0.05


def nose(s: Scene) -> None:
    """Shade the ridge, the tip and the nostrils."""
    s = s.window(-0.2, 0.4, 0.32)
    f = s.f
    x, y = s.x - 0.10 * f["yaw"], s.y - f["nose_length"]
    side = np.where(f["light_x"] > 0, np.float32(-1), np.float32(1))
    ridge = s.inside(np.abs(y + 0.11) - 0.09, 0.10)
    shadow = bump((x * side - f["nose_width"] * 0.55) ** 2 * 300)
    amount = 1 + ridge * (0.10 * bump(x * x * 350) - 0.22 * shadow)
    amount -= 0.26 * bump((x * (0.8 / f["nose_width"])) ** 2 + ((y - 0.045) * 20) ** 2)
    wing = np.abs(x) - f["nose_width"] * 0.72
    amount *= 1 - 0.62 * s.inside(ellipse(wing, y - 0.012, 0.030, 0.020), 0.02)
    amount += 0.16 * bump(x * x * 200 + (y + 0.025) ** 2 * 280)
    s.shade(amount)


def mouth(s: Scene) -> None:
    """Paint the lips, what an open mouth shows, and the shadow below."""
    s = s.window(0.24, 0.54, 0.36)
    f = s.f
    grin, open_ = f["smile"].clip(0, 1), f["mouth_open"]
    half = f["mouth_width"] * (1 + 0.18 * grin)
    place = (s.x - 0.07 * f["yaw"]) / half
    y = s.y - f["mouth_height"]
    bow = y + (place * place - 0.4) * (0.055 * f["smile"])  # the corners go up in a smile
    full = (1 - place * place).clip(0, 1)
    ends = s.inside((np.abs(place) - 1) * half, 0.012)
    gap = open_ * (0.024 + 0.032 * grin) * full
    weight = f["lip_weight"] * full
    lips = s.inside(np.maximum(-bow - gap * 0.5 - weight * 0.8, bow - gap - weight * 1.25), 0.008)
    colour = palette(_LIPS, f["lip_colour"]) * (0.45 + 0.55 * skin_colour(s))
    s.paint_lit(lips * ends, colour, 0.98 + 3.0 * bow.clip(-0.06, 0.05))
    inner = s.inside(np.maximum(-bow - gap * 0.5, bow - gap), 0.006) * ends * open_
    teeth = (f["smile"] > 0.1)[:, None] * plain(0.70, 0.72, 0.70) + plain(0.22, 0.07, 0.07)
    s.paint_lit(inner, teeth, 0.95 - 4 * bow.clip(0, 0.2))
    amount = 1 - 0.45 * (1 - open_) * ends * s.inside(np.abs(bow) - 0.006, 0.008)
    amount -= 0.15 * bump((place * 1.2) ** 2 + ((y - 0.095) * 20) ** 2)
    s.shade(amount)


def eyes(s: Scene) -> None:
    """Paint the sockets, the whites, the irises and the lashes."""
    s = s.window(_EYE_LINE - 0.16, _EYE_LINE + 0.13, 0.48)
    f = s.f
    right = s.x - 0.07 * f["yaw"]
    y = s.y - _EYE_LINE
    side = np.where(right < 0, np.float32(-1), np.float32(1))
    x = np.abs(right) - f["eye_distance"]
    half = f["eye_size"]
    s.shade(1 - 0.20 * bump(x * x * 40 + (y + 0.04) ** 2 * 80))
    arch = half * f["eye_open"] * (1 - (x * (1 / half)) ** 2)
    white = s.inside(np.maximum(-y - arch, y - arch * 0.75), 0.008)
    s.paint_lit(white, plain(0.93, 0.92, 0.91), 0.95 + 1.2 * y.clip(-0.2, 0.05))
    radius = half * 0.52
    x = x - side * (f["gaze_x"] * half * 0.28)
    y = y - f["gaze_y"] * half * 0.12
    iris = ellipse(x, y, radius, radius)
    s.paint(white * s.inside(iris), palette(_IRIS, f["iris_tone"]))
    s.paint(white * s.inside(iris + radius * 0.52), plain(0.03, 0.03, 0.03))
    glint = ellipse(x - side * (radius * 0.3), y + radius * 0.35, 0.017, 0.017)
    s.paint(white * s.inside(glint), plain(0.97, 0.97, 0.97))
    lash = s.inside(np.abs(s.y - _EYE_LINE + arch) - 0.013, 0.010)
    lash *= s.inside(-0.02 - arch, 0.03)
    s.paint(0.85 * lash, plain(0.07, 0.06, 0.06))


def brows(s: Scene) -> None:
    """Paint the brows."""
    s = s.window(-0.32, -0.08, 0.48)
    f = s.f
    x = np.abs(s.x - 0.07 * f["yaw"]) - f["eye_distance"] - 0.01
    y = s.y - _EYE_LINE + f["brow_height"]
    arch = y - x * f["brow_tilt"] - (x - 0.045) ** 2 * 2.2
    brow = s.inside(np.abs(arch) - f["brow_weight"] * (1 - 3 * x).clip(0.4, 1.3), 0.010)
    brow *= s.inside(np.abs(x) - 0.125, 0.02)
    s.paint(0.85 * brow, hair_colour(s) * np.float32(0.6))


def glasses(s: Scene) -> None:
    """Paint the glasses of those who wear them."""
    s = s.window(-0.24, 0.16, 0.62)
    chosen = np.flatnonzero(s.f["glasses"])
    part = s.of(chosen)
    f = part.f
    middle = np.abs(part.x - 0.08 * f["yaw"])
    y = part.y + 0.035
    lens = ellipse(middle - f["eye_distance"] - 0.005, y, 0.165, 0.125 + 0.03 * f["brow_tilt"])
    bar = np.abs(y + 0.03) - 0.012
    bridge = np.maximum(middle - 0.07, bar)
    temple = np.maximum(np.maximum(0.39 - middle, middle - f["face_width"]), bar)
    frame = np.minimum(np.minimum(np.abs(lens) - 0.014, bridge), temple)
    part.paint(0.12 * part.inside(lens), plain(0.75, 0.78, 0.80))
    tone = f["lip_colour"]
    part.paint(part.inside(frame), hsv(f["clothes_hue"], tone * 0.6, 0.05 + 0.25 * tone * tone))
    s.pixels[chosen] = part.pixels
