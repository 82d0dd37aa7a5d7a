"""Which state a trained program is in: failures that look alike, told apart by what is measured."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from ganzoo.image_program import ImageProgram
from ganzoo.monitor import Seen
from ganzoo.program import evaluating

REALS = 256  # real images that a state is judged by, where there are as many
SURE = 0.99  # accuracy of a critic that has won
LARGE_LOSS = 15.0  # of a cross-entropy whose sigmoid is flat in float32 (-log of 2**-24 is 16.6)
EXPLODED = 1e5  # times the first gradient


@dataclass(frozen=True)
class State:
    """The state of a program, in one word and one sentence, and the numbers behind it."""

    name: str
    sentence: str
    evidence: dict[str, Any]


def state_of(
    program: ImageProgram, start: ImageProgram, seen: Seen, reals: Tensor, covered: int | None
) -> State:
    """Return the state of a program after training.

    The names: ``exploding``, ``range_mismatch``, ``saturated``, ``vanishing``, ``overpowered``,
    ``untrained``, ``collapse``, ``healthy``, ``undecided``. Mode collapse is said only of samples
    that lack diversity while the generator still receives a gradient and has moved.

    Args:
        program: as it is now.
        start: as it was before training.
        seen: what the monitor saw of the training.
        reals: uint8 (n, C, H, W), n at least 2.
        covered: how many of ten classes the samples cover, where that was measured.
    """
    numbers = measured(program, start, seen, reals)
    numbers["classes_covered"] = covered
    name = named(numbers)
    return State(name, SENTENCES[name].format(**texts(numbers)), numbers)


def measured(
    program: ImageProgram, start: ImageProgram, seen: Seen, reals: Tensor
) -> dict[str, Any]:
    """Return what the state is judged by; nothing of either program changes."""
    fakes, first = program.sample(len(reals), seed=1), start.sample(len(reals), seed=1)
    losses = losses_and_gradients(program, reals)
    begun = losses_and_gradients(start, reals)
    least, largest = reach(program)
    pixels = program.reals_in_range(reals)
    outside = ((pixels < least - 0.02) | (pixels > largest + 0.02)).float().mean()
    to_reals = distance_of_means(first, reals)
    return losses | {
        "generator_gradient_at_start": begun["generator_gradient"],
        "generator_gradient_largest": seen.generator.largest_norm,
        "not_finite_at": seen.not_finite_at,
        "diversity": spread(fakes) / max(spread(reals), 1e-9),
        "pixels_out_of_reach": float(outside),
        "moved": distance_of_means(first, fakes) / max(to_reals, 1e-9),
    }


def losses_and_gradients(program: ImageProgram, reals: Tensor) -> dict[str, float]:
    """Return both losses, the norms of their gradients, and the critic's accuracy, on one batch."""
    pixels = program.shaped(program.reals_in_range(reals.to(program.device)))
    generator, critic = list(program.generator.parameters()), list(program.critic.parameters())
    readings = dict(program.readings)
    with evaluating(program), program.seeded(2), torch.enable_grad():
        fakes = program.shaped(program.generate(program.draw_latents(len(reals))))
        generator_loss = program.generator_loss(fakes)
        critic_loss = program.critic_loss(pixels, fakes.detach())
        found = {
            "generator_loss": float(generator_loss.detach()),
            "critic_loss": float(critic_loss.detach()),
            "generator_gradient": norm_of(generator_loss, generator),
            "critic_gradient": norm_of(critic_loss, critic),
            "critic_accuracy": program.critic_accuracy(
                program.critic(pixels).detach(), program.critic(fakes).detach()
            ),
        }
    program.readings = readings
    return found


def norm_of(loss: Tensor, parameters: list[nn.Parameter]) -> float:
    """Return the norm of a loss's gradient over all parameters; 0 where no path leads to one."""
    free = [parameter for parameter in parameters if parameter.requires_grad]
    if not free or not loss.requires_grad:  # a faulty program froze them, or cut the graph
        return 0.0
    gradients = torch.autograd.grad(loss, free, allow_unused=True)
    return float(nn.utils.get_total_norm([g for g in gradients if g is not None]))


def reach(program: ImageProgram) -> tuple[float, float]:
    """Return the least and the largest value that the generator can make.

    Latents ten thousand times too large drive the last layer to its bounds, whatever they are.
    """
    with evaluating(program.generator), program.seeded(3), torch.no_grad():
        images = program.generate(1e4 * program.draw_latents(64))
    return float(images.min()), float(images.max())


def spread(images: Tensor) -> float:
    """Return the mean distance of pairs of images, uint8 (N, C, H, W)."""
    return float(torch.pdist(images.float().flatten(1)).mean())


def distance_of_means(a: Tensor, b: Tensor) -> float:
    """Return the distance of the mean images of two sets."""
    return float((a.float().mean(0) - b.float().mean(0)).norm())


def named(n: dict[str, Any]) -> str:
    """Return the name of the state that numbers of ``measured`` are a sign of."""
    begun, now = n["generator_gradient_at_start"], n["generator_gradient"]
    finite = n["not_finite_at"] is None and all(
        torch.isfinite(torch.tensor(n[k])) for k in ("generator_loss", "critic_loss", "diversity")
    )
    if not finite or n["generator_gradient_largest"] > EXPLODED * max(begun, 1e-3):
        return "exploding"
    if n["pixels_out_of_reach"] > 0.05:
        return "range_mismatch"
    still = now < 1e-2 * begun
    if still and max(n["generator_loss"], n["critic_loss"]) > LARGE_LOSS:
        return "saturated"
    if still and n["critic_accuracy"] >= SURE:
        return "vanishing"
    if n["moved"] < 0.25:
        return "overpowered" if n["critic_accuracy"] >= SURE else "untrained"
    covered = n["classes_covered"]
    if n["diversity"] < 0.5 or (covered is not None and covered <= 3):
        return "collapse"
    return "healthy" if n["diversity"] > 0.7 and (covered or 10) >= 8 else "undecided"


def texts(numbers: dict[str, Any]) -> dict[str, str]:
    """Return the numbers as a sentence has them."""
    found = {k: "-" if v is None else f"{v:.3g}" for k, v in numbers.items()}
    share, accuracy = numbers["pixels_out_of_reach"], numbers["critic_accuracy"]
    covered = numbers["classes_covered"]
    return found | {
        "pixels_out_of_reach": f"{share:.0%}",
        "critic_accuracy": f"{accuracy:.0%}",
        "diversity": f"{numbers['diversity']:.2f}",
        "classes": "" if covered is None else f", {covered} of 10 classes",
        "broke": "a loss stopped being a number"
        if numbers["not_finite_at"] is not None
        else f"its norm reached {found['generator_gradient_largest']}",
    }


SENTENCES = {
    "exploding": "The generator's gradient began at {generator_gradient_at_start}, and {broke}.",
    "range_mismatch": "{pixels_out_of_reach} of the real pixels lie where the generator cannot "
    "reach: the critic ({critic_accuracy} right) needs to look at nothing else.",
    "saturated": "The losses are {generator_loss} (generator) and {critic_loss} (critic), and the "
    "gradients {generator_gradient} and {critic_gradient}: the loss is flat where the networks "
    "are most wrong. This is arithmetic, not a balance.",
    "vanishing": "The critic is {critic_accuracy} right, and the generator's gradient fell from "
    "{generator_gradient_at_start} to {generator_gradient}. This is no mode collapse.",
    "overpowered": "The critic is {critic_accuracy} right; the generator has a gradient "
    "({generator_gradient}) and its samples are what they were. This is no mode collapse.",
    "untrained": "The samples are what they were before training (the critic is "
    "{critic_accuracy} right).",
    "collapse": "Samples differ {diversity} times as much as reals do{classes}, with a live "
    "gradient ({generator_gradient}).",
    "healthy": "Samples differ {diversity} times as much as reals do{classes}; the critic is "
    "{critic_accuracy} right, the generator's gradient {generator_gradient}.",
    "undecided": "Samples differ {diversity} times as much as reals do{classes}: neither a "
    "collapse nor healthy yet.",
}
