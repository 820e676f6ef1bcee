"""A code base of N procedures: programs of the suites, renamed and varied by a seed; and its edits.

Every file has one program. Copies differ in the names of procedures, in where they stand, and in a
constant that no answer depends on, so their keys differ. ``edit`` changes some of the procedures as a
developer would: the text of their bodies, and nothing else of the file.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

_DEFINED = re.compile(r"^(?:static\s+)?[A-Za-z_][\w\s]*[\s*]([A-Za-z_]\w*)\([^;{]*\)\s*\{", re.M)
_KEPT = ("main", "reach_error", "if", "while", "for", "switch")


def _names(text: str) -> list[str]:
    return sorted({name for name in _DEFINED.findall(text) if name not in _KEPT})


def varied(text: str, number: int) -> str:
    """A copy of a program."""
    for name in _names(text):
        text = re.sub(rf"\b{name}\b(?=\s*\()", f"{name}_{number}", text)
    before = "\n" * (number % 4)
    return f"{before}{text}\nstatic const int variant_{number} = {number};\n"


def generate(examples: Sequence[tuple[Path, int]], to: Path, procedures: int, seed: int) -> int:
    """Writes files until so many procedures are looked at; says how many there are.

    ``examples`` are programs, each with how many of its procedures are looked at."""
    choose = random.Random(seed)
    to.mkdir(parents=True, exist_ok=True)
    made = number = 0
    while made < procedures:
        source, count = choose.choice([e for e in examples if e[1] <= procedures - made] or list(examples))
        name = f"f{number:06}_{re.sub(r'[^A-Za-z0-9]', '_', source.stem)}.c"
        (to / name).write_text(varied(source.read_text(), number))
        made += count
        number += 1
    return made


def edit(folder: Path, share: float, seed: int) -> int:
    """Edits a share of the procedures; says how many."""
    bodies = [
        (path, match.group(1))
        for path in sorted(folder.rglob("*.c"))
        for match in _DEFINED.finditer(path.read_text())
        if match.group(1) == "main" or match.group(1) not in _KEPT
    ]
    chosen = random.Random(seed).sample(bodies, max(1, round(len(bodies) * share)))
    for path, name in chosen:
        text = path.read_text()
        body = next(match for match in _DEFINED.finditer(text) if match.group(1) == name)
        path.write_text(f"{text[: body.end()]} /* edit {seed} */\n{text[body.end() :]}")
    return len(chosen)


def suites(binary: str, folders: Sequence[Path], dearest: float) -> list[tuple[Path, int]]:
    """The programs of folders that can be copied alone and cost at most so many seconds, each with how
    many of its procedures are looked at."""
    found = sorted(path for folder in folders for path in folder.rglob("*.c"))
    alone = [p for p in found if '#include "' not in p.read_text(errors="replace")]
    words = ["verify", "--separately", "--no-cache", "--format", "answers", "--timeout", f"{dearest:g}s"]
    command = [binary, *words, *map(str, alone)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    counts: dict[str, int] = {}
    dear: set[str] = set()
    for told in map(json.loads, done.stdout.splitlines()):
        if "usable" in told:
            counts[told["file"]] = len(told["procedures"]) if told["usable"] else 0
        elif _is_late(told["procedure"]) or told["procedure"]["statistics"]["seconds"] > dearest / 2:
            dear.add(told["file"])
    return [(p, counts[str(p)]) for p in alone if counts.get(str(p), 0) and str(p) not in dear]


def _is_late(procedure: dict) -> bool:
    """Whether the clock had a say in an answer."""
    reasons = [procedure.get("reason"), *(a.get("reason") for a in procedure.get("attempts", []))]
    return any(reason and reason["kind"] in ("time", "memory", "cancelled") for reason in reasons)


def main() -> None:
    """``python -m trellis_cluster.generate TO N FOLDER… [--seed S] [--edit SHARE]``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("to", type=Path)
    parser.add_argument("procedures", type=int)
    parser.add_argument("suites", type=Path, nargs="*", help="folders with programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--binary", default="trellis")
    parser.add_argument("--dearest", type=float, default=0.5, help="leave out what takes longer (%(default)s s)")
    parser.add_argument("--edit", type=float, metavar="SHARE", help="edit what is there instead")
    given = parser.parse_args()
    if given.edit is not None:
        print(edit(given.to, given.edit, given.seed))
        return
    programs = suites(given.binary, given.suites, given.dearest)
    print(generate(programs, given.to, given.procedures, given.seed), "procedures")


if __name__ == "__main__":
    main()
