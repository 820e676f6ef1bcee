"""The cluster with real servers, on the loopback interface only.

``TRELLIS_BINARY`` names the binary; ``redis-server`` is on the path (``./test`` installs it).
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from trellis_cluster.generate import edit, generate
from trellis_cluster.plan import chunks

ROOT = Path(__file__).parents[2]
BINARY = os.environ.get("TRELLIS_BINARY", str(ROOT / "target/release/trellis"))
EXAMPLES = sorted(p for p in (ROOT / "examples/sll").glob("*.c") if '#include "' not in p.read_text())


class Redis:
    """A server of our own."""

    def __init__(self, folder: Path, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder, self.options = folder, options
        self.at = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        words = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(
            [*words, *self.options], cwd=self.folder, stdout=subprocess.DEVNULL
        )
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.025)
        raise RuntimeError("redis-server does not listen")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def cli(self, *words: str) -> str:
        done = subprocess.run(
            ["redis-cli", "-p", str(self.port), *words], capture_output=True, text=True, check=True
        )
        return done.stdout


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    server = Redis(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def code(tmp_path: Path) -> Path:
    generate(EXAMPLES, tmp_path / "code", 60, 1)
    return tmp_path


def settled(path: Path) -> str:
    """A report without what may differ."""

    def without(value: object) -> object:
        if isinstance(value, dict):
            kept = {k: v for k, v in value.items() if k not in ("statistics", "cached")}
            return {k: without(v) for k, v in kept.items()}
        return [without(v) for v in value] if isinstance(value, list) else value

    return json.dumps(without(json.loads(path.read_text())))


def single(folder: Path) -> str:
    with (folder / "single.json").open("w") as out:
        words = [BINARY, "verify", "--separately", "code", "--format", "json", "--no-cache"]
        subprocess.run(words, cwd=folder, stdout=out, stderr=subprocess.DEVNULL, check=False)
    return settled(folder / "single.json")


def start(folder: Path, cache: str, *more: str, out: str = "out") -> subprocess.Popen:
    words = [sys.executable, "-m", "trellis_cluster", "code", "--binary", BINARY, "--out", out]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cluster"), "TRELLIS_CACHE": "off"}
    return subprocess.Popen(
        [*words, "--cache", cache, *more], cwd=folder, env=environment,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )


def finish(process: subprocess.Popen) -> tuple[int, str]:
    try:
        _, err = process.communicate(timeout=180)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, err


def answered(process: subprocess.Popen) -> None:
    """Waits until something was answered."""
    assert process.stderr is not None
    for line in process.stderr:
        if "/" in line and line.split("/")[0].isdigit():
            return


def fresh(folder: Path, out: str = "out") -> int:
    report = json.loads((folder / out / "report.json").read_text())
    return sum(not p.get("cached", False) for f in report["files"] for p in f["procedures"])


def test_three_workers_say_what_one_process_says_and_the_second_run_is_short(code: Path, redis: Redis) -> None:
    exit_code, err = finish(start(code, redis.at, "--local", "3"))
    assert exit_code == 1, err
    assert settled(code / "out/report.json") == single(code)
    assert fresh(code) == 60
    assert edit(code / "code", 0.01, 2) == 1
    exit_code, err = finish(start(code, redis.at, "--local", "3"))
    assert exit_code == 1 and fresh(code) <= 2, err
    assert settled(code / "out/report.json") == single(code)


def test_a_worker_is_killed(code: Path, redis: Redis) -> None:
    run = start(code, redis.at, "--local", "2")
    answered(run)
    children = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(run.pid)], capture_output=True, text=True
    ).stdout
    workers = [line.split()[0] for line in children.splitlines() if "spawn_main" in line]
    assert workers, children
    os.kill(int(workers[0]), signal.SIGKILL)
    exit_code, err = finish(run)
    assert exit_code == 1, err
    assert settled(code / "out/report.json") == single(code)


def test_redis_goes_and_comes(code: Path, redis: Redis) -> None:
    run = start(code, redis.at, "--local", "2")
    answered(run)
    redis.kill()
    threading.Timer(1.0, redis.start).start()
    exit_code, err = finish(run)
    time.sleep(1.2)
    assert exit_code == 1, err
    assert settled(code / "out/report.json") == single(code)


def test_a_full_store_and_garbage_in_it(code: Path, redis: Redis) -> None:
    finish(start(code, redis.at, "--local", "2"))
    keys = redis.cli("--scan", "--pattern", "trellis:procedure:*").split()
    assert len(keys) == 60
    for number, key in enumerate(keys):
        redis.cli("SETRANGE", key, "200", "garbage") if number % 2 else redis.cli("SET", key, "x")
    redis.cli("CONFIG", "SET", "maxmemory", "1")
    exit_code, err = finish(start(code, redis.at, "--local", "2"))
    assert exit_code == 1 and fresh(code) == 60, err
    assert "warning: the cache cannot be used" in err and "OOM" in err
    assert settled(code / "out/report.json") == single(code)


def test_two_clients_at_once(code: Path, redis: Redis) -> None:
    runs = [start(code, redis.at, "--local", "1", out=out) for out in ("one", "two")]
    assert [finish(run)[0] for run in runs] == [1, 1]
    expected = single(code)
    assert [settled(code / out / "report.json") for out in ("one", "two")] == [expected] * 2


def test_the_scheduler_is_lost(code: Path, redis: Redis) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    at = f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": code}
    words = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cluster")}
    scheduler = subprocess.Popen(
        [*words, "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"], env=environment, **quiet
    )
    words = [sys.executable, "-m", "distributed.cli.dask_worker", at, "--host", "127.0.0.1"]
    worker = subprocess.Popen(
        [*words, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--death-timeout", "20"],
        env=environment, **quiet,
    )
    try:
        run = start(code, redis.at, "--scheduler", at)
        answered(run)
        scheduler.kill()
        exit_code, err = finish(run)
        assert exit_code == 2 and "of 60 procedures are in" in err, err
        report = json.loads((code / "out/report.json").read_text())
        kept = sum(len(f["procedures"]) for f in report["files"])
        assert 0 < kept < 60 and report["exit_code"] == 2
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    exit_code, err = finish(start(code, redis.at, "--local", "2"))
    assert exit_code == 1 and fresh(code) <= 60 - kept, err
    assert settled(code / "out/report.json") == single(code)


def test_a_wrong_password_is_refused(code: Path) -> None:
    server = Redis(code, "--requirepass", "secret")
    try:
        wrong = server.at.replace("127", ":wrong@127")
        exit_code, err = finish(start(code, wrong, "--local", "1"))
        assert exit_code == 2 and "is refused" in err and "wrong" not in err, err
    finally:
        server.kill()


def test_chunks_have_everything_once_and_the_dearest_first() -> None:
    def program(file: str, names: str) -> dict:
        procedures = [{"name": n, "known": n == "k"} for n in names]
        return {"file": file, "usable": True, "procedures": procedures}

    made = chunks([program("a.c", "abc"), program("b.c", "kd"), program("c.c", "e")], {"a.c:b": 9.0}, 2)
    assert [c.cost for c in made] == sorted((c.cost for c in made), reverse=True)
    assert made[0].files == ("a.c",) and "b" in made[0].procedures
    assert sum(c.count for c in made) == 6
