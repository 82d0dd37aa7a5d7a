"""Each oracle sees its own fault and no other."""

import re

import pytest

from ganzoo.dcgan.faults import FAULTS
from tests.dcgan.conftest import grafted


@pytest.mark.parametrize("present", ["", *FAULTS])
def test_each_oracle_sees_its_own_fault_and_no_other(present):
    program = grafted(*filter(None, [present]))
    for id, fault in FAULTS.items():
        if id == present:
            with pytest.raises(AssertionError, match=r"\w"):
                fault.oracle(program)
        else:
            fault.oracle(program)


def test_an_oracle_leaves_the_program_as_it_was():
    program = grafted()
    before = {name: value.clone() for name, value in program.state_dict().items()}
    for fault in FAULTS.values():
        fault.oracle(program)
    assert all(before[n].equal(v) for n, v in program.state_dict().items())
    assert all(p.grad is None for p in program.parameters())
    assert program.printed_gradients == {}


CRASHES = {
    "lightning_1_api": r"Training with multiple optimizers is only supported with manual optimiz",
    "advised_views_crash": r"shape '\[36, 6, 3, 2\]' is invalid for input of size 36",
    "mismatched_targets": r"Target size \(torch.Size\(\[1\]\)\) must be the same as input size",
}


def test_crash_faults_show_the_exact_error():
    assert set(CRASHES) == {id for id, fault in FAULTS.items() if fault.kind == "crash"}
    for id, text in CRASHES.items():
        with pytest.raises(AssertionError, match=text):
            FAULTS[id].oracle(grafted(id))


def test_the_lightning_1_trainer_arguments_are_refused_today():
    import pytorch_lightning as pl

    with pytest.raises(TypeError, match="unexpected keyword argument 'gpus'"):
        pl.Trainer(gpus=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'train_dataloader'"):
        pl.Trainer(barebones=True).fit(grafted(), train_dataloader=[])


def test_every_entry_is_told_in_full():
    for fault in FAULTS.values():
        for text in (fault.symptom, fault.cause, fault.source):
            assert len(text) > 10
        assert re.fullmatch(r"[a-z0-9_]+", fault.id)
