"""Kinds of findings about losses, clips and penalties."""

from ganzoo.doctor.kind import Kind

LOSSES: dict[str, Kind] = {
    # losses
    "label_shape_broadcast": Kind(
        "error",
        "Scores and labels of unequal shape broadcast: every score is compared with every label.",
        "Bring the labels into the scores' shape, by view_as or unsqueeze(1).",
        ("label_broadcast",),
    ),
    "label_typo": Kind(
        "error",
        "The critic's loss asks the same of reals and of fakes.",
        "Give the two sides opposite targets.",
        ("fakes_labelled_real",),
    ),
    "generator_cooperates": Kind(
        "error",
        "The generator's loss asks of a fake's score what the critic's loss asks of it, too.",
        "Turn the sign, or the label, of one of the two.",
        ("negated_generator_loss", "cooperating_generator"),
    ),
    "hinge_generator_relu": Kind(
        "error",
        "The generator's loss is flat where the critic calls a sample fake.",
        "The generator's hinge loss is -D(fake), without a relu.",
        ("hinge_in_generator",),
    ),
    "log_of_unbounded_score": Kind(
        "error",
        "A logarithm is taken of a score that may be negative.",
        "Use binary_cross_entropy_with_logits, or softplus, on the raw score.",
        ("log_of_unbounded_score",),
    ),
    "output_loss_mismatch": Kind(
        "error",
        "The critic ends in a sigmoid, and its loss takes another.",
        "Leave the sigmoid out, or use binary_cross_entropy on probabilities.",
    ),
    "bounded_critic_output": Kind(
        "error",
        "The loss takes the critic's scores as they are, and an activation bounds them.",
        "Let the critic end in a linear layer.",
        ("sigmoid_critic",),
    ),
    "clip_not_in_place": Kind(
        "error",
        "clamp returns a clamped copy that nobody keeps: the weights stay as they are.",
        "p.data.clamp_(-c, c), with the underscore, after the step.",
        ("clamp_not_in_place",),
    ),
    "clip_wrong_network": Kind(
        "error",
        "The weights that are clipped are the generator's; the critic's are to be bounded.",
        "Clip the critic's parameters, or penalise its slope.",
        ("clamp_on_generator",),
    ),
    "clip_before_step": Kind(
        "error",
        "The weights are clipped between forward and step, and the step leaves the bounds.",
        "Clip behind the step.",
        ("clamp_before_step",),
    ),
    "clip_too_tight": Kind(
        "warning",
        "Clipped weights shrink the scores of all layers to next to nothing.",
        "Penalise the slope, or clip less.",
        ("clamped_critic",),
    ),
    # penalty
    "gp_no_second_order": Kind(
        "error",
        "The penalty is a number without a graph: it is logged, and trains nothing.",
        "autograd.grad(..., create_graph=True).",
        ("first_order_penalty",),
    ),
    "gp_wrong_norm_axis": Kind(
        "error",
        "The penalty's norm is not one of each sample's whole gradient: each pixel's slope is "
        "drawn to the target instead.",
        "gradient.flatten(1).norm(dim=1).",
        ("per_pixel_penalty",),
    ),
    "gp_norm_over_batch": Kind(
        "error",
        "One norm is taken of the gradients of a whole batch.",
        "gradient.flatten(1).norm(dim=1), and the mean behind the penalty.",
        ("penalty_norm_over_batch",),
    ),
    "gp_alpha_wrong": Kind(
        "error",
        "The penalty's points do not lie between a real and a fake sample.",
        "One alpha a sample, uniform in [0, 1]: torch.rand(n, 1, 1, 1).",
        ("alpha_per_pixel", "alpha_normal", "flat_alpha_broadcast"),
    ),
    "gp_at_reals_only": Kind(
        "warning",
        "The slope is drawn to 1 at the real samples, and nowhere between them and the fakes.",
        "Draw points between reals and fakes; at reals alone the target is 0 (R1).",
        ("penalty_at_reals_only",),
    ),
    "gp_wrong_space": Kind(
        "error",
        "The penalty's slope is not the critic's slope by what the critic is shown.",
        "Make the leaf of what the critic reads, and take the gradient of its plain score.",
        ("penalty_behind_normaliser", "penalty_through_reversal"),
    ),
    "gp_sqrt_at_zero": Kind(
        "note",
        "A square root of a sum of squares has an infinite slope where the gradient is 0.",
        "Add 1e-12 below the root, or use norm(), which is safe there.",
        ("square_root_at_zero",),
    ),
    "bn_in_gp_critic": Kind(
        "warning",
        "BatchNorm makes a sample's score depend on the others: its own slope is not defined.",
        "LayerNorm, InstanceNorm or nothing in a critic whose slope is penalised.",
        ("batchnorm_critic",),
    ),
    "lipschitz_constraint_missing": Kind(
        "error",
        "The loss is linear in the scores, and nothing bounds the critic's slope.",
        "A gradient penalty, spectral normalisation, or clipped weights.",
        ("no_lipschitz_bound", "clamp_not_in_place"),
    ),
}
