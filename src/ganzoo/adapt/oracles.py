"""Properties of a healthy game of adaptation; each raises AssertionError where one fault is."""

import math

import torch

from ganzoo.adapt.fixed import FixedAdapt


def extractor_reads_unit_scale(program: FixedAdapt) -> None:
    largest = float(program.reals_in_range(torch.tensor([0, 255], dtype=torch.uint8)).abs().max())
    assert largest <= 1, f"the extractor reads pixels of up to {largest:g}"


def features_are_normalised(program: FixedAdapt) -> None:
    row = torch.linspace(-1, 1, program.features).unsqueeze(0)
    norm = program.feature_norm(program.features)
    growth = float((norm(row * 100).norm() / norm(row).norm()).detach())
    assert growth < 2, (
        f"features 100 times as large leave the extractor {growth:.0f} times as large"
    )


def labels_outweigh_the_critic(program: FixedAdapt) -> None:
    end = program.reversal_weight * math.tanh(program.ramp_alpha / 2)
    assert end <= 0.2, f"the critic's gradient is weighted {end:.2f} beside the labels'"
