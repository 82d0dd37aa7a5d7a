"""Experiments on what the article says of scores."""

import time

import torch

from ganzoo.claims import Judgement
from ganzoo.digit_outcome import outcome, spread_of
from ganzoo.evaluation import extractor
from ganzoo.evaluation.distances import frechet_distance
from ganzoo.mlp_gan import metric_oracles
from ganzoo.mlp_gan.claims.common import error_of, program_of, some_digits

CLIPPED = ("clamped_critic", "unnormalised_generator")


def losses_lie() -> Judgement:
    early, late = (outcome(program_of(CLIPPED), steps) for steps in (100, 1200))
    numbers = {
        "critic_loss": [one.state.evidence["critic_loss"] for one in (early, late)],
        "generator_loss": [one.state.evidence["generator_loss"] for one in (early, late)],
        "distance": [early.distance, late.distance],
    }
    reason = (
        "Under a critic whose weights are clipped to 0.01 both losses stand at ln 2 after 100 "
        f"steps and after 1200 (critic's sum {numbers['critic_loss'][0]:.3f} and "
        f"{numbers['critic_loss'][1]:.3f}), while the distance is {early.distance:.3g} and "
        f"{late.distance:.3g}."
    )
    flat = abs(numbers["critic_loss"][0] - numbers["critic_loss"][1]) < 0.05
    apart = early.distance > 1.5 * late.distance
    return Judgement("true" if flat and apart else "false", reason, numbers)


def fid_snippet_runs() -> Judgement:
    found = {id: error_of(id) for id in ("fid_float", "fid_grey")}
    texts = {id: text for id, text in found.items() if text}
    reason = "On this program's images it does not: " + "; ".join(texts.values())
    return Judgement("false" if texts else "true", reason, dict(texts))


def fid_range_is_noticed() -> Judgement:
    images = metric_oracles.grey(100), metric_oracles.grey(140)
    found = {}
    for word, ids in (("right", []), ("converted_floats", ["fid_range"])):
        program = program_of(ids)
        found[word] = program.frechet(metric_oracles.metric_for(program), *images)
    reason = (
        f"Told to convert floats of [-1, 1], the metric gives {found['converted_floats']:.4g} "
        f"where {found['right']:.4g} is right, without a word."
    )
    silent = abs(found["right"] - found["converted_floats"]) > 0.1 * found["right"]
    return Judgement("false" if silent else "true", reason, found)


def fid_costs_more() -> Judgement:
    network = extractor("lite0")
    noise = torch.Generator().manual_seed(0)
    images = torch.randint(256, (64, 3, 64, 64), dtype=torch.uint8, generator=noise)
    began = time.perf_counter()
    network(images)
    passing = (time.perf_counter() - began) / 64 * 10_000
    features = torch.randn(2560, 1280, generator=noise)
    began = time.perf_counter()
    frechet_distance(features[:1280], features[1280:])
    solving = time.perf_counter() - began
    share = solving / passing
    reason = (
        "Both scores need one and the same pass of the images through a network; what the distance "
        f"adds takes {share:.1%} of the time of passing 10,000 small images through a small one."
    )
    numbers = {"passing_10000_s": passing, "distance_s": solving, "share": share}
    return Judgement("false" if share < 0.2 else "partly", reason, numbers)


def thresholds_are_universal() -> Judgement:
    program = program_of()
    digits = some_digits(program, 1700)
    order = torch.randperm(len(digits), generator=torch.Generator().manual_seed(0))
    digits = digits[order]
    found: dict[str, float] = {}
    for name, counts in (("digits", (70, 800)), ("lite0", (70,))):
        network = extractor(name)
        for n in counts:
            a, b = network(digits[:n]), network(digits[n : 2 * n])
            found[f"{name}_{n}"] = frechet_distance(a, b)
    reason = (
        "Two halves of the same real digits are "
        + ", ".join(f"{value:.3g} ({name})" for name, value in found.items())
        + " apart: the number depends on features and count before it says anything of a model."
    )
    apart = max(found.values()) > 3 * min(found.values())
    return Judgement("false" if apart else "true", reason, found)


def lowest_fid_is_best() -> Judgement:
    program = program_of()
    outcome(program, 150)
    network = extractor("digits")
    reals = network(some_digits(program, 200))
    scores = [
        frechet_distance(reals, network(program.sample(200, seed=seed))) for seed in range(20)
    ]
    gap = sum(scores) / len(scores) - min(scores)
    deviation = float(torch.tensor(scores).std())
    reason = (
        f"One and the same generator scores {spread_of(scores)} on 20 draws of 200 samples, and "
        f"{min(scores):.3g} at best: the lowest of many flatters by {gap:.2g}, unless what is kept "
        "is scored anew."
    )
    numbers = {"scores": scores, "flattery": gap, "deviation": deviation}
    return Judgement("partly" if gap > deviation else "true", reason, numbers)


def curves_alone_do_not_tell_accuracy() -> Judgement:
    even = outcome(program_of(), 800)
    early = outcome(program_of(CLIPPED), 100)
    numbers = {
        "accuracy": [even.accuracy, early.accuracy],
        "distance": [even.distance, early.distance],
    }
    reason = (
        f"The critic is right {even.accuracy:.0%} and {early.accuracy:.0%} of the time beside "
        f"samples at a distance of {even.distance:.3g} and {early.distance:.3g}."
    )
    holds = early.distance > 3 * even.distance and abs(even.accuracy - early.accuracy) < 0.3
    return Judgement("true" if holds else "partly", reason, numbers)


def lpips_shows_diversity() -> Judgement:
    reason = "It needs the weights of a perceptual network, which are not part of the installation."
    return Judgement("not settled", reason, {})
