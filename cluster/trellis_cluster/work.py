"""What a worker does: one process of the binary, with a limit of time."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


class Refused(Exception):
    """The binary does not take its arguments, or a store does not let it in."""


class Lost(Exception):
    """The process ended without its answers; it may be tried again."""


@dataclass(frozen=True)
class Done:
    """What a process printed."""

    out: str
    err: str


def run(
    command: Sequence[str], folder: str, environment: Mapping[str, str], seconds: float
) -> Done:
    """Runs a process; 0, 1 and 3 are its answers, 2 is a refusal, anything else is a loss."""
    try:
        ended = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise Lost(f"no end within {seconds:.0f} s: {' '.join(command)}") from None
    if ended.returncode == 2:
        raise Refused(ended.stderr.strip() or "the binary refuses its arguments")
    if ended.returncode not in (0, 1, 3):
        raise Lost(f"ended with {ended.returncode}: {ended.stderr.strip()[-400:]}")
    return Done(ended.stdout, ended.stderr)
