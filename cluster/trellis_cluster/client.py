"""Lists, submits, gathers, and lets the binary put the answers together.

What was answered is on disk as soon as it arrives (``answers.jsonl``), and in the store before; so a
run that cannot be finished leaves the report of what it has, and the next one goes on from the store.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from pathlib import Path

from distributed import Client, as_completed

from .plan import Chunk, chunks
from .work import Done, Lost, Refused, run

# So many files are listed by one task.
FILES = 50
# How often a task is tried again whose process, or whose worker, was lost.
RETRIES = 3


class Unfinished(Exception):
    """The run cannot go on; what is finished is kept."""


@dataclass
class Request:
    """What is to be verified, and how."""

    binary: str
    sources: Sequence[str]
    options: Sequence[str]
    cache: str | None
    out: Path
    html: bool = False
    # Seconds a procedure, on top of which a process gets a minute.
    timeout: float = 60.0
    progress: bool = True
    folder: str = field(default_factory=os.getcwd)

    def environment(self) -> dict[str, str]:
        """The store, which is no argument: it may have a password."""
        return {"TRELLIS_CACHE": self.cache} if self.cache else {}

    def command(self, *more: str) -> list[str]:
        """A process about some programs."""
        limit = f"{self.timeout:g}s"
        settled = ["verify", "--separately", "--threads", "1", "--timeout", limit]
        return [self.binary, *settled, *self.options, *more]


def files(sources: Sequence[str]) -> tuple[list[str], list[str]]:
    """The C files of folders and of a compile_commands.json, and the options that read them."""
    found: list[str] = []
    options: list[str] = []
    for source in sources:
        path = Path(source)
        if path.is_dir():
            found.extend(sorted(str(p) for p in path.rglob("*.c")))
        elif path.name.endswith(".json"):
            options += ["--compile-commands", source]
            for entry in json.loads(path.read_text()):
                file = Path(entry["directory"], entry["file"])
                if file.suffix == ".c":
                    found.append(str(file))
        else:
            found.append(source)
    return list(dict.fromkeys(found)), options


def _told(request: Request, text: str) -> None:
    if request.progress:
        print(text, file=sys.stderr, flush=True)


def _gather(client: Client, request: Request, tasks: list[tuple[list[str], float, int]]) -> Iterator[Done]:
    """The results of processes, as they come."""
    futures = [
        client.submit(
            run, command, request.folder, request.environment(), seconds,
            retries=RETRIES, priority=-number, pure=False, key=f"trellis-{os.getpid()}-{id(tasks)}-{number}",
        )
        for number, (command, seconds, _) in enumerate(tasks)
    ]
    try:
        for future in as_completed(futures):
            yield future.result()
    except Refused:
        raise
    except Lost as lost:
        raise Unfinished(str(lost)) from lost
    except (CancelledError, OSError, RuntimeError, TimeoutError) as lost:
        raise Unfinished(f"the scheduler or the workers are lost: {lost}") from lost
    except Exception as lost:  # What Dask makes of workers that die again and again.
        raise Unfinished(f"{type(lost).__name__}: {lost}") from lost


def _listing(client: Client, request: Request, paths: list[str]) -> list[dict]:
    groups = [paths[i : i + FILES] for i in range(0, len(paths), FILES)]
    tasks = [(request.command("--list", *group), 60.0 + len(group), 0) for group in groups]
    listed: dict[str, dict] = {}
    for done in _gather(client, request, tasks):
        for line in done.out.splitlines():
            program = json.loads(line)
            listed[program["file"]] = program
    return [listed[path] for path in paths]


def _verifying(request: Request, all_chunks: list[Chunk]) -> list[tuple[list[str], float, int]]:
    more = ["--format", "answers", *(["--pictures"] if request.html else [])]
    tasks = []
    for chunk in all_chunks:
        named = [word for name in chunk.procedures for word in ("--proc", name)]
        command = request.command(*more, *named, *chunk.files)
        tasks.append((command, 60.0 + chunk.count * request.timeout, chunk.count))
    return tasks


def verify(client: Client, request: Request, workers: int) -> int:
    """Verifies, and writes ``report.json``, ``report.sarif`` and, if wanted, ``report.html``."""
    request.out.mkdir(parents=True, exist_ok=True)
    paths, options = files(request.sources)
    request.options = [*request.options, *options]
    if not paths:
        raise Refused("there is no C file to verify")
    costs_file = request.out / "costs.json"
    last = json.loads(costs_file.read_text()) if costs_file.exists() else {}
    listed = _listing(client, request, paths)
    list_file, answers_file = request.out / "list.jsonl", request.out / "answers.jsonl"
    list_file.write_text("".join(json.dumps(p) + "\n" for p in listed))
    planned = chunks(listed, last, workers)
    total = sum(chunk.count for chunk in planned)
    known = sum(p["known"] for program in listed for p in program["procedures"])
    _told(request, f"{total} procedures, {known} known, {len(planned)} tasks")
    seen = 0
    warned: set[str] = set()
    unfinished: Unfinished | None = None
    with answers_file.open("w") as answers:
        try:
            for done in _gather(client, request, _verifying(request, planned)):
                answers.write(done.out)
                answers.flush()
                for line in done.out.splitlines():
                    answer = json.loads(line)
                    procedure = answer["procedure"]
                    if not procedure.get("cached"):
                        place = f"{answer['file']}:{procedure['name']}"
                        last[place] = procedure["statistics"]["seconds"]
                    seen += 1
                for line in done.err.splitlines():
                    if line.startswith("warning: the cache") and line not in warned:
                        warned.add(line)
                        _told(request, line)
                _told(request, f"{seen}/{total}")
        except Unfinished as why:
            unfinished = why
    costs_file.write_text(json.dumps(last, sort_keys=True))
    code = _merge(request, list_file, answers_file)
    if unfinished:
        kept = f"{seen} of {total} procedures are in {request.out} and in the store"
        raise Unfinished(f"{unfinished}\n{kept}")
    return code


def _merge(request: Request, *parts: Path) -> int:
    base = [request.binary, "verify", *request.options]
    base += [word for part in parts for word in ("--merge", str(part))]
    page = ["--html", str(request.out / "report.html")] if request.html else []
    code = 0
    for name, more in (("json", page), ("sarif", [])):
        with (request.out / f"report.{name}").open("w") as out:
            code = subprocess.run(
                [*base, "--format", name, *more], stdout=out, cwd=request.folder, check=False
            ).returncode
    return code
