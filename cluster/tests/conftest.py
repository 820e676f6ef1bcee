"""Real servers, on the loopback interface only, and a small code base.

``TRELLIS_BINARY`` names the binary; ``redis-server`` and ``openssl`` are on the path (``./test``
installs them). Every test has servers and folders of its own.
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

import psutil
import pytest

from trellis_cluster.generate import generate

ROOT = Path(__file__).parents[2]
BINARY = os.environ.get("TRELLIS_BINARY", str(ROOT / "target/release/trellis"))
SLOW = "TRELLIS_SLOW" in os.environ
# Programs that are quick, each with how many procedures are looked at: verified, violated, unknown.
EXAMPLES = [
    (ROOT / "examples" / name, count)
    for name, count in (
        ("tutorial/inbox-1.c", 1),
        ("tutorial/inbox-3.c", 1),
        ("contracts/assigns-globals.c", 2),
        ("contracts/assigns-not.c", 11),
        ("contracts/new-memory-bug.c", 2),
        ("contracts/undefined.c", 4),
        ("contracts/unsigned.c", 4),
    )
]
PROCEDURES = 60

GATED = """#!/bin/sh
# The first process begins at once, the others when the gate is open.
case " $* " in *" --merge "*) exec {binary} "$@" ;; esac
if ! mkdir {folder}/first 2>/dev/null; then
    tries=0
    while [ ! -e {folder}/gate ]; do
        tries=$((tries + 1))
        [ -d {folder} ] && [ $tries -lt 6000 ] || exit 9
        sleep 0.05
    done
fi
exec {binary} "$@"
"""


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def listening(port: int, process: subprocess.Popen) -> None:
    """Waits until a server listens."""
    for _ in range(2400):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert process.poll() is None, f"the server has ended with {process.returncode}"
            time.sleep(0.025)
    raise AssertionError("the server does not listen")


class Redis:
    """A server of our own."""

    def __init__(self, folder: Path, *options: str, tls_port: int = 0) -> None:
        self.port = free_port()
        self.folder, self.options, self.waited = folder, options, tls_port or self.port
        self.at = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        words = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(
            [*words, *self.options], cwd=self.folder, stdout=subprocess.DEVNULL
        )
        listening(self.waited, self.process)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def cli(self, *words: str) -> str:
        done = subprocess.run(
            ["redis-cli", "-p", str(self.port), *words], capture_output=True, text=True, check=True
        )
        return done.stdout


class Proxy:
    """A way to a server on which everything takes a while, or, if it takes forever, nothing arrives."""

    def __init__(self, to: int, delay: float) -> None:
        self.port, self.to, self.delay = free_port(), to, delay
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.at = f"redis://127.0.0.1:{self.port}/0"
        self.open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            there = socket.create_connection(("127.0.0.1", self.to))
            self.open += [here, there]
            for one, other in ((here, there), (there, here)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(1 << 16):
                if self.delay == float("inf"):
                    continue
                time.sleep(self.delay)
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self) -> None:
        for one in (self.listener, *self.open):
            one.close()


class Dask:
    """A scheduler and workers of our own; these have nothing of this package."""

    def __init__(
        self, folder: Path, *options: str, scheme: str = "tcp", workers: int = 1, **settings: str
    ) -> None:
        port = free_port()
        self.at = f"{scheme}://127.0.0.1:{port}"
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | settings
        words = [sys.executable, "-m", "dask"]
        here = ["--host", f"{scheme}://127.0.0.1", "--no-dashboard", *options]

        def begin(log: str, *more: str) -> subprocess.Popen:
            with (folder / log).open("w") as out:
                return subprocess.Popen(
                    [*words, *more], env=environment, cwd=folder, stdout=out, stderr=out
                )

        self.scheduler = begin("scheduler.log", "scheduler", *here, "--port", str(port))
        listening(port, self.scheduler)
        patient = ["--nthreads", "1", "--no-nanny", "--death-timeout", "20"]
        self.workers = [
            begin(f"worker{number}.log", "worker", self.at, *here, *patient) for number in range(workers)
        ]

    def kill(self) -> None:
        for process in (self.scheduler, *self.workers):
            process.kill()
            process.wait()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    server = Redis(tmp_path)
    yield server
    server.kill()


@pytest.fixture(scope="session")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """For all tests that leave it alone."""
    servers = Dask(tmp_path_factory.mktemp("dask"), workers=2)
    yield servers
    servers.kill()


@pytest.fixture
def gated(tmp_path: Path) -> Path:
    """A binary that goes on when ``gate`` is there."""
    return script(tmp_path, GATED)


@pytest.fixture
def code(tmp_path: Path) -> Path:
    assert generate(EXAMPLES, tmp_path / "code", PROCEDURES, 1) == PROCEDURES
    return tmp_path


def script(folder: Path, text: str) -> Path:
    """A binary of our own that calls the real one."""
    path = folder / "trellis.sh"
    path.write_text(text.format(folder=folder, binary=BINARY))
    path.chmod(0o755)
    return path


def settled(path: Path) -> str:
    """A report without what may differ."""

    def without(value: object) -> object:
        if isinstance(value, dict):
            kept = {k: v for k, v in value.items() if k not in ("statistics", "cached")}
            return {k: without(v) for k, v in kept.items()}
        return [without(v) for v in value] if isinstance(value, list) else value

    return json.dumps(without(json.loads(path.read_text())))


def single(folder: Path, *options: str, form: str = "json", sources: tuple[str, ...] = ("code",)) -> str:
    """The report of one process, without what may differ."""
    path = folder / f"single.{form}"
    with path.open("w") as out:
        words = [BINARY, "verify", "--separately", *sources, "--format", form, "--no-cache", *options]
        subprocess.run(words, cwd=folder, stdout=out, stderr=subprocess.DEVNULL, check=False)
    return settled(path)


def plain(folder: Path, cache: str, **environment: str) -> tuple[list[dict], subprocess.CompletedProcess]:
    """The procedures that one process with a store reports, and how it ended."""
    words = [BINARY, "verify", "--separately", "code", "--format", "json"]
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, "TRELLIS_CACHE": cache, **environment},
        capture_output=True, text=True, check=False,
    )
    files = json.loads(done.stdout)["files"] if done.stdout else []
    return [p for file in files for p in file["procedures"]], done


def start(
    folder: Path, cache: str, *more: str, out: str = "out", binary: object = BINARY,
    sources: tuple[str, ...] = ("code",), **also: str,
) -> subprocess.Popen:
    """Begins a run."""
    words = [sys.executable, "-m", "trellis_cluster", *sources, "--binary", str(binary), "--out", out]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cluster"), "TRELLIS_CACHE": "off", **also}
    store = ["--cache", cache] if cache else []
    return subprocess.Popen(
        [*words, *store, *more], cwd=folder, env=environment,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )


def finish(process: subprocess.Popen) -> tuple[int, str]:
    """Its exit code, and what it said."""
    try:
        _, err = process.communicate(timeout=600)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, err


def answered(process: subprocess.Popen) -> None:
    """Waits until something was answered."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if " programs, " in line and not line.startswith("0/"):
            return
    raise AssertionError("".join(said))


def processes_of(process: subprocess.Popen) -> list[psutil.Process]:
    """The processes that the workers of a local cluster have begun."""
    return psutil.Process(process.pid).children()


def procedures(folder: Path, out: str = "out") -> list[dict]:
    """Those of the report."""
    report = json.loads((folder / out / "report.json").read_text())
    return [p for file in report["files"] for p in file["procedures"]]


def fresh(folder: Path, out: str = "out") -> int:
    """How many procedures were looked at, and not taken from the store."""
    return sum(not p.get("cached", False) for p in procedures(folder, out))
