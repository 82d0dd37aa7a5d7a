"""A cut of a WGAN's graph: its donor, oracle, entry."""

import copy

from torch import Tensor

from ganzoo.wgan.fixed import FixedWGAN
from ganzoo.wild.by_hand import some_batches
from ganzoo.wild.entries import seen


class ByData(FixedWGAN):
    """The fakes are taken by .data, which leaves their graph behind."""

    def fakes_in_range(self, fakes: Tensor) -> Tensor:
        return (fakes * 2 - 1).data


def fakes_have_a_path(program: FixedWGAN) -> None:
    _, fakes, _ = copy.deepcopy(program).sides(some_batches(program)[0], True)
    assert fakes.requires_grad, "no path leads from the fakes to the generator's weights"


CUT_FAULTS = [
    seen(
        "fakes_by_data",
        "The critic learns, and the generator never changes: each of its gradients is None.",
        ".data gives the values without the graph, and without a word of it.",
        "https://docs.pytorch.org/docs/stable/notes/autograd.html",
        ByData,
        "fakes_in_range",
        fakes_have_a_path,
        "liamb315/CharacterGAN#4 wangle53/CSA-CDGAN#5",
    ),
]
