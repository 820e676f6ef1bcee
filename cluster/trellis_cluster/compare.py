"""Compares one process with a cluster on this machine: the report, the time, the processor time.

Runs are interleaved, so that others who use the machine disturb all of them; processor time, which
does not depend on others, is printed beside the time of the clock.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from .measure import Store, Used, use


def settled(value: object) -> object:
    """A report without what may differ."""
    if isinstance(value, dict):
        return {k: settled(v) for k, v in value.items() if k not in ("statistics", "cached")}
    return [settled(v) for v in value] if isinstance(value, list) else value


def compare(binary: str, code: str, sizes: list[int], rounds: int, options: list[str]) -> bool:
    """Prints a line a run, and whether all reports are the same."""
    off = {"TRELLIS_CACHE": "off"}
    texts: dict[str, str] = {}
    used: dict[str, list[Used]] = {}

    def ran(name: str, report: Path, one: Used) -> None:
        document = json.loads(report.read_text())
        texts.setdefault(name, json.dumps(settled(document)))
        used.setdefault(name, []).append(one)
        count = sum(len(file["procedures"]) for file in document["files"])
        print(f"{name:24} {count:6} procedures {one.wall:8.1f} s {one.cpu:8.1f} s of a processor", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for threads in sizes:
                out = Path(folder, "plain.json")
                words = ["verify", "--separately", "--threads", str(threads), code, "--format", "json", *options]
                with Store() as store:
                    one = use([binary, *words], out, {"TRELLIS_CACHE": store.at})
                ran(f"one process, {threads} threads", out, one)
            for workers in sizes:
                with Store() as store, tempfile.TemporaryDirectory() as reports:
                    words = [code, "--local", str(workers), "--binary", binary, "--out", reports, "--quiet"]
                    command = [sys.executable, "-m", "trellis_cluster", *words, "--cache", store.at, "--", *options]
                    one = use(command, Path(folder, "x"), off)
                    ran(f"cluster, {workers} workers", Path(reports, "report.json"), one)
    best = {name: (min(u.wall for u in all_), min(u.cpu for u in all_)) for name, all_ in used.items()}
    print()
    for name, (wall, cpu) in best.items():
        print(f"{name:24} best {wall:8.1f} s {cpu:8.1f} s of a processor")
    same = len(set(texts.values())) == 1
    print("all reports are the same" if same else "reports differ")
    return same


def main() -> int:
    """``python -m trellis_cluster.compare CODE [-- options of trellis verify]``."""
    parser = argparse.ArgumentParser(prog="python -m trellis_cluster.compare", description=__doc__)
    parser.add_argument("code", help="a folder of C files")
    parser.add_argument("--binary", default="trellis")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 2, 3], help="threads, and workers")
    parser.add_argument("--rounds", type=int, default=1)
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    given = parser.parse_args(sys.argv[1:at])
    return 0 if compare(given.binary, given.code, given.sizes, given.rounds, sys.argv[at + 1 :]) else 1


if __name__ == "__main__":
    sys.exit(main())
