"""What an exception that ended the training means."""

from typing import TYPE_CHECKING

from ganzoo.doctor.findings import Finding, found
from ganzoo.doctor.places import is_library

if TYPE_CHECKING:
    from ganzoo.doctor.watching import Watch


def explained(watch: "Watch", error: BaseException) -> list[Finding]:
    """Return a finding for an error of autograd's that has a known cause."""
    text = " ".join(str(error).split())
    place = line_of(error)
    step = watch.steps + 1
    if "modified by an inplace operation" in text:
        return [in_place(watch, text, place, step)]
    if "backward through the graph a second time" in text:
        return [found("stale_fake_graph", place=place, step=step, error=text[:100])]
    if "does not require grad" in text and "element 0" in text:
        return [
            found(
                "graph_cut_generator_loss",
                role="generator",
                place=place,
                step=step,
                error=text[:100],
            )
        ]
    if "Expected more than 1 value per channel" in text:
        return [found("batch_of_one", place=place, step=step, error=text[:100])]
    if "between 0 and 1" in text:
        return [
            found(
                "output_loss_mismatch",
                role="critic",
                place=place,
                step=step,
                error=text[:100],
                critic_gives="raw scores",
                loss_wants="probabilities",
            )
        ]
    if "finished reduction" in text:
        return [
            found("ddp_unused_params", severity="error", place=place, step=step, error=text[:100])
        ]
    return []


def in_place(watch: "Watch", text: str, place: str, step: int) -> Finding:
    """Return why a tensor that a derivative needs has changed: a step, or an activation."""
    span = watch.recorder.span
    forwards = [call.order for call in span.calls]
    stepped = [s for s in span.steps if any(order < s.order for order in forwards)]
    # weights are leaves or views of them (TBackward); an activation's result has its own name
    weight = "AsStridedBackward0" in text or "TBackward" in text or "is at version" in text
    named = any(f"output 0 of {n}" in text for n in ("Tanh", "Relu", "LeakyRelu", "Sigmoid", "Elu"))
    if stepped and weight and not named:
        return found(
            "optimizer_step_before_backward",
            place=place,
            step=step,
            optimizer_that_stepped=stepped[-1].index,
            forwards_before_it=sum(o < stepped[-1].order for o in forwards),
        )
    return found("inplace_activation", place=place, step=step, error=text[-160:])


def line_of(error: BaseException) -> str:
    """Return the user's line at which an error came up."""
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not is_library(file):
            place = f"{file.rsplit('/', 1)[-1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
