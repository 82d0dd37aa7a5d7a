"""The faults of the article's first GAN: of its failure, its advice (``advice.py``), and others."""

from ganzoo.catalogue import Catalogue, Fault
from ganzoo.mlp_gan import found, oracles
from ganzoo.mlp_gan.advice import ANSWER
from ganzoo.mlp_gan.advised import AdvisedMLPGAN
from ganzoo.mlp_gan.buggy import BuggyMLPGAN
from ganzoo.mlp_gan.fixed import FixedMLPGAN
from ganzoo.wild.bookkeeping import BOOKKEEPING_FAULTS
from ganzoo.wild.losses import LOSS_FAULTS
from ganzoo.wild.samples import SAMPLE_FAULTS
from ganzoo.wild.steps import STEP_FAULTS

POST = [
    Fault(
        id="sigmoid_bce",
        origin="post",
        kind="silent",
        symptom="Both losses stand at 0 or at exactly 100, and every gradient is exactly 0.",
        cause="In float32 a sigmoid reaches 1 at a logit of 17 and 0 at -104, where cross-entropy "
        "is clamped at 100 and has no slope.",
        source="https://docs.pytorch.org/docs/stable/generated/torch.nn.BCEWithLogitsLoss.html",
        takes=("critic_output", "chance_score", "adversarial_loss"),
        donor=BuggyMLPGAN,
        oracle=oracles.confident_critic_still_teaches,
    ),
    Fault(
        id="overtrained_critic",
        origin="post",
        kind="silent",
        symptom="The critic is right about everything within a few steps; samples stay noise.",
        cause="It moves thousands of times as fast as the generator, by its rate and its turns.",
        source="Arjovsky and Bottou 2017, section 2.2",
        takes=("critic_rate", "generator_rate", "critic_turns"),
        donor=BuggyMLPGAN,
        oracle=oracles.networks_are_balanced,
    ),
    Fault(
        id="range_mismatch",
        origin="post",
        kind="silent",
        symptom="The critic wins whatever else is done; samples are one grey or white picture.",
        cause="The generator's last layer gives 0 to 1, and pixels are -1 to 1: most of them, the "
        "background at -1, cannot be made.",
        source="Radford et al. 2016, section 4",
        takes=("generator_output",),
        donor=BuggyMLPGAN,
        oracle=oracles.every_pixel_can_be_made,
    ),
    Fault(
        id="default_betas",
        origin="post",
        kind="silent",
        symptom="All samples show one digit, or none.",
        cause="Momentum of 0.9 averages gradients of a game whose direction turns in between.",
        source="Radford et al. 2016, section 4; Gidel et al. 2019",
        takes=("betas",),
        donor=BuggyMLPGAN,
        oracle=oracles.momentum_is_low,
    ),
    Fault(
        id="unnormalised_generator",
        origin="post",
        kind="silent",
        symptom="Samples lack diversity: one picture or a few.",
        cause="Without BatchNorm the latents of a batch are mapped to nearly equal features.",
        source="Radford et al. 2016, section 3; Ioffe and Szegedy 2015",
        takes=("generator_norm",),
        donor=BuggyMLPGAN,
        oracle=oracles.generator_is_normalised,
    ),
]

FOUND = [
    Fault(
        id="saturating_generator_loss",
        origin="wild",
        kind="silent",
        symptom="The better the critic, the smaller the generator's gradient: 1e-6 after 50 steps.",
        cause="log(1 - D) is flat where the critic is sure that an image is fake.",
        source="Goodfellow et al. 2014, section 3",
        takes=("generator_loss",),
        donor=found.Saturating,
        oracle=oracles.losing_generator_has_a_gradient,
    ),
    Fault(
        id="log_of_zero",
        origin="wild",
        kind="silent",
        symptom="A loss of NaN, although no gradient was large before.",
        cause="log(0) is minus infinity, and 0 times it is NaN; the loss functions of torch take "
        "logits, or clamp.",
        source="https://docs.pytorch.org/docs/stable/generated/torch.nn.BCEWithLogitsLoss.html",
        takes=("adversarial_loss",),
        donor=found.HandWritten,
        oracle=oracles.loss_is_finite_where_the_critic_is_sure,
    ),
    Fault(
        id="clamped_critic",
        origin="wild",
        kind="silent",
        symptom="Both losses stand at ln 2 from the start, like those of a finished training.",
        cause="Weights clipped to 0.01 shrink the scores of three layers to nothing: the critic "
        "cannot tell anything.",
        source="Gulrajani et al. 2017, section 3; Arjovsky et al. 2017, algorithm 1",
        takes=("after_critic_step",),
        donor=found.ClampedCritic,
        oracle=oracles.critic_can_learn_through_its_bound,
    ),
    Fault(
        id="label_broadcast",
        origin="wild",
        kind="silent",
        symptom="Every score is trained towards the labels of all; nothing is learnt where they "
        "differ.",
        cause="Labels of shape (N,) and scores of shape (N, 1) broadcast to (N, N) in an "
        "elementwise loss.",
        source="https://docs.pytorch.org/docs/stable/notes/broadcasting.html",
        takes=("target", "adversarial_loss"),
        donor=found.BroadcastLabels,
        oracle=oracles.each_score_meets_its_own_label,
    ),
]

ADVISED = (
    "sigmoid_bce",
    "unnormalised_generator",
    "gradient_clip_as_weight_clip",
    "clip_hides_nan",
    "smoothing_as_balance",
    "rising_rates",
    "smaller_leak",
    "norm_of_last_parameter",
    "fid_range",
    "fid_not_reset",
)

FAULTS = Catalogue(
    fixed=FixedMLPGAN,
    buggy=BuggyMLPGAN,
    advised=AdvisedMLPGAN,
    advised_ids=ADVISED,
    faults=[
        *POST,
        *ANSWER,
        *FOUND,
        *LOSS_FAULTS,
        *STEP_FAULTS,
        *BOOKKEEPING_FAULTS,
        *SAMPLE_FAULTS,
    ],
)
