"""The hair and the beard of a drawn face; each layer paints on a scene in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ganzoo.data.face_painter import bump, ellipse, hsv, palette

if TYPE_CHECKING:
    from ganzoo.data.face_painter import Plane, Scene

_HAIR = (
    (0.07, 0.06, 0.06),
    (0.20, 0.12, 0.08),
    (0.38, 0.23, 0.13),
    (0.52, 0.29, 0.16),
    (0.78, 0.58, 0.32),
    (0.90, 0.80, 0.58),
    (0.72, 0.72, 0.73),
)
_DYED = 0.96  # share of natural hair colours


def _by_style(*values: float) -> Plane:
    return np.array(values, np.float32)


# One value for each of face_factors.HAIR_STYLES: bald, short, parted, fringe, long, bob, curls.
_CROWN = _by_style(0, 0.05, 0.09, 0.09, 0.09, 0.11, 0.20)  # hair above the skull
_WIDTH = _by_style(0, 0.03, 0.05, 0.06, 0.13, 0.17, 0.26)  # hair beside the face
_LENGTH = _by_style(-0.9, -0.22, -0.15, 0.0, 1.15, 0.46, 0.30)  # where the hair ends
_LINE = _by_style(-2, -0.44, -0.42, -0.23, -0.44, -0.38, -0.34)  # height of the hairline
_SLOPE = _by_style(0, 0.05, 0.40, 0.05, 0.50, 0.25, 0.0)  # how a parting tilts it
_RAGGED = _by_style(0, 0.05, 0.03, 0.12, 0.02, 0.05, 0.08)  # depth of the strands' ends
_TAIL = _by_style(0, 0, 0, 0, 0.06, 0.10, -0.35)  # how hair widens below the ears; curls close in


def hair_colour(s: Scene) -> Plane:
    """Return the colours of the hair (N, 3, 1, 1): natural, or dyed."""
    dyed = hsv(s.f["iris_tone"], 0.5, 0.7)
    return np.where(s.f["hair_dye"][:, None] > _DYED, dyed, palette(_HAIR, s.f["hair_tone"]))


def strands(s: Scene) -> Plane:
    """Return the light on hair (N, H, W), about 1: soft strands and a sheen across them."""
    slant = s.y * (2 * s.f["hair_part"])
    coarse, fine = s.x * 6 + slant, s.x * 15.7 + slant
    coarse -= np.floor(coarse)
    fine -= np.floor(fine)
    light = 0.6 * coarse * (1 - coarse) + 0.35 * fine * (1 - fine)
    light += 0.35 * bump(((s.y + 0.5) * 3.2 + s.x * (3 * s.f["light_x"])) ** 2)
    light += 0.78 + s.x * (0.30 * s.f["light_x"])
    return light


def hair_behind(s: Scene) -> None:
    """Paint the hair that falls behind the head."""
    f, style = s.f, s.style
    half = f["face_width"] + _WIDTH[style] * f["hair_volume"]
    top = f["face_height"] + _CROWN[style] * f["hair_volume"]
    dome = ellipse(s.x, np.minimum(s.y + 0.05, 0), half, top)
    dome -= _TAIL[style] * s.y.clip(0, 1)
    length = _LENGTH[style] + 0.15 * (f["hair_volume"] - 0.6) - 0.15 * s.x * s.x
    hair = s.inside(np.maximum(dome, s.y - length), 0.045)
    s.paint_lit(hair * (style > 0), hair_colour(s), 0.68 * strands(s))


def hair_in_front(s: Scene) -> None:
    """Paint the hair above the face and beside it."""
    s = s.window(-1.1, 0.7, 0.92)
    f, style = s.f, s.style
    half = f["face_width"] + 0.9 * _WIDTH[style] * f["hair_volume"]
    top = f["face_height"] + _CROWN[style] * f["hair_volume"]
    skull = ellipse(s.x, s.y + 0.05, half, top)
    face = ellipse(s.x - 0.02 * f["yaw"], s.y - 0.22, f["face_width"] * 0.94, 0.38 - _LINE[style])
    part = f["hair_part"]
    tip = s.x * 9 + part
    tip -= np.floor(tip)
    fringe = s.y - _LINE[style] - _SLOPE[style] * part * (s.x - 0.2 * part)
    fringe += _RAGGED[style] * tip * (1 - tip)
    hair = np.maximum(skull, np.minimum(-face, fringe))
    mask = s.inside(np.maximum(hair, s.y - _LENGTH[style].clip(-0.25, 0.6)), 0.022)
    s.paint_lit(mask * (style > 0), hair_colour(s), strands(s))


def beard(s: Scene) -> None:
    """Paint the beards of those who have one."""
    s = s.window(0.05, 0.75, 0.6)
    chosen = np.flatnonzero(s.f["beard"])
    part = s.of(chosen)
    f = part.f
    weight = np.where(f["beard"] > 1, np.float32(0.9), np.float32(0.35))
    x, y = part.x, part.y
    chin = ellipse(x, y - 0.05, f["face_width"] * 0.97, f["face_height"] * 0.93)
    lips = ellipse(x - 0.07 * f["yaw"], y - f["mouth_height"], f["mouth_width"] * 1.05, 0.085)
    cheeks = part.inside(0.34 - 0.4 * np.abs(x) - y, 0.09)
    hair = part.inside(chin, 0.05) * cheeks * (1 - part.inside(lips, 0.04)) * weight
    part.paint_lit(hair, hair_colour(part), 0.8 * strands(part))
    s.pixels[chosen] = part.pixels
