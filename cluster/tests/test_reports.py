"""The report of a cluster is that of one process."""

from __future__ import annotations

import json
import re
from pathlib import Path

from conftest import (
    EXAMPLES, PROCEDURES, ROOT, SLOW, Dask, Redis, finish, fresh, procedures, settled, single, start,
)
from trellis_cluster.generate import edit, generate
from trellis_cluster.plan import Program, dear, dearest_first, known, split, together


def page(path: Path) -> str:
    """A page without what may differ."""
    return re.sub(r'"(seconds|machine_seconds|peak_bytes|cached)":[^,}]*', "", path.read_text())


def test_three_workers_say_what_one_process_says_and_the_second_run_is_short(tmp_path: Path, redis: Redis) -> None:
    made = generate(EXAMPLES, tmp_path / "code", 10_000 if SLOW else 100, 1)
    exit_code, err = finish(start(tmp_path, redis.at, "--local", "3", "--html"))
    assert exit_code == 1, err
    assert settled(tmp_path / "out/report.json") == single(tmp_path, "--html", "single.html")
    assert settled(tmp_path / "out/report.sarif") == single(tmp_path, form="sarif")
    assert page(tmp_path / "out/report.html") == page(tmp_path / "single.html")
    assert fresh(tmp_path) == made
    assert {"verified", "violated"} <= {p["verdict"] for p in procedures(tmp_path)}
    assert edit(tmp_path / "code", 0.01, 2) >= made / 200
    exit_code, err = finish(start(tmp_path, redis.at, "--local", "3"))
    again = fresh(tmp_path)
    assert exit_code == 1 and 0 < again <= made * 3 // 100, err
    assert f"{made} procedures, {made - again} from the store" in err
    assert settled(tmp_path / "out/report.json") == single(tmp_path)


def test_a_large_program_is_split_and_one_that_cannot_be_read_is_reported(code: Path, redis: Redis, dask: Dask) -> None:
    text = "struct node { struct node *next; };\n"
    for i in range(40):
        text += f"//@ requires reach(next, h, NULL);\nstruct node *f{i}(struct node *h) {{ return h->next; }}\n"
    (code / "code/large.c").write_text(text)
    (code / "code/broken.c").write_text("int f(")
    (code / "code/empty.c").write_text("int x;\n")
    exit_code, err = finish(start(code, redis.at, "--scheduler", dask.at))
    assert exit_code == 2 and "error" not in err, err
    assert settled(code / "out/report.json") == single(code)
    assert settled(code / "out/report.sarif") == single(code, form="sarif")
    assert fresh(code) == PROCEDURES + 40
    exit_code, err = finish(start(code, redis.at, "--scheduler", dask.at))
    assert exit_code == 2 and fresh(code) == 0, err


def test_a_build_is_verified_by_its_commands(code: Path, dask: Dask) -> None:
    (code / "build/sub").mkdir(parents=True)
    source = (ROOT / "examples/tutorial/inbox-3.c").read_text()
    (code / "build/sub/a.c").write_text(f"#include \"name.h\"\n{source}")
    (code / "build/inc").mkdir()
    (code / "build/inc/name.h").write_text("extern int named;\n")
    (code / "build/b.c").write_text((ROOT / "examples/contracts/undefined.c").read_text())
    commands = [
        {"directory": "sub", "file": "a.c", "command": "cc -I../inc -c a.c"},
        {"directory": ".", "file": "b.c", "command": "cc -c b.c"},
        {"directory": ".", "file": "c.cc", "command": "c++ -c c.cc"},
    ]
    (code / "build/compile_commands.json").write_text(json.dumps(commands))
    named = "build/compile_commands.json"
    exit_code, err = finish(start(code, "", "--scheduler", dask.at, sources=(named,)))
    assert exit_code == 1, err
    assert settled(code / "out/report.json") == single(code, "-p", named, sources=())


def test_options_of_the_binary_and_what_is_refused(code: Path, dask: Dask) -> None:
    at = ("--scheduler", dask.at)
    lenient = ("--engine", "sll", "--fail-on", "violated")
    exit_code, err = finish(start(code, "", *at, "--", *lenient))
    assert exit_code == 1, err
    assert settled(code / "out/report.json") == single(code, *lenient)
    for given, expected in (
        ([*at, "--", "--engine", "none"], "invalid value 'none' for '--engine"),
        ([*at, "--", "--format", "text"], "`--format` cannot follow `--`"),
        (["--scheduler", "tcp://127.0.0.1:1", "--patience", "1"], "the scheduler tcp://127.0.0.1:1 does not let us in"),
        (["--scheduler-file", "nowhere.json", "--patience", "1"], "there is no file `nowhere.json`"),
        ([*at, "--binary", "no-such-binary"], "a worker cannot run `no-such-binary`"),
        (["--scheduler", "tls://127.0.0.1:1"], "needs --tls-ca"),
    ):
        exit_code, err = finish(start(code, "", *given))
        assert exit_code == 2 and expected in err and "Traceback" not in err, err
        assert not (code / "out/report.json").exists() or given[0] != at[0] or "--format" in given


def test_a_plan_has_everything_once_and_the_dearest_first() -> None:
    cheap = [Program(f"{i}.c", "", 100) for i in range(50)]
    once = Program("dear.c", "", 100, {"a": 4.0, "b": 2.0, "k": 3.0})
    again = Program("same.c", "", 100, {"a": 4.0, "b": 2.0}, same=True)
    assert dear([*cheap, once, again], 0.5) == [once]
    listed = {"procedures": [{"name": n, "known": n == "k"} for n in "abkc"]}
    parts = split(once, listed, 2.5)
    assert [p.procedures for p in parts] == [("a",), ("b", "k", "c")]
    tasks = dearest_first([*together([*cheap, again], 0.5, 2), *parts])
    assert [t.cost for t in tasks] == sorted((t.cost for t in tasks), reverse=True)
    assert tasks[0].procedures == ("a",)
    files = [file for task in tasks if not task.procedures for file in task.files]
    assert sorted(files) == sorted(p.file for p in [*cheap, again])
    assert all(task.cost <= 0.5 or len(task.files) == 1 for task in tasks)
    # The store may have forgotten what did not change.
    same = [Program(f"{i}.c", "", 100, {"a": 1.0}, same=True) for i in range(80)]
    assert len(together(same, 30.0, 4)) >= 12


def test_a_program_is_known_by_its_text(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int f(void) { return 0; }\n")
    new = known(str(tmp_path), "a.c", {})
    last = {"a.c": {"digest": new.digest, "costs": {"f": 2.0}}}
    assert known(str(tmp_path), "a.c", last).cost < 0.1 < new.cost + 0.1
    (tmp_path / "a.c").write_text("int f(void) { return 1; }\n")
    assert known(str(tmp_path), "a.c", last).cost > 2.0


def test_code_bases_repeat(tmp_path: Path) -> None:
    def text(name: str) -> list[str]:
        return [p.read_text() for p in sorted((tmp_path / name).glob("*.c"))]

    for name in ("one", "two"):
        assert generate(EXAMPLES, tmp_path / name, 100, 7) == 100
    assert text("one") == text("two") and len(set(text("one"))) == len(text("one"))
    before = text("one")
    assert edit(tmp_path / "one", 0.03, 1) == edit(tmp_path / "two", 0.03, 1)
    assert text("one") == text("two")
    assert 0 < sum(a != b for a, b in zip(before, text("one"))) <= 5

