"""Measures what ``simulate`` needs, with the real binary, the real store and the real scheduler.

Everything is processor time, of a process with all its children, so that others who use the machine
do not count. What the binary says of a procedure is time of the clock; it is scaled so that the sum is
the processor time of the run.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from distributed import Client, LocalCluster

from .generate import edit
from .work import runner

# The points at which the distribution of costs is kept, and what tasks the scheduler is measured with.
POINTS = 201
EMPTY_TASKS = 1000
QUESTIONS = 20000
# How much larger the larger of two reports is that are merged.
COPIES = 20


@dataclass(frozen=True)
class Used:
    """What a process has used."""

    code: int
    wall: float
    cpu: float
    most_bytes: int


def use(command: Sequence[str], out: Path, environment: Mapping[str, str]) -> Used:
    """Runs a process to its end."""
    begun = time.monotonic()
    with out.open("w") as to:
        process = subprocess.Popen(command, stdout=to, stderr=subprocess.DEVNULL, env={**os.environ, **environment})
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begun
    return Used(process.returncode, wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


class Store:
    """A Redis server of our own, for as long as it is measured."""

    def __enter__(self) -> Store:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        words = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        for _ in range(2400):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                time.sleep(0.025)
        self.at = f"redis://127.0.0.1:{self.port}/0"
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def info(self) -> dict[str, float]:
        """What it says of itself."""
        done = subprocess.run(["redis-cli", "-p", str(self.port), "INFO"], capture_output=True, text=True, check=True)
        pairs = (line.split(":", 1) for line in done.stdout.splitlines() if ":" in line)
        return {name: float(value) for name, value in pairs if value.replace(".", "", 1).isdigit()}


def moved(before: Mapping[str, float], after: Mapping[str, float]) -> tuple[float, float]:
    """The questions and the bytes between two moments."""
    names = ("total_net_input_bytes", "total_net_output_bytes")
    bytes_ = sum(after[name] - before[name] for name in names)
    commands = after["total_commands_processed"] - before["total_commands_processed"]
    return commands, bytes_


def answers(path: Path) -> list[dict]:
    """The answers of a file of answers."""
    told = (json.loads(line) for line in path.read_text().splitlines())
    return [line["procedure"] for line in told if "procedure" in line]


def distribution(procedures: Sequence[dict], cpu: float) -> dict:
    """What procedures cost that have cost so much processor time together."""
    seconds = sorted(p["statistics"]["seconds"] for p in procedures)
    scale = cpu / sum(seconds)
    last = len(seconds) - 1
    costs = [round(seconds[round(i * last / (POINTS - 1))] * scale, 6) for i in range(POINTS)]
    shares = {f"p{share}": costs[share * (POINTS - 1) // 100] for share in (50, 90, 99)}
    return {"looked_at": len(seconds), "mean": cpu / len(seconds), **shares, "dearest": costs[-1], "costs": costs}


def scheduler_a_task() -> float:
    """What a task that does nothing costs the scheduler and the client, which are one process here."""
    here = "127.0.0.1"
    served = {"dashboard_address": f"{here}:0", "worker_dashboard_address": f"{here}:0"}
    with LocalCluster(n_workers=1, threads_per_worker=1, host=here, **served) as cluster:
        with Client(cluster) as client:
            run, nothing = runner(), (["true"], ".", {}, 9.0, 1)
            client.gather([client.submit(run, *nothing, pure=False) for _ in range(10)])
            begun = time.process_time()
            futures = [client.submit(run, *nothing, pure=False) for _ in range(EMPTY_TASKS)]
            client.gather(futures)
            return (time.process_time() - begun) / EMPTY_TASKS


def store_a_question(store: Store, size: int) -> float:
    """What a question about an entry of a size costs the server."""
    before = store.info()
    words = ["redis-benchmark", "-p", str(store.port), "-t", "get,set", "-d", str(size), "-n", str(QUESTIONS), "-q"]
    subprocess.run(words, capture_output=True, check=True)
    after = store.info()
    used = sum(after[name] - before[name] for name in ("used_cpu_sys", "used_cpu_user"))
    return used / (after["total_commands_processed"] - before["total_commands_processed"])


def merge_a_procedure(binary: str, folder: Path, parts: Sequence[Path], count: int) -> dict[str, float]:
    """What one procedure more costs the merge that makes JSON and SARIF, and what the JSON has of it."""
    used: list[Used] = []
    names = ("small", "large")
    for name, copies in zip(names, (1, COPIES)):
        with Path(folder, name).open("w") as to:
            for copy in range(copies):
                for line in (line for part in parts for line in part.read_text().splitlines()):
                    told = json.loads(line)
                    to.write(json.dumps({**told, "file": f"{copy}/{told['file']}"}, separators=(",", ":")) + "\n")
        words = ["verify", "--merge", str(Path(folder, name)), "--format", "json", "--sarif", str(Path(folder, "sarif"))]
        used.append(min((use([binary, *words], Path(folder, "merged"), {}) for _ in range(3)), key=lambda u: u.cpu))
    more = count * (COPIES - 1)
    return {
        "merge_a_procedure": (used[1].cpu - used[0].cpu) / more,
        "merge_bytes": (used[1].most_bytes - used[0].most_bytes) / more,
        "report_bytes": Path(folder, "merged").stat().st_size / count / COPIES,
    }


def measure(binary: str, code: str, rounds: int) -> dict:
    """All figures about a code base, which is edited."""
    verify = [binary, "verify", "--separately", "--threads", "1", code]
    figures: dict = {}
    with tempfile.TemporaryDirectory() as folder, Store() as store:
        out = Path(folder, "out")
        plain = use([*verify, "--format", "answers"], out, {"TRELLIS_CACHE": "off"})
        all_answers = answers(out)
        programs = sum('"usable"' in line for line in out.read_text().splitlines())
        count = len(all_answers)
        listed = use([*verify, "--list"], Path(folder, "list"), {"TRELLIS_CACHE": "off"})
        nothing = min(use([binary, "--version"], Path(folder, "x"), {}).cpu for _ in range(5))
        seconds = sum(p["statistics"]["seconds"] for p in all_answers)
        figures |= distribution(all_answers, plain.cpu - listed.cpu)
        figures |= {
            "programs": programs, "procedures": count, "plain": vars(plain),
            "procedures_a_program": count / programs, "reading": listed.cpu / programs, "process": nothing,
        }
        redis = {"TRELLIS_CACHE": store.at}
        before = store.info()
        first = use([*verify, "--format", "answers"], out, redis)
        middle = store.info()
        second = use([*verify, "--format", "answers"], out, redis)
        after = store.info()
        (new, new_bytes), (known, known_bytes) = moved(before, middle), moved(middle, after)
        figures |= {
            "first": vars(first), "second": vars(second), "store_bytes_kept": middle["used_memory"] / count,
            "known": max(second.cpu - listed.cpu, 0.0) / count,
            "questions_new": new / count, "questions_known": known / count,
            "store_bytes_new": new_bytes / count, "store_bytes_known": known_bytes / count,
            "store_a_question": store_a_question(store, round(new_bytes / count)),
        }
        figures |= merge_a_procedure(binary, Path(folder), [Path(folder, "list"), out], count)
        text = out.read_bytes()
        begun = time.process_time()
        for line in text.splitlines():
            json.loads(line)
        figures["client_a_procedure"] = (time.process_time() - begun) / count
        figures["result_bytes"] = len(zlib.compress(text, 1)) / count
        figures["answer_bytes"] = len(text) / count
        figures["scheduler_a_task"] = scheduler_a_task()
        figures["history"] = history = []
        for number in range(rounds):
            edited = edit(Path(code), 0.01, 100 + number)
            used = use([*verify, "--format", "answers"], out, redis)
            fresh = [p for p in answers(out) if not p.get("cached")]
            work = sum(p["statistics"]["seconds"] for p in fresh) / seconds
            # What is not there the second time is work; reading is there every time.
            by_cpu = (used.cpu - second.cpu) / (first.cpu - second.cpu)
            history.append(
                {"edited": edited, "looked_at": len(fresh), "work": work, "work_by_cpu": by_cpu, "cpu": used.cpu}
            )
        looked_at = sum(h["looked_at"] for h in history)
        figures["work_an_edit"] = looked_at / count / 0.01 / max(rounds, 1)
    return figures


def main() -> None:
    """``python -m trellis_cluster.measure CODE``: prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m trellis_cluster.measure", description=__doc__)
    parser.add_argument("code", help="a folder of C files, which is edited")
    parser.add_argument("--binary", default="trellis")
    parser.add_argument("--rounds", type=int, default=5, help="how often a hundredth is edited (%(default)s)")
    parser.add_argument(
        "--costs", nargs=2, metavar=("ANSWERS", "SECONDS"),
        help="take costs from the answers of another run, and its processor time without reading",
    )
    given = parser.parse_args()
    figures = measure(given.binary, given.code, given.rounds)
    if given.costs:
        figures |= distribution(answers(Path(given.costs[0])), float(given.costs[1]))
    json.dump(figures, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
