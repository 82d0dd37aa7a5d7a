"""The faults of the family ``adapt``: those of the reversal, and its own."""

from ganzoo.adapt import oracles
from ganzoo.adapt.advised import AdvisedAdapt
from ganzoo.adapt.buggy import BuggyAdapt
from ganzoo.adapt.fixed import FixedAdapt
from ganzoo.catalogue import Catalogue, Fault
from ganzoo.reversal.faults import ANSWER, FOUND, POST, advised_ids
from ganzoo.wild.domains import DOMAIN_FAULTS

OWN = [
    Fault(
        id="raw_pixels",
        origin="post",
        kind="silent",
        symptom="Features and losses start about 255 times too large.",
        cause="The extractor reads pixels of 0 to 255, far from the unit scale that its "
        "weights are for.",
        source="LeCun et al. 1998, Efficient BackProp, section 4.3",
        takes=("reals_in_range",),
        donor=BuggyAdapt,
        oracle=oracles.extractor_reads_unit_scale,
    ),
    Fault(
        id="unbounded_features",
        origin="post",
        kind="silent",
        symptom="Features grow from step to step, and the losses with them.",
        cause="Without a norm the extractor can move the distance by scaling its features alone.",
        source="Ba et al. 2016, Layer Normalization; Shen et al. 2018, section 4",
        takes=("feature_norm",),
        donor=BuggyAdapt,
        oracle=oracles.features_are_normalised,
    ),
    Fault(
        id="coefficient_too_large_for_slope",
        origin="post",
        kind="silent",
        symptom="The classes of the source are lost, and accuracy falls to that of guessing.",
        cause="A Wasserstein critic's slope stays 1 where a classifier's fades: at a weight "
        "of 0.46 its gradient outweighs the labels'.",
        source="Shen et al. 2018, section 4",
        takes=("reversal_weight",),
        donor=BuggyAdapt,
        oracle=oracles.labels_outweigh_the_critic,
    ),
]

FAULTS = Catalogue(
    fixed=FixedAdapt,
    buggy=BuggyAdapt,
    advised=AdvisedAdapt,
    advised_ids=advised_ids(OWN),
    faults=[*POST, *OWN, *ANSWER, *FOUND, *DOMAIN_FAULTS],
)
