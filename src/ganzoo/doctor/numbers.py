"""Where the first number came up that is not finite."""

from typing import TYPE_CHECKING

import torch

from ganzoo.doctor.findings import Finding, found
from ganzoo.doctor.places import user_line

if TYPE_CHECKING:
    from ganzoo.doctor.watching import Watch


def located(watch: "Watch") -> list[Finding]:
    """Return what was not finite first: data, a weight, a score, or the loss behind it."""
    step = watch.steps + 1
    for role, modules in (("critic", watch.critics), ("generator", watch.generators)):
        for module in modules:
            for name, parameter in module.named_parameters():
                if not torch.isfinite(parameter.detach()).all():
                    # finite losses up to now: the last gradient was not
                    return [
                        found(
                            "not_finite",
                            role=role,
                            place=name,
                            step=step,
                            first="a gradient of the step before, now in the weights",
                        )
                    ]
    given, scores = watch.last_critic
    if watch.recorder.on:
        calls = watch.recorder.span.of("critic")
        given = [t.detach() for c in calls for t in c.inputs]
        scores = [t.detach() for c in calls for t in c.outputs]
    if any(not torch.isfinite(t).all() for t in given if t.is_floating_point()):
        return [found("nan_in_data", role="critic", step=step, place=user_line())]
    if any(not torch.isfinite(t).all() for t in scores):
        return [found("not_finite", role="critic", step=step, first="the critic's scores")]
    log = watch.recorder.trace.ops
    logs = [op.where for op in log if op.name in ("log", "log_", "log2", "log10")]
    return [
        found(
            "not_finite",
            place=logs[-1] if logs else user_line(),
            step=step,
            first="the loss",
            of_finite_scores=bool(scores),
        )
    ]
