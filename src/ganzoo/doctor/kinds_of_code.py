"""Kinds of findings about optimisers, graphs, gradients and reversals."""

from ganzoo.doctor.kind import Kind

CODE: dict[str, Kind] = {
    # data, first: what is wrong there breaks everything behind it
    "nan_in_data": Kind(
        "error",
        "An image that the critic is shown as real holds NaN or infinity.",
        "Look at how the data are scaled: (x - min) / (max - min) divides by 0 where an image is "
        "of one colour.",
        ("min_max_scaling",),
    ),
    # set-up of the optimisers
    "optimizer_wrong_params": Kind(
        "error",
        "An optimiser holds tensors that belong to no network in use, so that its steps train "
        "nothing. It was made from other networks, or before these layers were.",
        "Make the optimiser after the networks, from their own parameters().",
        ("foreign_optimizers", "optimizer_before_layers"),
    ),
    "params_not_in_any_optimizer": Kind(
        "error",
        "Parameters that take part in training are in no optimiser and stay as they were drawn.",
        "Give the optimiser all of the network's parameters(), each module once.",
        ("critic_head_in_no_optimizer", "optimizer_before_layers", "foreign_optimizers"),
    ),
    "params_in_two_optimizers": Kind(
        "error",
        "Parameters are in two optimisers, or twice in one: one player's step moves the other.",
        "Each trainable parameter belongs to exactly one optimiser.",
        ("generator_in_both_optimizers",),
    ),
    "adversary_frozen": Kind(
        "error",
        "An optimiser steps while none of its parameters requires a gradient.",
        "Unfreeze the network before its own step; behind toggle_optimizer, untoggle_optimizer.",
        ("toggle_left_on",),
    ),
    "adversary_never_trained": Kind(
        "error",
        "A network gets gradients, or takes part in the game, and its optimiser never steps.",
        "Call step() of that optimiser, after its own backward.",
        ("critic_never_steps",),
    ),
    # crashes
    "optimizer_step_before_backward": Kind(
        "error",
        "An optimiser changed weights between a forward that used them and the backward through "
        "that forward.",
        "Call backward before any step() of a network in its graph, or run the forward again.",
        ("step_before_backward",),
    ),
    "stale_fake_graph": Kind(
        "error",
        "A graph was walked backwards twice; the first walk frees it.",
        "Make new fakes for each step, or detach those that are used again.",
        ("reused_fakes",),
    ),
    "inplace_activation": Kind(
        "error",
        "An operation overwrote a tensor that a derivative still needs.",
        "Use the out-of-place form, such as LeakyReLU(inplace=False).",
        ("activation_in_place",),
    ),
    # the graph
    "zero_derivative": Kind(
        "error",
        "An operation on the way from the loss to the generator has a derivative of zero "
        "everywhere: the graph is whole, and carries zeros.",
        "Leave it out of training, or pass the gradient straight through: "
        "x + (operation(x) - x).detach().",
        ("rounded_fakes",),
    ),
    "graph_cut_nondifferentiable": Kind(
        "error",
        "The generator's output has no path to its weights: an operation without a derivative "
        "ends the graph.",
        "Use a relaxation, such as gumbel_softmax, or a straight-through estimate.",
        ("thresholded_output",),
    ),
    "graph_cut_generator_loss": Kind(
        "error",
        "What the critic says of the fakes reaches no weight of the generator: the graph is cut "
        "between them, and another term of the loss, if any, hides it.",
        "Give the critic the generator's output itself in the generator's step; detach() belongs "
        "to the critic's step alone.",
        ("detached_generator_step", "fakes_by_data", "fakes_through_numpy"),
    ),
    "zero_grad_kills_saved_grads": Kind(
        "error",
        "A kept .grad is the tensor itself, and zero_grad(set_to_none=False) cleared it in place.",
        "Keep p.grad.clone().",
        ("saved_gradient_cleared",),
    ),
    "gradient_cleared_before_step": Kind(
        "error",
        "Gradients are cleared between backward and step, so that the step uses none of them.",
        "Call zero_grad before backward, not behind it.",
    ),
    "stale_grads_cross_optimizer": Kind(
        "error",
        "A step uses gradients of the other player's loss, beside its own.",
        "Clear a network's gradients right before its own backward.",
        ("stale_critic_gradient",),
    ),
    "missing_zero_grad": Kind(
        "error",
        "Gradients are not cleared between two steps of one optimiser and add up.",
        "Call zero_grad before each backward.",
        ("critic_gradients_add_up", "generator_gradients_add_up"),
    ),
    # reversal
    "grl_not_reversing": Kind(
        "error",
        "One loss trains the critic and what feeds it, and its gradient arrives there with its "
        "own sign: they help each other.",
        "Put a reversal, written as an autograd.Function, between them; a backward method of a "
        "module is never called, and two reversals are none.",
        ("reversal_never_called", "cooperating_signs", "double_reversal"),
    ),
    "reversal_inside_critic": Kind(
        "error",
        "The reversal stands within the critic: the layers before it are trained against those "
        "behind it.",
        "Reverse the critic's input, before its first layer.",
        ("reversal_before_last_layer",),
    ),
    "adversary_trained_to_lose": Kind(
        "error",
        "The critic's own step raises the loss of its own scores.",
        "Add its loss for the critic; only what feeds it gets the opposite sign.",
        ("loss_subtracted_and_reversed",),
    ),
}
