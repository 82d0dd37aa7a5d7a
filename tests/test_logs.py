"""Training curves: no row is ever lost."""

import csv

from ganzoo.logs import CSVRows
from ganzoo.monitor import Monitor
from tests.conftest import fit, tiny


def rows(folder):
    with (folder / "metrics.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_resumed_logger_keeps_rows_and_columns_that_it_never_logged(tmp_path):
    CSVRows(tmp_path).log_metrics({"a": 1.0, "b": 2.0}, step=0)
    CSVRows(tmp_path).log_metrics({"c": 3.0}, step=1)
    assert [{k: v for k, v in row.items() if v} for row in rows(tmp_path)] == [
        {"step": "0", "a": "1.0", "b": "2.0"},
        {"step": "1", "c": "3.0"},
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["metrics.csv"]


def test_dropping_the_rows_to_come_needs_no_file(tmp_path):
    CSVRows(tmp_path).continue_after(3)
    assert not list(tmp_path.iterdir())


def test_steps_are_compared_as_numbers(tmp_path):
    logger = CSVRows(tmp_path)
    for step in (8, 9, 10, 11):
        logger.log_metrics({"a": 0.0}, step=step)
    CSVRows(tmp_path).continue_after(9)
    assert [row["step"] for row in rows(tmp_path)] == ["8", "9"]


def test_training_writes_a_row_a_batch_with_both_gradients(tmp_path):
    program = tiny()
    monitor = Monitor(tiny(), rows_every=1)
    fit(program, monitor, logger=CSVRows(tmp_path), generator_steps=3)
    found = rows(tmp_path)
    assert [row["step"] for row in found] == ["1", "2", "3"]
    assert [float(row["images_seen"]) for row in found] == [4, 8, 12]
    last = monitor.seen(program)
    assert float(found[-1]["generator_gradient"]) == last.generator.last_norm
    assert float(found[-1]["critic_gradient"]) == last.critic.last_norm


def test_rows_are_appended_and_columns_may_come_later(tmp_path):
    logger = CSVRows(tmp_path)
    logger.log_metrics({"a": 1.0, "epoch": 0}, step=0)
    logger.log_metrics({"a": 2.0, "b": 3.0}, step=1)
    assert rows(tmp_path) == [
        {"step": "0", "a": "1.0", "b": ""},
        {"step": "1", "a": "2.0", "b": "3.0"},
    ]


def test_a_resumed_run_keeps_the_rows_up_to_its_step(tmp_path):
    first = CSVRows(tmp_path)
    for step in range(4):
        first.log_metrics({"a": float(step)}, step=step)
    second = CSVRows(tmp_path)
    second.continue_after(1)
    second.log_metrics({"a": 9.0}, step=2)
    assert [row["a"] for row in rows(tmp_path)] == ["0.0", "1.0", "9.0"]
