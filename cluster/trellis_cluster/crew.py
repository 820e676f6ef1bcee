"""Processes on the workers of a Dask cluster: submitted, gathered as they end, tried again.

**Invariants.** A result is held by the cluster only until it is gathered. Nobody waits forever: a
scheduler that is lost, or no worker for as long as the user is patient, ends the run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from queue import Empty, SimpleQueue

from distributed import Client, Future

from .plan import Task
from .request import Request
from .work import SILENT, Done, done, runner

# How often a task is tried again whose process has failed; Dask does so where a worker is lost.
RETRIES = 3
# How often the cluster is looked at while nothing ends, seconds.
LOOK = 1.0


class Unfinished(Exception):
    """The run cannot go on; what is finished is kept."""


class Lost(Exception):
    """A process ended again and again without its answers."""


class Crew:
    """The processes of one run."""

    def __init__(self, client: Client, request: Request, local: bool) -> None:
        self._client, self._request = client, request
        # What does not leave the machine is not compressed.
        self._level = 0 if local else 1
        self._run = runner()
        self._ended: SimpleQueue[str] = SimpleQueue()
        self._waiting: dict[str, tuple[Future, Task]] = {}
        self._number = 0

    def submit(self, task: Task, command: list[str]) -> None:
        """Begins a process about a task; those that are submitted first begin first."""
        request = self._request
        self._number += 1
        key = f"trellis-{os.getpid()}-{id(self):x}-{self._number}"
        # It says something after every answer, and before the first it reads its programs.
        silence = request.silence + request.timeout + len(task.files)
        future = self._client.submit(
            self._run, command, request.folder, request.environment(), silence, self._level,
            retries=RETRIES, priority=-self._number, pure=False, key=key,
        )
        self._waiting[key] = future, task
        future.add_done_callback(lambda ended: self._ended.put(ended.key))

    def results(self) -> Iterator[tuple[Task, Done | Lost]]:
        """What processes printed, as they end; while it is taken, more can be submitted."""
        alone_since: float | None = None
        while self._waiting:
            try:
                key = self._ended.get(timeout=LOOK)
            except Empty:
                alone_since = self._look(alone_since)
                continue
            alone_since = None
            future, task = self._waiting.pop(key)
            yield task, self._result(future)

    def leave(self) -> None:
        """Gives up what is not finished."""
        waiting = [future for future, _ in self._waiting.values()]
        self._waiting.clear()
        try:
            self._client.cancel(waiting)
        except Exception:  # The scheduler is gone, and everything with it.
            pass

    def _result(self, future: Future) -> Done | Lost:
        try:
            if future.status == "error":
                return Lost(_said(future.exception()))
            returned = future.result()
            return Lost(returned[2]) if returned[0] == SILENT else done(returned)
        except (CancelledError, OSError, TimeoutError) as lost:
            raise Unfinished("the scheduler is lost") from lost

    def _look(self, alone_since: float | None) -> float | None:
        if self._client.status not in ("running", "connecting"):
            raise Unfinished("the scheduler is lost")
        try:
            workers = self._client.nthreads()
        except Exception as lost:
            raise Unfinished("the scheduler is lost") from lost
        if workers:
            return None
        now = time.monotonic()
        if alone_since is not None and now - alone_since > self._request.patience:
            raise Unfinished(f"there was no worker for {self._request.patience:g} s")
        return alone_since or now


def _said(error: BaseException | None) -> str:
    """What a process, or Dask, says of a loss."""
    text = str(error).strip()
    return text if type(error) is RuntimeError else f"{type(error).__name__}: {text.splitlines()[0]}"
