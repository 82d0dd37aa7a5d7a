"""Properties of a healthy image game; each raises AssertionError where one fault is."""

import torch

from ganzoo.wgan.fixed import FixedWGAN


def critic_reads_unit_scale(program: FixedWGAN) -> None:
    reals = program.reals_in_range(torch.tensor([0, 255], dtype=torch.uint8))
    fakes = program.fakes_in_range(torch.tensor([0.0, 1.0]))
    largest = float(torch.cat([reals, fakes]).abs().max())
    assert largest <= 1, f"the critic reads pixels of up to {largest:g}"


def generator_is_bounded(program: FixedWGAN) -> None:
    largest = float(program.generator_output()(torch.tensor([-1e3, 1e3])).abs().max())
    assert largest <= 1, f"the generator's output reaches {largest:g} where 1 is white"
