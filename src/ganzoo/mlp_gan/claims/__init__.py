"""What the article says of a first GAN, and the experiments that judge it."""

from ganzoo.claims import Claim, Judgement
from ganzoo.mlp_gan.claims import critic, gradients, measuring, training

POST = "post"
ANSWER = "answer"


def claim(id: str, by: str, statement: str, experiment: object, slow: bool = False) -> Claim:
    """Return a claim; ``by`` is "post" for what the article saw, "answer" for what it advises."""
    return Claim(id, by, statement, experiment, slow)  # pyright: ignore[reportArgumentType]


LEDGER = (
    claim(
        "won_critic_is_mode_collapse",
        POST,
        "A critic's loss near 0 beside grey noise is called mode collapse.",
        critic.won_critic_is_mode_collapse,
    ),
    claim(
        "won_critic_starves_generator",
        POST,
        "Once the critic has won, the printed loop leaves the generator almost no gradient.",
        critic.won_critic_starves_generator,
    ),
    claim(
        "sigmoid_reaches_zero_slope",
        POST,
        "The generator's gradient vanishes although its loss is large.",
        critic.sigmoid_reaches_zero_slope,
    ),
    claim(
        "losing_loss_has_no_limit",
        POST,
        "The generator's loss soars to an unbelievable height.",
        critic.losing_loss_has_no_limit,
    ),
    claim(
        "loop_runs",
        POST,
        "The printed loop, which detaches the fakes for the critic's step, is a valid one.",
        critic.loop_runs,
    ),
    claim(
        "accuracy_shows_imbalance",
        POST,
        "A critic that is right all of the time shows an imbalance of the two.",
        critic.accuracy_shows_imbalance,
        slow=True,
    ),
    claim(
        "gradient_clip_clips_weights",
        ANSWER,
        "clip_grad_norm_ on the critic's parameters clips its weights.",
        critic.gradient_clip_clips_weights,
    ),
    claim(
        "gradient_clip_restrains_critic",
        ANSWER,
        "Clipping so restrains a critic that is too strong.",
        critic.gradient_clip_restrains_critic,
    ),
    claim(
        "clip_keeps_accuracy_in_band",
        ANSWER,
        "A clip of 0.05 with labels smoothed by 0.1 keeps the critic's accuracy at 60 to 70 %.",
        critic.clip_keeps_accuracy_in_band,
        slow=True,
    ),
    claim(
        "band_means_health",
        ANSWER,
        "An accuracy of 60 to 70 % is where the critic should be.",
        critic.band_means_health,
        slow=True,
    ),
    claim(
        "noise_on_reals_helps",
        ANSWER,
        "Noise on real images helps early in the training.",
        critic.noise_on_reals_helps,
        slow=True,
    ),
    claim(
        "smoothing_helps",
        ANSWER,
        "Smoothed labels help against a critic that is ahead.",
        critic.smoothing_helps,
        slow=True,
    ),
    claim(
        "smoothing_bounds_the_critic",
        ANSWER,
        "A target of 0.9 for reals keeps the critic from being too sure.",
        critic.smoothing_bounds_the_critic,
    ),
    claim(
        "flat_labels_run",
        ANSWER,
        "Smoothed labels are made by torch.full with the size of the batch.",
        critic.flat_labels_run,
    ),
    claim(
        "more_generator_steps_help",
        ANSWER,
        "Two to four generator steps for each of the critic's help where that is ahead.",
        critic.more_generator_steps_help,
        slow=True,
    ),
    claim(
        "reused_fakes_run",
        ANSWER,
        "Several generator steps fit into the printed loop.",
        critic.reused_fakes_run,
    ),
    claim(
        "nan_means_explosion",
        POST,
        "A loss that turns NaN is a gradient explosion.",
        gradients.nan_means_explosion,
    ),
    claim(
        "gradcheck_finds_bad_layers",
        POST,
        "gradcheck shows in which layers gradients are too large or too small.",
        gradients.gradcheck_finds_bad_layers,
    ),
    claim(
        "tiny_parameters_are_a_sign",
        POST,
        "Parameters as large as 1e6 or as small as 1e-6 are a sign of danger.",
        gradients.tiny_parameters_are_a_sign,
    ),
    claim(
        "clip_belongs_before_the_step",
        ANSWER,
        "A gradient is clipped between backward and the optimiser's step.",
        gradients.clip_belongs_before_the_step,
    ),
    claim(
        "isnan_finds_explosions",
        ANSWER,
        "Looking for NaN among the gradients finds an explosion.",
        gradients.isnan_finds_explosions,
    ),
    claim(
        "small_gradients_stop_updates",
        ANSWER,
        "The largest gradient shows whether the parameters still move.",
        gradients.small_gradients_stop_updates,
    ),
    claim(
        "smaller_leak_helps_gradients",
        ANSWER,
        "A slope of 0.1 in place of 0.2 in LeakyReLU improves the flow of gradients.",
        gradients.smaller_leak_helps_gradients,
    ),
    claim(
        "printed_norm_is_the_gradients",
        ANSWER,
        "The printed monitor shows the norm of the generator's gradient.",
        gradients.printed_norm_is_the_gradients,
    ),
    claim(
        "networks_run",
        ANSWER,
        "The two printed networks fit each other and 28x28 images.",
        training.networks_run,
    ),
    claim(
        "sigmoid_output_is_blurred",
        ANSWER,
        "A generator that ends in a sigmoid trains badly and blurs.",
        training.sigmoid_output_is_blurred,
    ),
    claim(
        "always_tanh",
        ANSWER,
        "The generator always ends in tanh.",
        training.always_tanh,
    ),
    claim(
        "data_must_match_range",
        ANSWER,
        "Pixels must be brought to the range of the generator's output.",
        training.data_must_match_range,
    ),
    claim(
        "activation_ranking",
        ANSWER,
        "Tanh with LeakyReLU(0.2) is best, sigmoid with ReLU worst, the others lie between.",
        training.activation_ranking,
        slow=True,
    ),
    claim(
        "linear_output_oversaturates",
        ANSWER,
        "An output without an activation is oversaturated.",
        training.linear_output_oversaturates,
    ),
    claim(
        "momentum_unsettles",
        ANSWER,
        "Adam's default betas make the training unsteady; a first beta of 0.5 is better.",
        training.momentum_unsettles,
        slow=True,
    ),
    claim(
        "lower_rate_is_steadier",
        ANSWER,
        "A rate of 1e-4 is steadier than 2e-4, and slower.",
        training.lower_rate_is_steadier,
        slow=True,
    ),
    claim(
        "staged_rates_are_best",
        ANSWER,
        "Rates that rise in stages, 1e-4, 2e-4, 3e-4, work best.",
        training.staged_rates_are_best,
        slow=True,
    ),
    claim(
        "small_batches_cure_collapse",
        ANSWER,
        "Batches of 32 in place of 128 cure a mode collapse.",
        training.small_batches_cure_collapse,
        slow=True,
    ),
    claim(
        "losses_lie",
        POST,
        "Loss curves can look converged beside samples without meaning.",
        measuring.losses_lie,
        slow=True,
    ),
    claim(
        "accuracy_says_nothing",
        POST,
        "The critic's accuracy is no measure of a GAN.",
        measuring.curves_alone_do_not_tell_accuracy,
        slow=True,
    ),
    claim(
        "fid_snippet_runs",
        ANSWER,
        "The printed lines compute the FID of this program's images.",
        measuring.fid_snippet_runs,
    ),
    claim(
        "fid_range_is_noticed",
        ANSWER,
        "The metric may be given the generator's output.",
        measuring.fid_range_is_noticed,
    ),
    claim(
        "fid_costs_more",
        ANSWER,
        "The Inception score costs a medium, the FID a high amount of computation.",
        measuring.fid_costs_more,
    ),
    claim(
        "thresholds_are_universal",
        ANSWER,
        "An Inception score above 6 and an FID below 30 are good.",
        measuring.thresholds_are_universal,
    ),
    claim(
        "lowest_fid_is_best",
        ANSWER,
        "Of five kept snapshots, the one of the lowest FID is the best.",
        measuring.lowest_fid_is_best,
    ),
    claim(
        "lpips_shows_diversity",
        ANSWER,
        "LPIPS measures diversity, at a high cost.",
        measuring.lpips_shows_diversity,
    ),
)

CLAIMS: dict[str, Claim] = {entry.id: entry for entry in LEDGER}

__all__ = ["CLAIMS", "Claim", "Judgement"]
