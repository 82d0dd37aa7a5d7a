"""What a run prints at its end."""

from ganzoo.verdict import print_verdict

RESULTS = {
    "model": "fixed_dcgan",
    "scale": "quick",
    "generator_steps": 3,
    "images_seen": 12,
    "train_s": 0.5,
    "status": "finished",
    "error": None,
    "seen": {"not_finite_at": None},
    "symptom": None,
    "metrics": [],
}


def printed(capsys, folder="runs/x", **changes):
    print_verdict(RESULTS | changes, folder)
    return " ".join(capsys.readouterr().out.split())


def test_a_plain_run(capsys):
    text = printed(capsys)
    assert text.startswith("fixed_dcgan (quick): 3 generator steps, 12 images, 0.5 s")
    assert text.endswith("written to runs/x")


def test_symptom_scores_and_claims(capsys):
    symptom = {"name": "dead_generator", "present": True, "sentence": "It is dead."}
    symptom["evidence"] = {"printed_gradients": {"0": None, "100": 0.0}}
    claim = {"verdict": "false", "statement": "It lives.", "reason": "It does not."}
    score = {"name": "fd6_lite0/raw", "value": 1234.567}
    text = printed(capsys, symptom=symptom, metrics=[score], claims=[claim])
    assert "symptom dead_generator: PRESENT It is dead." in text
    assert "batch 0: None, batch 100: 0 " in text
    assert "fd6_lite0/raw 1235" in text
    assert "claim false: It lives. It does not." in text


def test_brackets_of_an_error_are_no_markup(capsys):
    error = "RuntimeError: shape '[features, 6]' of [/data/faces] is invalid"
    text = printed(capsys, "[runs]/x", status="crashed", error=error)
    assert f"CRASHED {error}" in text
    assert "written to [runs]/x" in text


def test_how_else_a_run_may_end(capsys):
    text = printed(capsys, status="interrupted", seen={"not_finite_at": 50})
    assert "Stopped before its end; resume=true goes on." in text
    assert "A loss stopped being a number by generator step 50." in text


def test_the_state_and_the_best_checkpoint(capsys):
    state = {"name": "collapse", "sentence": "Samples are alike.", "evidence": {}}
    best = [
        {"generator_steps": 40, "file": "best_000040.ckpt", "chosen_by": 12.0, "rescored": 13.5},
        {"generator_steps": 20, "file": "best_000020.ckpt", "chosen_by": 11.0, "rescored": 14.5},
    ]
    text = printed(capsys, state=state, best=best)
    assert "state: collapse Samples are alike." in text
    assert (
        "best checkpoint: step 40, distance 13.5 on fresh latents (12 when it was chosen): "
        "best_000040.ckpt" in text
    )


def test_the_best_checkpoint_takes_one_line(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    best = {"generator_steps": 4, "file": "best_000004.ckpt", "chosen_by": 166.4, "rescored": 166.8}
    print_verdict(RESULTS | {"best": [best]}, "runs/x")
    (line,) = [x for x in capsys.readouterr().out.splitlines() if x.startswith("best checkpoint")]
    assert line.endswith("best_000004.ckpt")


def test_slow_claims_are_left_to_the_ledger(monkeypatch):
    from ganzoo import verdict
    from ganzoo.claims import Claim, Judgement

    judged = Judgement("true", "So it is.", {})
    both = {
        id: Claim(id, "answer", "It is.", lambda: judged, slow=id == "slow")
        for id in ("quick", "slow")
    }
    monkeypatch.setattr(verdict, "claims", lambda _family: both)
    assert [row["id"] for row in verdict.judged_claims("dcgan", by="answer")] == ["quick"]
