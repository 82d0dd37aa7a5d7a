"""The verdicts that the facts give."""

import pytest

import ganzoo

VERDICTS = {
    "critic_trains_normally": "false",
    "binding_zeroes_the_gradient": "false",
    "binding_freezes_the_weights": "true",
    "rounding_cuts_the_graph": "partly",
    "nan_replacement_is_a_cause": "false",
    "advised_views_run": "false",
    "generator_view_breaks_larger_batches": "false",
    "clearing_is_redundant": "partly",
    "advised_scale_is_right": "partly",
    "critic_view_breaks_larger_batches": "true",
    "unit_range_is_needed": "partly",
    "nan_replacement_hides_failures": "true",
    "printed_gradient_is_the_gradient": "partly",
    "clearing_upsets_accumulation": "true",
}


def test_every_claim_has_an_expected_verdict():
    assert set(ganzoo.claims("dcgan")) == set(VERDICTS)


@pytest.mark.parametrize("id", VERDICTS)
def test_experiment_gives_the_verdict(id):
    judged = ganzoo.claims("dcgan")[id].check()
    assert judged.verdict == VERDICTS[id], judged.reason
    assert judged.numbers
