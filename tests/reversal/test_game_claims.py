"""The verdicts on the claims of the post and its answer."""

import pytest

import ganzoo

VERDICTS = {
    "lower_rate_does_not_help": "false",
    "wrong_class_spoils_weights": "false",
    "early_reversal_disturbs": "false",
    "posted_sign_is_opposite": "false",
    "missing_clamp_explodes": "true",
    "coefficient_nears_one": "false",
    "slower_ramp_steadies": "false",
    "clamp_was_applied": "false",
    "named_losses_oppose": "false",
}


@pytest.mark.parametrize("family", ["wgan", "adapt"])
@pytest.mark.parametrize("id", VERDICTS)
def test_verdict(family, id):
    claim = ganzoo.claims(family)[id]
    judged = claim.check()
    assert judged.verdict == VERDICTS[id], judged.reason
    assert judged.numbers
    assert len(claim.statement) > 20


def test_every_claim_has_an_expected_verdict():
    assert set(ganzoo.claims("wgan")) == set(ganzoo.claims("adapt")) == set(VERDICTS)
