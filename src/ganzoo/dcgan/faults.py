"""The faults of the CelebA GAN, of its published answer, and the oracles that see each of them."""

from ganzoo.catalogue import Catalogue, Fault
from ganzoo.dcgan import oracles
from ganzoo.dcgan.advised import AdvisedDCGAN
from ganzoo.dcgan.buggy import BuggyDCGAN
from ganzoo.dcgan.fixed import FixedDCGAN
from ganzoo.dcgan.tempting import Lightning1DCGAN, OwnOptimizersDCGAN

POST = [
    Fault(
        id="foreign_optimizers",
        origin="post",
        kind="silent",
        symptom="Gradients arrive, yet no weight of either network ever changes.",
        cause="The optimisers hold the parameters of networks made anew for them, and of the "
        "generator's only its first layer; the trained networks' are in neither.",
        source="https://docs.pytorch.org/docs/stable/optim.html",
        takes=("configure_optimizers",),
        donor=BuggyDCGAN,
        oracle=oracles.optimizers_hold_own_parameters,
    ),
    Fault(
        id="rounded_fakes",
        origin="post",
        kind="silent",
        symptom="Every gradient of the generator is exactly zero, and none is None.",
        cause="Rounding has a zero derivative everywhere: the graph is whole, and carries zeros.",
        source="https://docs.pytorch.org/docs/stable/generated/torch.round.html",
        takes=("shown_to_critic",),
        donor=BuggyDCGAN,
        oracle=oracles.fakes_carry_gradient,
    ),
    Fault(
        id="zero_grad_in_step",
        origin="post",
        kind="silent",
        symptom="Accumulated gradients vanish, and a gradient read between steps is None or 0.",
        cause="The module's zero_grad clears both networks before each loss. Where the optimisers "
        "hold other parameters it is the only thing that clears the real ones.",
        source="https://lightning.ai/docs/pytorch/stable/model/manual_optimization.html",
        takes=("clear_gradients",),
        donor=BuggyDCGAN,
        oracle=oracles.gradients_survive_until_cleared,
    ),
    Fault(
        id="nan_replaced",
        origin="post",
        kind="silent",
        symptom="Losses of exactly 100 and 0 for ever after a NaN, and no error.",
        cause="NaN scores become a new constant that needs a gradient, so that backward succeeds "
        "without reaching any network. In the post it never fires.",
        source="https://docs.pytorch.org/docs/stable/notes/autograd.html",
        takes=("checked",),
        donor=BuggyDCGAN,
        oracle=oracles.nan_scores_stay_nan,
    ),
    Fault(
        id="batch_of_one",
        origin="post",
        kind="silent",
        symptom="Any batch larger than one image fails in a view; each step sees one image.",
        cause="The views, the latent and the targets hold one image by construction, and every "
        "image of a batch would share one latent.",
        source="https://docs.pytorch.org/docs/stable/generated/torch.Tensor.view.html",
        takes=("batch_size", "draw_latents", "target", "fold_seed", "flatten_features"),
        donor=BuggyDCGAN,
        oracle=oracles.views_keep_the_batch,
    ),
    Fault(
        id="raw_pixels",
        origin="post",
        kind="silent",
        symptom="Gradients 255 times too large reach the generator, unless BatchNorm hides it.",
        cause="The critic reads pixels of 0 to 255, far from the unit scale its weights are for.",
        source="LeCun et al. 1998, Efficient BackProp, section 4.3",
        takes=("reals_in_range", "fakes_in_range"),
        donor=BuggyDCGAN,
        oracle=oracles.critic_reads_unit_scale,
    ),
    Fault(
        id="sigmoid_bce",
        origin="post",
        kind="silent",
        symptom="A confident critic gives the generator a gradient of exactly zero.",
        cause="In float32 a sigmoid reaches exactly 0, where cross-entropy is clamped at 100.",
        source="https://docs.pytorch.org/docs/stable/generated/torch.nn.BCEWithLogitsLoss.html",
        takes=("critic_output", "chance_score", "adversarial_loss"),
        donor=BuggyDCGAN,
        oracle=oracles.confident_critic_still_teaches,
    ),
    Fault(
        id="tiny_learning_rate",
        origin="post",
        kind="silent",
        symptom="Once gradients flow the weights do move, by nothing that the eye can see.",
        cause="Adam moves a weight by about its rate a step: 1e-5 takes 100,000 steps for a unit.",
        source="Kingma and Ba 2015, section 2.1",
        takes=("learning_rate",),
        donor=BuggyDCGAN,
        oracle=oracles.adam_can_move_the_weights,
    ),
    Fault(
        id="default_betas",
        origin="post",
        kind="silent",
        symptom="The two networks overshoot each other and oscillate.",
        cause="Momentum of 0.9 averages gradients of a game whose direction turns in between.",
        source="Radford et al. 2016, section 4; Gidel et al. 2019",
        takes=("betas",),
        donor=BuggyDCGAN,
        oracle=oracles.momentum_is_low,
    ),
    Fault(
        id="default_initialisation",
        origin="post",
        kind="silent",
        symptom="All untrained samples are one grey, and the repaired program still looks dead.",
        cause="PyTorch's default weights of a transposed convolution shrink the signal to about "
        "0.3 of its size in each layer; SELU needs weights that preserve it.",
        source="Klambauer et al. 2017, section 2; torch.nn.init, fan of a transposed convolution",
        takes=("init_weights",),
        donor=BuggyDCGAN,
        oracle=oracles.generator_weights_keep_variance,
    ),
    Fault(
        id="batchnorm_critic",
        origin="post",
        kind="silent",
        symptom="Training collapses at rates that an unnormalised critic takes with ease.",
        cause="BatchNorm makes an image's score depend on the others of its batch, and reals and "
        "fakes pass in separate batches, so that it hides their difference in scale.",
        source="Gulrajani et al. 2017, section 4; Mescheder et al. 2018",
        takes=("critic_norm",),
        donor=BuggyDCGAN,
        oracle=oracles.scores_are_independent,
    ),
    Fault(
        id="unregularised_critic",
        origin="post",
        kind="silent",
        symptom="The critic wins, or the two circle; samples keep a coarse texture.",
        cause="Nothing bounds the critic's slope at the data, so that it need not converge.",
        source="Mescheder et al. 2018, section 4.1",
        takes=("critic_penalty",),
        donor=BuggyDCGAN,
        oracle=oracles.critic_slope_is_penalised,
    ),
    Fault(
        id="gradient_read_too_early",
        origin="post",
        kind="silent",
        symptom="The printed gradient is None or zero, or the previous batch's, in any program.",
        cause="It is read before this step's backward, after the last one was cleared.",
        source="https://lightning.ai/docs/pytorch/stable/common/lightning_module.html",
        takes=("before_backward", "after_backward"),
        donor=BuggyDCGAN,
        oracle=oracles.reading_is_of_this_step,
    ),
    Fault(
        id="extra_generator_pass",
        origin="post",
        kind="silent",
        symptom="The saved picture is not the one in the loss, and runs change with its interval.",
        cause="A second image is generated inside the step, which shifts the random state.",
        source="https://docs.pytorch.org/docs/stable/notes/randomness.html",
        takes=("preview",),
        donor=BuggyDCGAN,
        oracle=oracles.preview_draws_nothing,
    ),
    Fault(
        id="no_averaged_generator",
        origin="post",
        kind="silent",
        symptom="Samples of one moment are noisier than the generator's average over time.",
        cause="Only the last weights are kept of a game that circles its solution.",
        source="Yazici et al. 2019",
        takes=("start_average",),
        donor=BuggyDCGAN,
        oracle=oracles.an_average_is_kept,
    ),
    Fault(
        id="lightning_1_api",
        origin="post",
        kind="crash",
        symptom="RuntimeError: Training with multiple optimizers is only supported with manual "
        "optimization. Before that, TypeError for Trainer(gpus=1) and fit(train_dataloader=...).",
        cause="Written for Lightning 1: it passed optimizer_idx and stepped both optimisers.",
        source="https://lightning.ai/docs/pytorch/stable/upgrade/from_1_9.html",
        takes=("training_step",),
        donor=Lightning1DCGAN,
        oracle=oracles.lightning_2_accepts_the_step,
    ),
]

ANSWER = [
    Fault(
        id="mismatched_scale",
        origin="answer",
        kind="silent",
        symptom="None while the critic's BatchNorm normalises each batch; without it, or in eval "
        "mode, the critic tells reals from fakes by scale alone.",
        cause="Fakes reach the critic in [0, 1], reals stay in [0, 255].",
        source="measured: see the claims of this family",
        takes=("reals_in_range", "fakes_in_range"),
        donor=AdvisedDCGAN,
        oracle=oracles.reals_and_fakes_share_a_scale,
    ),
    Fault(
        id="one_image_a_batch",
        origin="answer",
        kind="silent",
        symptom="Noisy gradients, and BatchNorm statistics of a single image.",
        cause="The answer frees the batch dimension and leaves the batch at one image.",
        source="Ioffe and Szegedy 2015, section 3",
        takes=("batch_size",),
        donor=AdvisedDCGAN,
        oracle=oracles.free_batches_hold_several_images,
    ),
    Fault(
        id="optimizer_before_layers",
        origin="answer",
        kind="silent",
        symptom="The loss moves, but only 2 of the generator's 8 tensors ever change.",
        cause="The tempting repair: the optimiser that the generator made for itself, made before "
        "the layers that came after it existed.",
        source="https://docs.pytorch.org/docs/stable/optim.html",
        takes=("configure_optimizers",),
        donor=OwnOptimizersDCGAN,
        oracle=oracles.no_tensor_is_left_out,
    ),
    Fault(
        id="advised_views_crash",
        origin="answer",
        kind="crash",
        symptom="RuntimeError: shape '[features, 6, rows, columns]' is invalid for input of size "
        "features.",
        cause="The advised view reads a batch size off features that have none: the posted latent "
        "is one-dimensional, and the answer leaves it so.",
        source="https://docs.pytorch.org/docs/stable/generated/torch.Tensor.view.html",
        takes=("draw_latents",),
        donor=BuggyDCGAN,
        oracle=oracles.generator_accepts_the_latents,
    ),
    Fault(
        id="mismatched_targets",
        origin="answer",
        kind="crash",
        symptom="ValueError: the target size ([1]) differs from the input size ([N, 1]).",
        cause="The advised view makes scores two-dimensional; the posted targets stay [1].",
        source="https://docs.pytorch.org/docs/stable/generated/torch.nn.BCELoss.html",
        takes=("target",),
        donor=BuggyDCGAN,
        oracle=oracles.loss_accepts_the_targets,
    ),
]

REPAIRED_BY_ANSWER = {
    "foreign_optimizers",
    "rounded_fakes",
    "zero_grad_in_step",
    "nan_replaced",
    "batch_of_one",
    "raw_pixels",  # it becomes mismatched_scale
}
LEFT_BY_ANSWER = [f.id for f in POST if f.kind == "silent" and f.id not in REPAIRED_BY_ANSWER]

FAULTS = Catalogue(
    fixed=FixedDCGAN,
    buggy=BuggyDCGAN,
    advised=AdvisedDCGAN,
    advised_ids=[*LEFT_BY_ANSWER, "mismatched_scale", "one_image_a_batch"],
    faults=[*POST, *ANSWER],
)
