"""The posted symptom: a generator whose gradient is always zero."""

import math

from ganzoo.monitor import NetworkSeen, Seen
from ganzoo.results import Symptom


def symptom(seen: Seen) -> Symptom:
    """Return whether the generator is dead: no gradient arrives, or none of its weights moves."""
    generator, critic = seen.generator, seen.critic
    no_gradient = generator.largest_norm == 0
    unmoved = generator.change == 0
    evidence = {
        "generator_gradient_largest": generator.largest_norm,
        "generator_gradient_is_zero": no_gradient,
        "generator_gradient_tensors": generator.tensors - generator.most_missing,
        "generator_change": generator.change,
        "critic_gradient_largest": critic.largest_norm,
        "critic_change": critic.change,
        "generator_tensors_in_its_optimizer": generator.held,
        "foreign_tensors_in_generator_optimizer": generator.foreign,
        "critic_tensors_in_its_optimizer": critic.held,
        "foreign_tensors_in_critic_optimizer": critic.foreign,
        "losses": seen.losses,
        "printed_gradients": {str(k): v for k, v in seen.printed_gradients.items()},
    }
    sentence = " ".join([gradient_sentence(generator), change_sentence(generator, critic)])
    if no_gradient or unmoved:
        sentence += loss_sentence(seen)
    return Symptom("dead_generator", no_gradient or unmoved, sentence, evidence)


def gradient_sentence(generator: NetworkSeen) -> str:
    """Return what the generator's gradient was between backward and step."""
    found = f"{generator.tensors - generator.most_missing} of {generator.tensors} tensors have one"
    if generator.largest_norm == 0:
        return f"The generator's gradient was exactly 0 in all {generator.steps} steps ({found})."
    return (
        f"The generator's gradient had a norm of up to {generator.largest_norm:.4g} in "
        f"{generator.steps} steps ({found})."
    )


def change_sentence(generator: NetworkSeen, critic: NetworkSeen) -> str:
    """Return how far the weights moved, and for a network that did not, what its optimiser held."""
    parts = []
    for name, seen in (("generator", generator), ("critic", critic)):
        moved = f"moved by up to {seen.change:.3g}" if seen.change else "did not change at all"
        held = f" (its optimiser held {seen.held} of them and {seen.foreign} foreign tensors)"
        parts.append(f"the {name}'s {seen.tensors} tensors {moved}{held if seen.foreign else ''}")
    return "Since the start " + " and ".join(parts) + "."


def loss_sentence(seen: Seen) -> str:
    """Return how the losses looked meanwhile."""
    if not {"g_loss", "d_loss"} <= seen.losses.keys():
        return ""
    g, d = seen.losses["g_loss"], seen.losses["d_loss"]
    return f" Mean losses: generator {g:.3f}, critic {d:.3f} (ln 2 is {math.log(2):.3f})."
