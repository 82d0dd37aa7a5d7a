"""The faults of the family ``wgan``: those of the reversal, and its own."""

from ganzoo.catalogue import Catalogue, Fault
from ganzoo.reversal.faults import ANSWER, FOUND, POST, advised_ids
from ganzoo.wgan import oracles
from ganzoo.wgan.advised import AdvisedWGAN
from ganzoo.wgan.buggy import BuggyWGAN
from ganzoo.wgan.fixed import FixedWGAN
from ganzoo.wild.cuts import CUT_FAULTS

OWN = [
    Fault(
        id="raw_pixels",
        origin="post",
        kind="silent",
        symptom="Every loss and gradient is about 255 times larger.",
        cause="The critic reads pixels of 0 to 255, far from the unit scale that its weights "
        "are for.",
        source="LeCun et al. 1998, Efficient BackProp, section 4.3",
        takes=("reals_in_range", "fakes_in_range"),
        donor=BuggyWGAN,
        oracle=oracles.critic_reads_unit_scale,
    ),
    Fault(
        id="unbounded_features",
        origin="post",
        kind="silent",
        symptom="The generator's output runs away with the critic's slope.",
        cause="Nothing bounds what the generator may produce, and the critic's loss grows with it.",
        source="Radford et al. 2016, section 3",
        takes=("generator_output",),
        donor=BuggyWGAN,
        oracle=oracles.generator_is_bounded,
    ),
]

FAULTS = Catalogue(
    fixed=FixedWGAN,
    buggy=BuggyWGAN,
    advised=AdvisedWGAN,
    advised_ids=advised_ids(OWN),
    faults=[*POST, *OWN, *ANSWER, *FOUND, *CUT_FAULTS],
)
