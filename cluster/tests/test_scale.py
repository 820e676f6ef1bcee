"""The model of scale: it repeats, and says what it should where the answer is known."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

from conftest import ROOT
from trellis_cluster.simulate import FIGURES, Figures, simulate, table

PLAIN = Figures(
    costs=[0.1], procedures_a_program=1.0, reading=0.0, known=0.0, process=0.0, scheduler_a_task=0.0,
    client_a_procedure=0.0, merge_a_procedure=0.0, store_a_question=0.0, questions_new=3.0, questions_known=1.0,
    store_bytes_new=2000.0, store_bytes_known=1000.0, result_bytes=500.0, work_an_edit=1.0,
)


def test_work_without_limits_is_divided() -> None:
    ran = simulate(PLAIN, 10_000, 1.0, 10)
    assert abs(ran.work - 1000.0) < 1e-6 and 100.0 <= ran.seconds < 106.0
    assert ran.limit == "workers" and ran.workers > 0.94
    assert abs(ran.gigabytes - 10_000 * 2500 / 1e9) < 1e-9


def test_what_exists_once_becomes_the_limit() -> None:
    for name, figures in (
        ("store", replace(PLAIN, store_a_question=0.01)),
        ("client", replace(PLAIN, client_a_procedure=0.03)),
        ("merge", replace(PLAIN, merge_a_procedure=0.03)),
        ("scheduler", replace(PLAIN, scheduler_a_task=1.0)),
    ):
        one, many = simulate(figures, 10_000, 1.0, 1), simulate(figures, 10_000, 1.0, 100)
        assert one.limit == "workers" and many.limit == name, (name, many)
        assert many.seconds >= (300.0 if name != "scheduler" else many.tasks), name
    assert simulate(PLAIN, 10_000, 0.01, 10).work < 15.0


def test_the_table_of_the_manual_repeats_to_the_letter() -> None:
    command = [sys.executable, "-m", "trellis_cluster.simulate"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT / "cluster")
    manual = (ROOT / "docs/src/scale.md").read_text()
    assert f"```text\n{done.stdout}```" in manual, done.stdout
    figures = Figures.read(FIGURES)
    assert table(figures, 20_000, [3, 30], 0.01, 5) == table(figures, 20_000, [3, 30], 0.01, 5)
    assert table(figures, 20_000, [3, 30], 0.01, 5) != table(figures, 20_000, [3, 30], 0.01, 6)
