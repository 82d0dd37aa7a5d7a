"""The ledger: a row for each claim, a page that shows it, and failures that stop nothing."""

import json

import pytest

from ganzoo import ledger
from ganzoo.build import FAMILIES, families_of
from ganzoo.claims import Claim, Judgement


def failing() -> Judgement:
    raise RuntimeError("no | such\nthing")


CLAIMS = {
    "dcgan": {
        "first": Claim(
            "first", "post", "It is so.", lambda: Judgement("true", "Yes: 3.", {"n": 3})
        ),
        "broken": Claim("broken", "answer", "It works.", failing),
        "open": Claim("open", "answer", "Who knows.", lambda: Judgement("not settled", "GPU.", {})),
    },
    "wgan": {
        "other": Claim("other", "answer", "It is | not.", lambda: Judgement("false", "No.", {})),
    },
}


@pytest.fixture
def rows(monkeypatch, tmp_path):
    monkeypatch.setattr(ledger, "claims", CLAIMS.__getitem__)
    return ledger.write_ledger(["dcgan", "wgan"], tmp_path / "docs")


def test_every_claim_gets_a_row_and_a_failure_stops_nothing(rows, tmp_path):
    assert [(row["family"], row["id"], row["verdict"]) for row in rows] == [
        ("dcgan", "first", "true"),
        ("dcgan", "broken", "failed"),
        ("dcgan", "open", "not settled"),
        ("wgan", "other", "false"),
    ]
    assert rows[1]["reason"] == "The experiment stopped: RuntimeError: no | such thing"
    assert rows[0]["numbers"] == {"n": 3}
    assert json.loads((tmp_path / "docs" / "claims.json").read_text()) == rows
    assert sorted(p.name for p in (tmp_path / "docs").iterdir()) == ["claims.json", "claims.md"]


def test_the_page_is_a_table_for_each_family(rows, tmp_path):
    text = (tmp_path / "docs" / "claims.md").read_text()
    assert "4 claims: 1 failed, 1 false, 1 not settled, 1 true." in text
    assert "| **true** | It is so. (said: `first`) | Yes: 3. |" in text
    assert "| **false** | It is \\| not. (advised: `other`) | No. |" in text
    assert text.index("(`dcgan`)") < text.index("broken") < text.index("(`wgan`)")
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.replace("\\|", "").count("|") == 4 for line in tables)


def test_families_are_chosen_by_name():
    assert families_of("all") == list(FAMILIES)
    assert families_of("wgan, dcgan") == ["wgan", "dcgan"]
    with pytest.raises(ValueError, match=r"no family 'dcgn'. Did you mean 'dcgan'"):
        families_of("wgan,dcgn")


def test_every_family_has_a_title():
    assert set(ledger.TITLES) == set(FAMILIES)
