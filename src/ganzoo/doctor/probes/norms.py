"""Batch statistics: of one sample, of two sides at once, frozen, or hardly there."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torch import nn

from ganzoo.doctor.findings import Finding, found

if TYPE_CHECKING:
    from ganzoo.doctor.scene import Scene

BatchNorm = nn.modules.batchnorm._BatchNorm
LARGE_EPS = 0.1


def norms(scene: "Scene") -> Iterator[Finding]:
    """Yield what is odd about layers with batch statistics, and forwards that count themselves."""
    step = scene.span.first_step + 1
    for role, modules in scene.networks.items():
        layers = [
            (name, part)
            for module in modules
            for name, part in module.named_modules()
            if isinstance(part, BatchNorm)
        ]
        large = [(n, p) for n, p in layers if p.eps > LARGE_EPS]
        if large:
            yield found(
                "bn_eps_momentum",
                role=role,
                place=large[0][0],
                step=step,
                eps=float(large[0][1].eps),
                layers=len(large),
            )
        calls = [c for c in scene.span.of(role) if c.grad and c.inputs]
        single = [c for c in calls if c.training and len(c.inputs[0]) == 1 and c.inputs[0].ndim > 1]
        if single and single == calls and (layers or role == "critic"):
            yield found(
                "batch_of_one",
                role=role,
                place=single[0].where,
                step=step,
                samples=1,
                layers_with_batch_statistics=len(layers),
            )
        frozen = [(n, p) for n, p in layers if not p.training and p.track_running_stats]
        still = calls and not any(c.training for c in calls) and layers
        if still or (frozen and len(frozen) == len(layers) and calls):
            yield found(
                "bn_stats_frozen",
                role=role,
                place=layers[0][0],
                step=step,
                layers=len(layers),
                forwards_in_eval_mode=len(calls),
            )
        if role == "critic" and layers:
            yield from mixed(scene, layers[0][0])
    for call in scene.span.of("critic"):
        if call.changed and call.training:
            yield found(
                "forward_changes_state",
                role="critic",
                place=call.changed[0],
                step=step,
                attribute=call.changed[0],
                forwards=len(scene.span.of("critic")),
            )
            break


def mixed(scene: "Scene", layer: str) -> Iterator[Finding]:
    """Yield calls that show a critic with batch statistics reals and fakes at once."""
    kinds: dict[int, set[str]] = {}
    for side in scene.sides:
        kinds.setdefault(side.call.order, set()).add(side.kind)
    both = [order for order, found_kinds in kinds.items() if {"real", "fake"} <= found_kinds]
    if both:
        yield found(
            "bn_mixed_batch",
            role="critic",
            place=layer,
            step=scene.span.first_step + 1,
            forwards_of_both_sides=len(both),
        )
