"""Which programs go together, which go first, and which are split by their procedures.

A process and the reading of a file cost some milliseconds, so small programs share a task; a program
that is dearer than a task is listed first and split by its procedures. The dearest tasks go first.
What a program costs is what it cost last time (``costs.json``); if its text is the one of last time,
the store should have its answers, and it costs its reading. It may have forgotten them, so there are
tasks for all workers even then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

# What reading a program costs, and an answer that the store has; seconds.
READING = 0.02
KNOWN = 0.001
# What a procedure costs that was never looked at, and how many bytes of text it takes.
UNSEEN = 0.05
BYTES = 600
# The tasks a worker gets, and the bounds of their cost.
TASKS = 20
FEWEST_TASKS = 4
SHORTEST = 0.5
LONGEST = 30.0


@dataclass
class Program:
    """A program, as far as it is known without reading it."""

    file: str
    digest: str
    size: int
    # What its procedures cost last time, and whether its text was this one.
    costs: Mapping[str, float] = field(default_factory=dict)
    same: bool = False

    @property
    def cost(self) -> float:
        """What it may cost."""
        if self.same:
            return READING + KNOWN * len(self.costs)
        return READING + (sum(self.costs.values()) or UNSEEN * self.count)

    @property
    def count(self) -> int:
        """How many procedures it may have."""
        return len(self.costs) or 1 + self.size // BYTES


@dataclass(frozen=True)
class Task:
    """Whole programs, or some procedures of one."""

    files: tuple[str, ...]
    procedures: tuple[str, ...] = ()
    cost: float = 0.0
    # Whether the programs are only listed.
    listing: bool = False


def known(folder: str, file: str, last: Mapping[str, Mapping]) -> Program:
    """A program with what is known of it from last time."""
    try:
        text = Path(folder, file).read_bytes()
    except OSError:
        text = b""
    digest = hashlib.sha256(text).hexdigest()
    before = last.get(file, {})
    return Program(file, digest, len(text), before.get("costs", {}), before.get("digest") == digest)


def most(programs: Iterable[Program], workers: int) -> float:
    """What a task may cost."""
    total = sum(p.cost for p in programs)
    return min(max(total / (TASKS * max(workers, 1)), SHORTEST), LONGEST)


def dear(programs: Iterable[Program], limit: float) -> list[Program]:
    """Those that are to be split."""
    return [p for p in programs if p.cost > limit and p.count > 1]


def together(programs: Sequence[Program], limit: float, workers: int) -> list[Task]:
    """Whole programs as tasks."""
    made: list[Task] = []
    together_at_most = 1 + len(programs) // (FEWEST_TASKS * max(workers, 1))
    files: list[str] = []
    cost = 0.0
    for program in programs:
        if files and (cost + program.cost > limit or len(files) == together_at_most):
            made.append(Task(tuple(files), (), cost))
            files, cost = [], 0.0
        files.append(program.file)
        cost += program.cost
    if files:
        made.append(Task(tuple(files), (), cost))
    return made


def split(program: Program, listed: Mapping, limit: float) -> list[Task]:
    """The procedures of a program that was listed, as tasks; names are those of the list."""
    made: list[Task] = []
    names: list[str] = []
    cost = READING
    for procedure in listed["procedures"]:
        name = procedure["name"]
        one = KNOWN if procedure["known"] else max(program.costs.get(name, UNSEEN), KNOWN)
        if names and cost + one > limit:
            made.append(Task((program.file,), tuple(names), cost))
            names, cost = [], READING
        names.append(name)
        cost += one
    if names:
        made.append(Task((program.file,), tuple(names), cost))
    return made


def dearest_first(tasks: Sequence[Task]) -> list[Task]:
    """The order in which tasks are begun."""
    return sorted(tasks, key=lambda t: (-t.cost, t.files, t.procedures))
