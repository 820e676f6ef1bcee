"""Submits, gathers, and lets the binary put the answers together.

What was answered is on disk as soon as it arrives (``answers.jsonl``), and in the store before; so a
run that cannot be finished leaves the report of what it has, and the next one goes on from the store.

**Invariant.** The report speaks of every program of the request, and says of each procedure without an
answer that it has none.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from distributed import Client

from . import plan
from .crew import Crew, Lost, Unfinished
from .plan import Program, Task
from .request import Request, files
from .work import Done, Refused

# So many programs are listed by one task.
LISTED = 50
REPORTS = ("report.json", "report.sarif", "report.html")


@dataclass
class Run:
    """What is known so far."""

    request: Request
    programs: dict[str, Program]
    listed: dict[str, dict] = field(default_factory=dict)
    # What procedures cost, by program, and how many answers there are, from the store, lost.
    costs: dict[str, dict[str, float]] = field(default_factory=dict)
    answers: int = 0
    cached: int = 0
    seconds: float = 0.0
    lost: list[str] = field(default_factory=list)
    warned: set[str] = field(default_factory=set)

    def tell(self, text: str) -> None:
        """Says something, unless the user wants silence."""
        if self.request.progress:
            start = "\r\x1b[K" if sys.stderr.isatty() else ""
            print(f"{start}{text}", file=sys.stderr, flush=True)

    def tell_progress(self) -> None:
        """A line that a terminal overwrites."""
        text = f"{len(self.listed)}/{len(self.programs)} programs, {self.answers} procedures"
        if not self.request.progress:
            return
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)

    def take(self, done: Done, answers: TextIO) -> None:
        """Takes what a process printed."""
        for line in done.out.splitlines():
            told = json.loads(line)
            if "usable" in told:
                self.listed.setdefault(told["file"], told)
                continue
            answers.write(f"{line}\n")
            procedure = told["procedure"]
            seconds = procedure["statistics"]["seconds"]
            self.costs.setdefault(told["file"], {})[procedure["name"]] = seconds
            self.answers += 1
            if procedure.get("cached"):
                self.cached += 1
            else:
                self.seconds += seconds
        answers.flush()
        for line in done.err.splitlines():
            if line.startswith("warning: the cache") and line not in self.warned:
                self.warned.add(line)
                self.tell(line)

    def last_costs(self) -> dict[str, dict]:
        """What the next run should know."""
        kept = {}
        for file, program in self.programs.items():
            costs = self.costs.get(file, {})
            whole = file in self.listed and len(costs) == len(self.listed[file]["procedures"])
            digest = program.digest if whole else ""
            kept[file] = {"digest": digest, "costs": {**program.costs, **costs} if not whole else costs}
        return kept


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Two runs must not write one report."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"another run writes to `{folder}`") from None
        yield


def verify(client: Client, request: Request, workers: int, local: bool) -> int:
    """Verifies, and writes ``report.json``, ``report.sarif`` and, if wanted, ``report.html``; whether
    the workers are threads of this process changes nothing but the cost."""
    with _alone_in(request.out):
        return _verify(client, request, workers, local)


def _verify(client: Client, request: Request, workers: int, local: bool) -> int:
    paths, options = files(request.sources)
    request.options = [*request.options, *options]
    if not paths:
        raise Refused("there is no C file to verify")
    for name in REPORTS:
        (request.out / name).unlink(missing_ok=True)
    costs_file = request.out / "costs.json"
    last = _read_costs(costs_file)
    run = Run(request, {p: plan.known(request.folder, p, last) for p in paths})
    crew = Crew(client, request, local)
    unfinished: Unfinished | None = None
    with (request.out / "answers.jsonl").open("w") as answers:
        try:
            _work(run, crew, workers, answers)
        except Unfinished as why:
            unfinished = why
        except KeyboardInterrupt:
            unfinished = Unfinished("interrupted")
        finally:
            crew.leave()
    costs_file.write_text(json.dumps(run.last_costs(), sort_keys=True))
    lines = [run.listed.get(path, {"unread": path}) for path in paths]
    (request.out / "list.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run.tell(
        f"{run.answers} procedures, {run.cached} from the store, {run.seconds:.3f} s of work"
    )
    code = _merge(request)
    run.tell(f"the report is in {os.path.relpath(request.out, request.folder)}")
    if unfinished or run.lost:
        kept = f"{run.answers} procedures are in {request.out} and in the store"
        raise Unfinished("\n".join([*([str(unfinished)] if unfinished else []), *run.lost, kept]))
    return code


def _read_costs(path: Path) -> dict[str, dict]:
    """What things cost last time; a file that makes no sense is none."""
    try:
        read = json.loads(path.read_text())
        return {f: p for f, p in read.items() if isinstance(p["costs"], dict) and p["digest"] is not None}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _work(run: Run, crew: Crew, workers: int, answers: TextIO) -> None:
    """Everything that workers do."""
    limit = plan.most(run.programs.values(), workers)
    dear = {p.file: p for p in plan.dear(run.programs.values(), limit)}
    small = [p for p in run.programs.values() if p.file not in dear]
    names = list(dear)
    for start in range(0, len(names), LISTED):
        group = tuple(names[start : start + LISTED])
        task = Task(group, listing=True)
        crew.submit(task, _command(run, task))
    tasks = []
    for task, done in crew.results():
        if isinstance(done, Lost):
            small += [dear[file] for file in task.files]
            continue
        run.take(done, answers)
        for file in task.files:
            tasks += plan.split(dear[file], run.listed[file], limit)
    tasks += plan.together(small, limit, workers)
    for task in plan.dearest_first(tasks):
        crew.submit(task, _command(run, task))
    for task, done in crew.results():
        if isinstance(done, Lost):
            _split_lost(run, crew, task, done)
            continue
        run.take(done, answers)
        run.tell_progress()
        if task.listing:
            _one_by_one(run, crew, task)


def _command(run: Run, task: Task) -> list[str]:
    if task.listing:
        return run.request.command("--list", *task.files)
    more = ["--format", "answers", *(["--pictures"] if run.request.html else [])]
    named = [word for name in task.procedures for word in ("--proc", name)]
    return run.request.command(*more, *named, *task.files)


def _split_lost(run: Run, crew: Crew, task: Task, lost: Lost) -> None:
    """What a process could not do together is tried one by one; what it cannot do alone is lost."""
    if task.listing:
        run.lost.append(f"no answer about {task.files[0]}: {lost}")
        return
    parts: list[Task] = []
    if len(task.files) > 1:
        parts = [Task((file,)) for file in task.files]
    elif len(task.procedures) > 1:
        parts = [Task(task.files, (name,)) for name in task.procedures]
    elif not task.procedures:
        parts = [Task(task.files, listing=True)]
    for part in parts:
        crew.submit(part, _command(run, part))
    if not parts:
        run.lost.append(f"no answer about {':'.join((*task.files, *task.procedures))}: {lost}")


def _one_by_one(run: Run, crew: Crew, listed: Task) -> None:
    """The procedures of a program that a process could not do."""
    for file in listed.files:
        for procedure in run.listed[file]["procedures"]:
            part = Task((file,), (procedure["name"],))
            crew.submit(part, _command(run, part))


def _merge(request: Request) -> int:
    out = request.out
    command = [request.binary, "verify", *request.options, "--format", "json", "--sarif", str(out / "report.sarif")]
    command += [word for part in ("list.jsonl", "answers.jsonl") for word in ("--merge", str(out / part))]
    command += ["--html", str(out / "report.html")] if request.html else []
    with (out / "report.json").open("w") as report:
        return subprocess.run(command, stdout=report, cwd=request.folder, check=False).returncode
