"""What the post and its answer say about the CelebA GAN, each with its experiment."""

from ganzoo.claims import Claim
from ganzoo.dcgan import experiments

CLAIMS = {
    claim.id: claim
    for claim in (
        Claim(
            "critic_trains_normally",
            "post",
            "Only the generator is stuck; the critic trains as it should.",
            experiments.critic_trains_normally,
        ),
        Claim(
            "binding_zeroes_the_gradient",
            "answer",
            "Optimisers bound to other networks are the main reason why the gradient is 0.",
            experiments.binding_zeroes_the_gradient,
        ),
        Claim(
            "binding_freezes_the_weights",
            "answer",
            "With optimisers bound to other networks no parameter is updated.",
            experiments.binding_freezes_the_weights,
        ),
        Claim(
            "rounding_cuts_the_graph",
            "answer",
            "Rounding the fakes cuts the graph, so that no gradient comes back.",
            experiments.rounding_cuts_the_graph,
        ),
        Claim(
            "nan_replacement_is_a_cause",
            "answer",
            "Replacing NaN scores by a constant is a direct cause of the zero gradient.",
            experiments.nan_replacement_is_a_cause,
        ),
        Claim(
            "advised_views_run",
            "answer",
            "Reading the batch size off the features in both views repairs the shapes.",
            experiments.advised_views_run,
        ),
        Claim(
            "generator_view_breaks_larger_batches",
            "answer",
            "The generator's hard-coded view fails as soon as a batch is larger than one.",
            experiments.generator_view_breaks_larger_batches,
        ),
        Claim(
            "clearing_is_redundant",
            "answer",
            "The manual zero_grad in the step is redundant.",
            experiments.clearing_is_redundant,
        ),
        Claim(
            "advised_scale_is_right",
            "answer",
            "The generator's output goes to the critic as it is, in [0, 1].",
            experiments.advised_scale_matters,
        ),
        Claim(
            "critic_view_breaks_larger_batches",
            "answer",
            "The critic's hard-coded view fails as soon as a batch is larger than one.",
            experiments.critic_view_breaks_larger_batches,
        ),
        Claim(
            "unit_range_is_needed",
            "answer",
            "For a gradient the critic must be shown fakes in [0, 1] during training.",
            experiments.unit_range_is_needed,
        ),
        Claim(
            "nan_replacement_hides_failures",
            "answer",
            "Where a NaN is replaced by a constant the graph of that step is lost.",
            experiments.nan_replacement_hides_failures,
        ),
        Claim(
            "printed_gradient_is_the_gradient",
            "post",
            "The gradient that the program prints shows that the generator receives none.",
            experiments.printed_gradient_is_the_gradient,
        ),
        Claim(
            "clearing_upsets_accumulation",
            "answer",
            "The manual zero_grad upsets the accumulation of gradients.",
            experiments.clearing_upsets_accumulation,
        ),
    )
}
