"""Kinds of findings about what the networks are shown, their layers, and the game."""

from ganzoo.doctor.kind import Kind

INPUTS: dict[str, Kind] = {
    # what the critic is shown
    "range_mismatch": Kind(
        "error",
        "Reals lie where the generator cannot reach, or leave out half of where it reaches: the "
        "critic tells them by their range.",
        "Scale reals to the range of the generator's last activation: [-1, 1] for tanh.",
        ("range_mismatch", "reals_in_unit_range", "mismatched_scale"),
    ),
    "domain_scale_mismatch": Kind(
        "error",
        "Two kinds of input to one network differ in scale by more than ten times.",
        "Bring both to one scale before the network.",
        ("unscaled_target", "mismatched_scale"),
    ),
    "unscaled_input": Kind(
        "warning",
        "The critic reads numbers of the order of a hundred; initial weights are for a unit.",
        "Scale pixels to [-1, 1].",
        ("raw_pixels",),
    ),
    "trivial_real_fake_tell": Kind(
        "error",
        "Some positions are one exact number in every real sample, amid the range: the critic "
        "needs to look at nothing else.",
        "Treat fakes likewise, or leave out the padding.",
        ("constant_frame_on_reals",),
    ),
    "noise_on_one_side": Kind(
        "warning",
        "Noise is added to one side of the critic's input only, and is itself a difference.",
        "Add it to reals and fakes alike.",
        ("noise_on_real_only",),
    ),
    "constant_condition": Kind(
        "error",
        "Every label of a classifier's or a condition's is the same, batch after batch.",
        "Look at how labels are read: a folder per class, and not one folder above them.",
        ("constant_label",),
    ),
    "fixed_noise": Kind(
        "error",
        "The generator gets the same latents at every step, while the reals change.",
        "Draw latents anew at each step.",
        ("fixed_noise",),
    ),
    # normalisation, modes, averages
    "batch_of_one": Kind(
        "error",
        "A network with batch statistics is trained on one sample at a time.",
        "Use batches of more than one.",
        ("batch_of_one", "one_image_a_batch"),
    ),
    "bn_eps_momentum": Kind(
        "warning",
        "BatchNorm's eps, which is its second argument, is larger than 0.1: it hardly normalises.",
        "BatchNorm2d(c, momentum=...).",
        ("eps_for_momentum",),
    ),
    "bn_mixed_batch": Kind(
        "warning",
        "Reals and fakes pass the critic's BatchNorm as one batch, whose statistics are of both.",
        "Pass them one after the other, or use another normalisation.",
        ("reals_and_fakes_in_one_norm",),
    ),
    "bn_stats_frozen": Kind(
        "warning",
        "BatchNorm is in eval mode in training: its statistics never follow the data.",
        "Put the network into train mode before its steps.",
        ("frozen_statistics",),
    ),
    "ema_buffers_frozen": Kind(
        "error",
        "An averaged copy follows the parameters, and its buffers stay as they were copied.",
        "Copy the buffers, too; AveragedModel(use_buffers=True).",
        ("average_without_buffers",),
    ),
    # settings and game
    "step_too_large": Kind(
        "warning",
        "A step moves single weights by a large share of their whole scale.",
        "Lower the rate; 5e-5 for RMSprop and 1e-4 to 1e-3 for Adam are usual.",
        ("default_rmsprop_rate",),
    ),
    "critic_overtrained": Kind(
        "warning",
        "By its rate and its turns the critic moves far faster than the generator.",
        "Bring the rates and the turns nearer to each other.",
        ("overtrained_critic",),
    ),
    "ddp_unused_params": Kind(
        "note",
        "Parameters of an optimiser get no gradient by any loss; DDP stops at them.",
        "Leave them out, or freeze them.",
        ("unused_parameters",),
    ),
    "resume_state": Kind(
        "error",
        "A checkpoint was loaded, and what it holds was not restored.",
        "Restore optimisers, schedules and counters with the weights.",
        ("optimizers_not_restored", "counters_not_restored"),
    ),
    "lightning_migration": Kind(
        "error",
        "Lightning 2 does not call this hook in manual optimisation.",
        "Call self.clip_gradients in the step yourself.",
        ("unused_clipping_hook",),
    ),
    "lightning_global_step": Kind(
        "note",
        "global_step counts the steps of every optimiser, and is read within the training step.",
        "Count generator steps yourself, where a schedule depends on them.",
        ("global_step_schedule",),
    ),
    "not_finite": Kind(
        "error",
        "A number that is not finite first appeared there.",
        "Start from the first of them: what comes behind follows from it.",
        ("clip_hides_nan", "square_root_at_zero", "log_of_zero"),
    ),
    "vanishing_gradient": Kind(
        "warning",
        "The generator's gradient is exactly zero, or next to it, though its graph is whole.",
        "A loss that is not flat where the critic is sure: logits, non-saturating.",
        ("sigmoid_bce", "saturating_generator_loss"),
    ),
    "mode_collapse": Kind(
        "warning",
        "Samples of different latents are all but equal, and reals are not.",
        "Look at the findings above first; else a smaller rate, or a penalty.",
        ("unnormalised_generator",),
    ),
    "sigmoid_bce_saturation": Kind(
        "note",
        "The critic ends in a sigmoid, which is exactly 0 or 1 in float32 where it is sure.",
        "binary_cross_entropy_with_logits on a linear last layer.",
        ("sigmoid_bce",),
    ),
    "log_of_zero": Kind(
        "note",
        "A logarithm is taken of a probability that is exactly 0 in float32 where the critic is "
        "sure: minus infinity, and NaN once it is multiplied by 0.",
        "binary_cross_entropy_with_logits on raw scores, which cannot.",
        ("log_of_zero",),
    ),
    "saturating_loss": Kind(
        "note",
        "The generator lowers log(1 - D), which is flat where the critic is sure of a fake.",
        "The non-saturating loss, -log D.",
        ("saturating_generator_loss",),
    ),
    "forward_changes_state": Kind(
        "note",
        "A forward of the critic changes a plain attribute, once for every call, that no "
        "checkpoint holds.",
        "Count steps outside of forward, in a buffer.",
        ("schedule_counts_forwards",),
    ),
    "reversal_off": Kind(
        "note",
        "The reversal's coefficient is 0 at this step: nothing arrives before it.",
        "Normal at the start of a warm-up; otherwise look at its schedule.",
        ("first_coefficient_zero",),
    ),
    "clipped_weights": Kind(
        "note",
        "The critic is bounded by clipped weights, at no particular slope.",
        "A gradient penalty bounds it at 1.",
        ("weight_clipping",),
    ),
    "dropout_in_critic": Kind(
        "note",
        "Dropout makes a Lipschitz critic another function at each forward.",
        "Leave it out.",
        ("critic_dropout",),
    ),
    "unbounded_generator": Kind(
        "note",
        "The generator's output is not bounded, and the data are.",
        "End in tanh or sigmoid, and scale the data likewise.",
        ("unbounded_output", "unbounded_features"),
    ),
    "momentum": Kind(
        "note",
        "Adam's first beta is 0.9 or more: it averages gradients of a game that turns meanwhile.",
        "betas=(0.5, 0.999), or (0.0, 0.9).",
        ("default_betas",),
    ),
    "tiny_rate": Kind(
        "note",
        "A rate this small moves a weight by its own scale in tens of thousands of steps.",
        "1e-4 to 1e-3 for Adam.",
        ("tiny_learning_rate",),
    ),
    "undetached_penalty": Kind(
        "note",
        "The critic's backward walks through the generator, whose gradient is thrown away.",
        "Detach the fakes in the critic's step: the same result for less work.",
        ("undetached_ends",),
    ),
}
