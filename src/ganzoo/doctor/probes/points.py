"""Where the points of a gradient penalty lie."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ganzoo.doctor.findings import Finding, found

if TYPE_CHECKING:
    from ganzoo.doctor.probes.penalties import Penalty
    from ganzoo.doctor.scene import Scene


def between(scene: "Scene", penalty: "Penalty") -> Iterator[Finding]:
    """Yield points that do not lie between a real and a fake sample, one share for each."""
    points = penalty.points.detach().double()
    reals = same_shape(scene, "real", points)
    fakes = same_shape(scene, "fake", points)
    if not fakes or not reals:
        shown = [side.shown.numel() for side in scene.of("real")]
        if shown and points.numel() > max(shown) and points.numel() % max(shown) == 0:
            yield found(
                "gp_alpha_wrong",
                role="critic",
                place=penalty.line,
                step=scene.span.first_step + 1,
                shape_of_the_points=tuple(points.shape),
                numbers_for_each_of_the_reals=points.numel() // max(shown),
            )
        return
    flat = points.flatten(1)
    best: tuple[float, Tensor, Tensor, Tensor] | None = None
    for real in reals:
        for fake in fakes:
            line = (real - fake).flatten(1)
            offset = flat - fake.flatten(1)
            share = (offset * line).sum(1) / line.square().sum(1).clamp_min(1e-12)
            left = (offset - share[:, None] * line).norm(dim=1) / line.norm(dim=1).clamp_min(1e-12)
            worst = float(left.mean())
            if best is None or worst < best[0]:
                best = worst, share, real, fake
    assert best is not None
    off, share, real, fake = best
    step = scene.span.first_step + 1
    line = real - fake
    far = line.abs() > 1e-3 * float(line.abs().max())
    pixel = torch.where(far, (points - fake) / torch.where(far, line, 1.0), 0.5)
    if off < 1e-3:
        outside = float(((share < -1e-3) | (share > 1 + 1e-3)).double().mean())
        if outside > 0:
            yield found(
                "gp_alpha_wrong",
                role="critic",
                place=penalty.line,
                step=step,
                alpha=(float(share.min()), float(share.max())),
                share_of_points_outside=outside,
            )
        elif float(share.min()) > 1 - 1e-6 and target(scene, penalty) > 0.5:
            yield found(
                "gp_at_reals_only",
                role="critic",
                place=penalty.line,
                step=step,
                alpha=(float(share.min()), float(share.max())),
            )
    elif float(((pixel < -1e-2) | (pixel > 1 + 1e-2)).double().mean()) < 1e-3:
        yield found(
            "gp_alpha_wrong",
            role="critic",
            place=penalty.line,
            step=step,
            distance_from_the_line=off,
            alphas_per_sample=points[0].numel(),
        )


def target(scene: "Scene", penalty: "Penalty") -> float:
    """Return the slope that a penalty draws to: 1, or 0 where no number is taken off the norm."""
    made = {id(penalty.slope)}
    for op in scene.trace.ops:
        if any(id(t) in made for t in op.inputs):
            made |= {id(t) for t in op.outputs}
            if op.name in ("sub", "__sub__", "rsub", "__rsub__") and 1 in op.numbers:
                return 1.0
    return 0.0


def same_shape(scene: "Scene", kind: str, points: Tensor) -> list[Tensor]:
    """Return candidates for one end of the line, in the points' shape and double precision."""
    found_ends = []
    for side in scene.of(kind):
        shown = side.shown
        if shown.numel() == points.numel() and len(shown) == len(points):
            found_ends.append(shown.double().reshape(points.shape))
    if kind == "fake":
        outs = [t for c in scene.span.of("generator") for t in c.outputs]
        found_ends += [
            t.detach().double().reshape(points.shape)
            for t in outs
            if t.numel() == points.numel() and len(t) == len(points)
        ]
    return found_ends
