"""The layers of a drawn face, from the background to the glasses; each paints on a scene in place.

Lengths are in half image widths, seen in the face's own axes: the eyes lie at y = -0.05, the chin
near 0.66, the shoulders from about 0.9 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ganzoo.data import face_features, face_hair
from ganzoo.data.face_painter import bump, ellipse, hsv, skin_colour

if TYPE_CHECKING:
    from ganzoo.data.face_painter import Scene


def _background(s: Scene) -> None:
    f = s.f
    colour = hsv(f["background_hue"], f["background_saturation"], f["background_value"])
    turn, change = f["background_turn"], f["background_change"]
    light = s.x * (turn * change) + s.y * ((1 - np.abs(turn)) * change)
    far = ((s.x - f["blob_x"]) ** 2 + (s.y - f["blob_y"]) ** 2) * (1 / f["blob_size"] ** 2)
    light += f["blob_light"] * bump(far)
    for channel in range(3):
        hue = colour[:, channel]
        s.pixels[:, channel] = np.clip(hue + light * (hue + 0.25), 0, 1)


def _neck_and_clothes(s: Scene) -> None:
    s = s.window(0.3, 3.0, 2.0)
    f = s.f
    skin = skin_colour(s)
    fold = 1 + 0.35 * s.x * f["light_x"] - 0.25 * s.x * s.x
    neck = s.inside(np.maximum(np.abs(s.x) - f["face_width"] * 0.56, 0.3 - s.y), 0.03)
    s.paint_lit(neck, skin, fold * (0.66 + 0.30 * (s.y - 0.62).clip(0, 1)))
    shoulders = s.inside(ellipse(s.x, s.y - 1.56, 1.12, 0.72), 0.02)
    vee = np.abs(s.x) * 1.6 + s.y - 1.12
    scoop = (s.x * 1.9) ** 2 + (s.y - 0.71) ** 2 * 6 - 0.5
    bare = s.inside(vee + f["neckline"] * (scoop - vee), 0.02)
    s.paint_lit(shoulders * bare, skin, 0.86 * fold)
    colour = hsv(f["clothes_hue"], f["clothes_saturation"], f["clothes_value"])
    s.paint_lit(shoulders * (1 - bare), colour, fold)


def _head(s: Scene) -> None:
    s = s.window(-0.72, 0.74, 0.62)
    f = s.f
    a, b = f["face_width"], f["face_height"]
    skin = skin_colour(s)
    ear = ellipse(np.abs(s.x + 0.04 * f["yaw"]) - a * 0.98, s.y - 0.03, 0.065, 0.13)
    s.paint(s.inside(ear), skin * np.float32(0.8))
    down = s.y * (1 / b)
    across = s.x / (a - a * f["jaw"] * down.clip(0, 1) ** 2)
    radius2 = across * across + down * down
    face = s.inside((np.sqrt(radius2) - 1) * a)
    light = across * f["light_x"] + down * (0.8 * f["light_y"])
    light += 0.75 * np.sqrt((1.08 - radius2).clip(0, 1))
    light = (0.54 + 0.58 * light).clip(0.3, 1.25)
    cheek = bump((np.abs(s.x) - 0.27) ** 2 * 14 + (s.y - 0.2) ** 2 * 14)
    for channel, blush in enumerate((0.02, -0.06, -0.05)):
        plane = s.pixels[:, channel]
        plane += face * (skin[:, channel] * (light + blush * cheek) - plane)


LAYERS = (
    _background,
    face_hair.hair_behind,
    _neck_and_clothes,
    _head,
    face_hair.beard,
    face_features.nose,
    face_features.mouth,
    face_features.eyes,
    face_features.brows,
    face_hair.hair_in_front,
    face_features.glasses,
)
