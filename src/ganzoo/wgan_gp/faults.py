"""The faults of the printed gradient penalty, and of others."""

from ganzoo.catalogue import Catalogue, Fault
from ganzoo.wgan_gp import found, oracles
from ganzoo.wgan_gp.buggy import BuggyWGANGP
from ganzoo.wgan_gp.fixed import FixedWGANGP
from ganzoo.wild.critics import CRITIC_FAULTS
from ganzoo.wild.penalties import PENALTY_FAULTS
from ganzoo.wild.processes import DDP_FAULTS

GULRAJANI = "Gulrajani et al. 2017, algorithm 1 and section 4"

FAULTS = Catalogue(
    fixed=FixedWGANGP,
    buggy=BuggyWGANGP,
    faults=[
        Fault(
            id="per_pixel_penalty",
            origin="post",
            kind="silent",
            symptom="The critic's slope for an image rises to the square root of its pixels: 28 "
            "for 28x28.",
            cause="The norm is taken over the channels, so that each pixel's slope is drawn to 1.",
            source=GULRAJANI,
            takes=("norm",),
            donor=BuggyWGANGP,
            oracle=oracles.norm_is_over_all_pixels,
        ),
        Fault(
            id="flat_alpha_broadcast",
            origin="post",
            kind="silent",
            symptom="With flat images a step takes as many times longer as the batch has images.",
            cause="Shares of shape (N, 1, 1, 1) and images of shape (N, d) broadcast to "
            "(N, 1, N, d): every pair of shares and images.",
            source="https://docs.pytorch.org/docs/stable/notes/broadcasting.html",
            takes=("share",),
            donor=BuggyWGANGP,
            oracle=oracles.flat_points_stay_flat,
        ),
        Fault(
            id="undetached_ends",
            origin="post",
            kind="silent",
            symptom="A critic's step takes longer than it need.",
            cause="The penalty's backward walks through the generator, whose gradient is thrown "
            "away.",
            source=GULRAJANI,
            takes=("ends",),
            donor=BuggyWGANGP,
            oracle=oracles.penalty_does_not_reach_the_generator,
        ),
        Fault(
            id="alpha_on_cpu",
            origin="post",
            kind="crash",
            symptom="On a GPU the first penalty stops with a RuntimeError about two devices.",
            cause="torch.rand without a device makes numbers on the CPU.",
            source="https://docs.pytorch.org/docs/stable/generated/torch.rand.html",
            takes=("share",),
            donor=found.NoDevice,
            oracle=oracles.share_is_where_the_images_are,
        ),
        Fault(
            id="unequal_sides",
            origin="post",
            kind="crash",
            symptom="The last batch of an epoch, smaller than the others, stops with a "
            "RuntimeError.",
            cause="Reals and fakes are mixed one by one, and there are not as many of both.",
            source="https://docs.pytorch.org/docs/stable/data.html#torch.utils.data.DataLoader",
            takes=("paired",),
            donor=found.Unequal,
            oracle=oracles.sides_may_differ_in_size,
        ),
        Fault(
            id="sigmoid_critic",
            origin="answer",
            kind="silent",
            symptom="The estimate cannot leave [-1, 1], and samples lack diversity.",
            cause="A sigmoid bounds the scores, whose difference is to measure a distance.",
            source=GULRAJANI,
            takes=("critic_output",),
            donor=found.SigmoidCritic,
            oracle=oracles.critic_is_unbounded,
        ),
        Fault(
            id="batchnorm_critic",
            origin="wild",
            kind="silent",
            symptom="The penalty bounds something else than each image's slope.",
            cause="BatchNorm makes each score depend on the whole batch.",
            source=GULRAJANI,
            takes=("critic_norm",),
            donor=found.BatchNormCritic,
            oracle=oracles.images_are_judged_alone,
        ),
        Fault(
            id="square_root_at_zero",
            origin="wild",
            kind="silent",
            symptom="All weights of the critic are NaN after a step where it was level.",
            cause="The root's slope at 0 is infinite, and the square inside has a slope of 0.",
            source="https://docs.pytorch.org/docs/stable/generated/torch.linalg.vector_norm.html",
            takes=("norm",),
            donor=found.RootOfSquares,
            oracle=oracles.flat_critic_gives_no_nan,
        ),
        Fault(
            id="integer_betas",
            origin="wild",
            kind="crash",
            symptom="The optimiser cannot be made.",
            cause="Adam wants both betas of one type, and the papers write 0 beside 0.9.",
            source="https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html",
            takes=("betas",),
            donor=found.IntegerBetas,
            oracle=oracles.optimizers_can_be_made,
        ),
        *PENALTY_FAULTS,
        *CRITIC_FAULTS,
        *DDP_FAULTS,
    ],
)
