"""The verdicts on the article's claims."""

import math

import pytest

import ganzoo
from ganzoo.mlp_gan.claims import critic, training

FAST = {
    "won_critic_is_mode_collapse": "false",
    "won_critic_starves_generator": "false",
    "sigmoid_reaches_zero_slope": "partly",
    "losing_loss_has_no_limit": "partly",
    "loop_runs": "true",
    "gradient_clip_clips_weights": "false",
    "gradient_clip_restrains_critic": "partly",
    "smoothing_bounds_the_critic": "partly",
    "flat_labels_run": "false",
    "reused_fakes_run": "false",
    "nan_means_explosion": "partly",
    "gradcheck_finds_bad_layers": "false",
    "tiny_parameters_are_a_sign": "partly",
    "clip_belongs_before_the_step": "true",
    "isnan_finds_explosions": "partly",
    "small_gradients_stop_updates": "partly",
    "smaller_leak_helps_gradients": "false",
    "printed_norm_is_the_gradients": "false",
    "networks_run": "true",
    "sigmoid_output_is_blurred": "partly",
    "always_tanh": "false",
    "data_must_match_range": "true",
    "linear_output_oversaturates": "true",
    "fid_snippet_runs": "false",
    "fid_range_is_noticed": "false",
    "fid_costs_more": "false",
    "thresholds_are_universal": "false",
    "lowest_fid_is_best": "partly",
    "lpips_shows_diversity": "not settled",
    "printed_penalty_bounds_the_slope": "false",
    "printed_penalty_takes_flat_images": "false",
    "printed_penalty_runs_on_a_gpu": "false",
    "printed_penalty_takes_the_last_batch": "false",
}
SLOW = {
    "accuracy_shows_imbalance": {"true"},
    "clip_keeps_accuracy_in_band": {"false"},
    "band_means_health": {"partly"},
    "momentum_unsettles": {"true"},
    "losses_lie": {"true"},
    "accuracy_says_nothing": {"true"},
    "penalty_steadies_the_training": {"true"},
    "sigmoid_ends_the_critic": {"false"},
}
SPREAD = (  # verdicts within the spread of three seeds: they may differ from machine to machine
    "noise_on_reals_helps",
    "smoothing_helps",
    "more_generator_steps_help",
    "activation_ranking",
    "lower_rate_is_steadier",
    "staged_rates_are_best",
    "small_batches_cure_collapse",
)
CLAIMS = {**ganzoo.claims("mlp_gan"), **ganzoo.claims("wgan_gp")}


def check(id, due):
    claim = CLAIMS[id]
    judged = claim.check()
    assert judged.verdict in due, judged.reason
    assert judged.numbers or judged.verdict == "not settled"
    assert len(claim.statement) > 20
    assert len(judged.reason) > 20


@pytest.mark.parametrize("id", FAST)
def test_verdict(id):
    assert not CLAIMS[id].slow
    check(id, {FAST[id]})


@pytest.mark.slow
@pytest.mark.parametrize("id", SLOW)
def test_slow_verdict(id):
    check(id, SLOW[id])


@pytest.mark.slow
@pytest.mark.parametrize("id", SPREAD)
def test_a_comparison_of_seeds_is_measured_and_told(id, monkeypatch):
    for module, name in ((training, "STEPS"), (training, "STAGE"), (critic, "BATCHES")):
        monkeypatch.setattr(module, name, 100)  # enough to see that all is measured
    judged = CLAIMS[id].check()
    assert judged.verdict in ("true", "partly", "false")
    measured = [value for value in judged.numbers.values() if isinstance(value, list)]
    assert len(measured) >= 2
    for values in measured:
        assert len(values) == 3
        assert all(math.isfinite(value) for value in values)
    # three seeds, and not one; a white picture is the same from every seed
    assert any(len(set(values)) == 3 for values in measured)


def test_there_are_as_many_as_the_article_makes():
    assert len(CLAIMS) >= 30
    assert set(FAST) == {id for id, claim in CLAIMS.items() if not claim.slow}
    assert {*SLOW, *SPREAD} == {id for id, claim in CLAIMS.items() if claim.slow}
