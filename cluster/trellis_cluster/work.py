"""What a worker does: one process of the binary, with a limit of time.

**Invariant.** A worker needs Dask, the binary and the sources, and nothing of this package: what it
runs is taken along by value, and what it returns are plain values.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass

# What `runner` returns: the exit code, what was printed (compressed), what was complained.
Returned = tuple[int, bytes, str]


class Refused(Exception):
    """The binary does not take its arguments, or a store does not let it in."""


@dataclass(frozen=True)
class Done:
    """What a process printed."""

    out: str
    err: str


def runner() -> Callable[..., Returned]:
    """What is sent to workers. Nested, so that it is pickled by value."""

    def run(command: list[str], folder: str, environment: dict[str, str], seconds: float) -> Returned:
        import os
        import subprocess
        import zlib

        try:
            ended = subprocess.run(
                command, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=seconds, check=False,
            )
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"no end within {seconds:.0f} s") from None
        except OSError as why:
            return 2, b"", f"error: a worker cannot run `{command[0]}` in `{folder}`: {why.strerror}"
        err = ended.stderr.decode(errors="replace")
        # 0, 1 and 3 are answers; 2 is a refusal, or that a source cannot be used.
        if ended.returncode not in (0, 1, 2, 3):
            raise RuntimeError(f"the process ended with {ended.returncode}: {err.strip()[-400:]}")
        return ended.returncode, zlib.compress(ended.stdout, 1), err

    return run


def done(returned: Returned) -> Done:
    """What a process printed, if it is not a refusal."""
    code, out, err = returned
    text = zlib.decompress(out).decode() if out else ""
    if code == 2 and not text:
        raise Refused(err.strip().removeprefix("error: ") or "the binary refuses its arguments")
    return Done(text, err)
