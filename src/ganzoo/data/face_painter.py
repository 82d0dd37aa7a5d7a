"""The canvas that faces are drawn on: places, soft masks, palettes and paint.

Pixels see only sums, products, quotients, square roots and clips, which IEEE 754 fixes to the last
bit. So a face depends neither on where it lies in a block nor on the vector width of the processor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ganzoo.data.face_factors import UNIFORM

Plane = NDArray[np.floating]  # float32: float64 would only be slower
Colour = tuple[float, float, float]

ASPECT = 218 / 178  # height by width of CelebA's aligned images
_SKIN = (
    (0.98, 0.85, 0.77),
    (0.94, 0.75, 0.63),
    (0.83, 0.61, 0.47),
    (0.63, 0.43, 0.31),
    (0.38, 0.24, 0.17),
)


@dataclass(frozen=True)
class Scene:
    """A block of faces in the making, or a window of it that shares its pixels.

    Attributes:
        pixels: The pictures (N, 3, H, W), float32, about [0, 1].
        x: Place to the right of the face's middle (N, H, W), in the face's own axes.
        y: Place below the face's middle (N, H, W).
        rows: Place of each row below the picture's middle (H,).
        columns: Place of each column to the right of the picture's middle (W,).
        edge: Half the width of the narrowest soft edge (N, 1, 1).
        f: The factors by name, each (N, 1, 1) and float32.
        style: The hair style (N, 1, 1), int64.
    """

    pixels: Plane
    x: Plane
    y: Plane
    rows: Plane
    columns: Plane
    edge: Plane
    f: dict[str, Plane]
    style: NDArray[np.int64]

    def window(self, top: float, bottom: float, half: float) -> Scene:
        """Return the part that can show a face's box: ``top`` to ``bottom``, ``half`` to a side."""
        turn, grow = max(UNIFORM["rotation"]), max(UNIFORM["scale"])
        down, side = UNIFORM["shift_y"], max(UNIFORM["shift_x"])
        low = down[0] + min(top * grow, top * 0.95) - half * grow * turn
        high = down[1] + max(bottom * grow, bottom * 0.95) + half * grow * turn
        wide = side + grow * (half + max(-top, bottom) * turn)
        r = slice(*np.searchsorted(self.rows, (low, high)))
        c = slice(*np.searchsorted(self.columns, (-wide, wide)))
        return replace(
            self, pixels=self.pixels[:, :, r, c], rows=self.rows[r], columns=self.columns[c],
            x=np.ascontiguousarray(self.x[:, r, c]), y=np.ascontiguousarray(self.y[:, r, c]),
        )  # fmt: skip

    def of(self, chosen: NDArray[np.intp]) -> Scene:
        """Return a copy with the chosen faces only."""
        return replace(
            self, pixels=self.pixels[chosen], x=self.x[chosen], y=self.y[chosen],
            edge=self.edge[chosen], style=self.style[chosen],
            f={name: value[chosen] for name, value in self.f.items()},
        )  # fmt: skip

    def inside(self, distance: Plane, soft: float = 0.0) -> Plane:
        """Return a mask (N, H, W) in [0, 1]: 1 where ``distance`` is negative, with a soft edge."""
        width = np.maximum(self.edge, np.float32(soft))
        t = (width - distance) * (np.float32(0.5) / width)
        np.clip(t, 0, 1, out=t)
        return smooth(t)

    def paint(self, mask: Plane, colour: Plane) -> None:
        """Cover what lies under the mask (N, H, W) with a colour (N, 3, 1, 1)."""
        for channel in range(3):
            plane = self.pixels[:, channel]
            plane += mask * (colour[:, channel] - plane)

    def paint_lit(self, mask: Plane, colour: Plane, light: Plane) -> None:
        """Cover what lies under the mask with a colour (N, 3, 1, 1) times a light (N, H, W)."""
        for channel in range(3):
            plane = self.pixels[:, channel]
            plane += mask * (colour[:, channel] * light - plane)

    def shade(self, amount: Plane) -> None:
        """Multiply the pixels by ``amount`` (N, H, W): a shadow below 1, a light above."""
        np.multiply(self.pixels, amount[:, None], out=self.pixels)


def blank_scene(factors: dict[str, NDArray], size: tuple[int, int]) -> Scene:
    """Return a scene of ``size`` pixels for the faces with these factors, not yet painted."""
    height, width = size
    f = {name: value[:, None, None].astype(np.float32) for name, value in factors.items()}
    pixel = 2 / min(width, height / ASPECT)
    columns = ((np.arange(width) - (width - 1) / 2) * pixel).astype(np.float32)
    rows = ((np.arange(height) - (height - 1) / 2) * pixel).astype(np.float32)
    turn = f["rotation"].astype(np.float64)  # rounded after, the last bit is the same everywhere
    cosine = np.cos(turn).astype(np.float32) / f["scale"]
    sine = np.sin(turn).astype(np.float32) / f["scale"]
    x, y = columns - f["shift_x"], rows[:, None] - f["shift_y"]
    return Scene(
        pixels=np.empty((len(f["scale"]), 3, height, width), np.float32),
        x=x * cosine + y * sine, y=y * cosine - x * sine, rows=rows, columns=columns,
        edge=np.float32(0.6 * pixel) / f["scale"], f=f,
        style=factors["hair_style"][:, None, None],
    )  # fmt: skip


def smooth(t: Plane) -> Plane:
    """Return the smooth step 3t^2 - 2t^3 of values in [0, 1]."""
    rest = 3 - 2 * t
    rest *= t
    rest *= t
    return rest


def bump(radius2: Plane) -> Plane:
    """Return a soft spot from its squared radius: 1 in the middle, exactly 0 from radius 1 on."""
    t = 1 - radius2
    np.maximum(t, 0, out=t)
    t *= t
    return t


def ellipse(x: Plane, y: Plane, a: Plane | float, b: Plane | float) -> Plane:
    """Return about the signed distance (N, H, W) to the ellipse with half axes ``a`` and ``b``."""
    radius = np.sqrt((x * (1 / a)) ** 2 + (y * (1 / b)) ** 2)
    radius -= 1
    radius *= np.minimum(a, b)
    return radius


def palette(stops: tuple[Colour, ...], place: Plane) -> Plane:
    """Return colours (N, 3, 1, 1) along a palette, for places (N, 1, 1) in [0, 1]."""
    at = np.linspace(0, 1, len(stops))
    channels = [np.interp(place, at, channel) for channel in zip(*stops, strict=True)]
    return np.stack(channels, 1).astype(np.float32)


def hsv(hue: Plane, saturation: Plane | float, value: Plane | float) -> Plane:
    """Return colours (N, 3, 1, 1) for hue, saturation and value (N, 1, 1) in [0, 1]."""
    channels = []
    for offset in (0, 4, 2):
        ramp = np.abs((hue * 6 + offset) % 6 - 3) - 1
        channels.append(value * (1 - saturation * (1 - np.clip(ramp, 0, 1))))
    return np.stack(channels, 1).astype(np.float32)


def skin_colour(scene: Scene) -> Plane:
    """Return the colours of the skin (N, 3, 1, 1)."""
    return palette(_SKIN, scene.f["skin"])


def plain(red: float, green: float, blue: float) -> Plane:
    """Return one colour for all faces (1, 3, 1, 1)."""
    return np.array((red, green, blue), np.float32).reshape(1, 3, 1, 1)
