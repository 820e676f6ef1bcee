"""Which procedures go together, and which go first.

A process and the reading of a file cost some milliseconds, so small programs share a chunk; a program
that is dearer than a chunk is split by its procedures. The dearest chunks go first, by what their
procedures cost last time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# What reading a program costs, and an answer that the store has; seconds.
READING = 0.02
KNOWN = 0.001
# What a procedure costs that was never looked at.
UNSEEN = 0.05
# The chunks a worker gets, and the bounds of their cost.
CHUNKS = 8
SHORTEST = 0.5
LONGEST = 30.0


@dataclass(frozen=True)
class Chunk:
    """Whole programs, or some procedures of one."""

    files: tuple[str, ...]
    procedures: tuple[str, ...]
    count: int
    cost: float


Listed = Mapping[str, object]


def _costs(program: Listed, last: Mapping[str, float]) -> list[tuple[str, float]]:
    found = []
    procedures = program["procedures"]
    assert isinstance(procedures, list)
    for procedure in procedures:
        name = procedure["name"]
        cost = KNOWN if procedure["known"] else last.get(f"{program['file']}:{name}", UNSEEN)
        found.append((name, max(cost, KNOWN)))
    return found


def chunks(programs: Iterable[Listed], last: Mapping[str, float], workers: int) -> list[Chunk]:
    """The chunks of programs that were listed, the dearest first."""
    usable = [p for p in programs if p["usable"] and p["procedures"]]
    costs = [_costs(p, last) for p in usable]
    total = sum(READING + sum(c for _, c in costs_of) for costs_of in costs)
    most = min(max(total / (CHUNKS * max(workers, 1)), SHORTEST), LONGEST)
    made: list[Chunk] = []
    files: list[str] = []
    count, cost = 0, 0.0
    for program, costs_of in zip(usable, costs):
        file = str(program["file"])
        whole = READING + sum(c for _, c in costs_of)
        if whole > most and len(costs_of) > 1:
            made.extend(_split(file, costs_of, most))
            continue
        if files and cost + whole > most:
            made.append(Chunk(tuple(files), (), count, cost))
            files, count, cost = [], 0, 0.0
        files.append(file)
        count, cost = count + len(costs_of), cost + whole
    if files:
        made.append(Chunk(tuple(files), (), count, cost))
    return sorted(made, key=lambda c: (-c.cost, c.files, c.procedures))


def _split(file: str, costs: list[tuple[str, float]], most: float) -> list[Chunk]:
    made: list[Chunk] = []
    names: list[str] = []
    cost = READING
    for name, one in costs:
        if names and cost + one > most:
            made.append(Chunk((file,), tuple(names), len(names), cost))
            names, cost = [], READING
        names.append(name)
        cost += one
    made.append(Chunk((file,), tuple(names), len(names), cost))
    return made
