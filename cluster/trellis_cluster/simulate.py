"""What many workers would do, from measured figures (``figures.json``, which ``measure`` writes).

A run is played event by event. The scheduler gives one task at a time to a worker that is free; the
worker reads programs and looks at procedures; the store answers one question at a time; the client
takes one result at a time, and in the end one process merges. Each of the three that exist once has a
queue, so where one of them becomes the limit its share of busy time goes to one, and workers wait.

**Invariant.** Same figures, same seed, same text: there is no clock and no other source of chance.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from .plan import LONGEST, SHORTEST, TASKS

FIGURES = Path(__file__).with_name("figures.json")


@dataclass(frozen=True)
class Figures:
    """What was measured; seconds of a processor, and bytes."""

    # The cost of a procedure, at even shares from the cheapest to the dearest.
    costs: Sequence[float]
    procedures_a_program: float
    # Reading a program; an answer from the store; starting a process.
    reading: float
    known: float
    process: float
    # Of the scheduler and of the client, a task; of the client and of the merge, a procedure.
    scheduler_a_task: float
    client_a_procedure: float
    merge_a_procedure: float
    # Of the store, a question, and how many are asked about a procedure that is new, or known.
    store_a_question: float
    questions_new: float
    questions_known: float
    # What moves for a procedure: between worker and store, and from a worker to the client.
    store_bytes_new: float
    store_bytes_known: float
    result_bytes: float
    # How many procedures have another answer to be found when one is edited.
    work_an_edit: float

    @staticmethod
    def read(path: Path) -> Figures:
        """Those of a file."""
        read = json.loads(path.read_text())
        return Figures(**{f.name: read[f.name] for f in fields(Figures)})

    def cost(self, share: float) -> float:
        """The cost at a share of all procedures."""
        at = share * (len(self.costs) - 1)
        low = int(at)
        high = min(low + 1, len(self.costs) - 1)
        return self.costs[low] + (self.costs[high] - self.costs[low]) * (at - low)


@dataclass(frozen=True)
class Ran:
    """What came of a run."""

    seconds: float
    work: float
    tasks: int
    # The shares of the time in which they were busy.
    workers: float
    scheduler: float
    store: float
    client: float
    merge: float
    gigabytes: float

    @property
    def limit(self) -> str:
        """What there should be more of for the run to be shorter."""
        shares = {"scheduler": self.scheduler, "store": self.store, "client": self.client, "merge": self.merge}
        name = max(shares, key=lambda name: (shares[name], name))
        return name if shares[name] > self.workers else "workers"


class Server:
    """Who does one thing after the other."""

    def __init__(self) -> None:
        self.free = self.busy = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """When something is done that is asked for now."""
        self.free = max(self.free, now) + seconds
        self.busy += seconds
        return self.free


@dataclass(frozen=True)
class Work:
    """A task: what the worker does, and what the store and the client have to do with it."""

    seconds: float
    questions: float
    procedures: int


def tasks(figures: Figures, procedures: int, new: float, workers: int, seed: int) -> list[Work]:
    """The tasks of a run in which a share of the procedures is new, as ``plan`` would make them."""
    chance = random.Random(seed)
    mean = sum(figures.costs) / len(figures.costs)
    a_program = figures.reading / figures.procedures_a_program
    total = procedures * (a_program + new * mean + (1.0 - new) * figures.known)
    limit = min(max(total / (TASKS * workers), SHORTEST), LONGEST)
    made: list[Work] = []
    seconds, questions, count = figures.process, 0.0, 0
    for _ in range(procedures):
        share = chance.random()
        if share < new:
            seconds += a_program + figures.cost(share / new)
            questions += figures.questions_new
        else:
            seconds += a_program + figures.known
            questions += figures.questions_known
        count += 1
        if seconds > limit:
            made.append(Work(seconds, questions, count))
            seconds, questions, count = figures.process, 0.0, 0
    if count:
        made.append(Work(seconds, questions, count))
    return sorted(made, key=lambda work: -work.seconds)


def simulate(figures: Figures, procedures: int, new: float, workers: int, seed: int = 0) -> Ran:
    """Plays a run."""
    todo = tasks(figures, procedures, new, workers, seed)
    scheduler, store, client = Server(), Server(), Server()
    # When what happens: a worker is free; a worker has worked; the store has answered.
    free, worked, answered = 0, 1, 2
    events: list[tuple[float, int, int, int]] = [(0.0, free, n, -1) for n in range(min(workers, len(todo)))]
    number = len(events)
    begun = 0
    busy = end = 0.0
    while events:
        now, kind, _, at = heapq.heappop(events)
        number += 1
        if kind == free and begun < len(todo):
            start = scheduler.serve(now, figures.scheduler_a_task)
            busy += todo[begun].seconds
            heapq.heappush(events, (start + todo[begun].seconds, worked, number, begun))
            begun += 1
        elif kind == worked:
            done = store.serve(now, todo[at].questions * figures.store_a_question)
            heapq.heappush(events, (done, answered, number, at))
        elif kind == answered:
            end = max(end, client.serve(now, todo[at].procedures * figures.client_a_procedure))
            heapq.heappush(events, (now, free, number, -1))
    merge = procedures * figures.merge_a_procedure
    whole = end + merge
    stored = new * figures.store_bytes_new + (1.0 - new) * figures.store_bytes_known
    return Ran(
        seconds=whole, work=busy, tasks=len(todo), workers=busy / (workers * whole),
        scheduler=scheduler.busy / whole, store=store.busy / whole, client=client.busy / whole,
        merge=merge / whole, gigabytes=procedures * (stored + figures.result_bytes) / 1e9,
    )


def _time(seconds: float) -> str:
    for unit, name in ((86400.0, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.1f} {name}"
    return f"{seconds:.0f} s"


def table(figures: Figures, procedures: int, sizes: Sequence[int], edited: float, seed: int) -> str:
    """The table of the manual."""
    lines = ["run        workers  tasks      time    work  workers  scheduler  store  client  merge     GB  limit"]
    for name, new in (("first", 1.0), (f"{edited:.0%} edited", min(1.0, edited * figures.work_an_edit))):
        for workers in sizes:
            ran = simulate(figures, procedures, new, workers, seed)
            shares = f"{ran.workers:7.0%}  {ran.scheduler:9.1%}  {ran.store:5.1%}  {ran.client:6.1%}  {ran.merge:5.1%}"
            lines.append(
                f"{name:9}  {workers:7}  {ran.tasks:5}  {_time(ran.seconds):>8}  {ran.work / 3600:4.0f} h"
                f"  {shares}  {ran.gigabytes:5.1f}  {ran.limit}"
            )
    return "\n".join(lines)


def main() -> None:
    """Prints the table of the manual."""
    parser = argparse.ArgumentParser(prog="python -m trellis_cluster.simulate", description=__doc__)
    parser.add_argument("--figures", type=Path, default=FIGURES, help="what was measured (%(default)s)")
    parser.add_argument("--procedures", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[10, 100, 1000, 10000])
    parser.add_argument("--edited", type=float, default=0.01, help="the share that is edited (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    figures = Figures.read(given.figures)
    print(table(figures, given.procedures, given.workers, given.edited, given.seed))


if __name__ == "__main__":
    main()
