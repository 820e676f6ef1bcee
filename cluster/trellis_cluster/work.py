"""What a worker does: one process of the binary, which must be heard of.

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


# The exit code of a process that was ended because nothing was heard of it: trying the same again
# would cost as much.
SILENT = -1


def runner() -> Callable[..., Returned]:
    """What is sent to workers. Nested, so that it is pickled by value."""
    silent = SILENT

    def run(command: list[str], folder: str, environment: dict[str, str], silence: float, level: int) -> Returned:
        import os
        import selectors
        import subprocess
        import zlib

        try:
            process = subprocess.Popen(
                command, cwd=folder, env={**os.environ, **environment},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
        except OSError as why:
            return 2, b"", f"error: a worker cannot run `{command[0]}` in `{folder}`: {why.strerror}"
        packer, packed, said = zlib.compressobj(level), [], bytearray()
        with process, selectors.DefaultSelector() as waiting:
            try:
                waiting.register(process.stdout, selectors.EVENT_READ)
                waiting.register(process.stderr, selectors.EVENT_READ)
                while waiting.get_map():
                    ready = waiting.select(silence)
                    if not ready:
                        process.kill()
                        return silent, b"", f"nothing was heard of the process for {silence:.0f} s"
                    for key, _ in ready:
                        read = os.read(key.fd, 1 << 16)
                        if not read:
                            waiting.unregister(key.fileobj)
                        elif key.fileobj is process.stdout:
                            packed.append(packer.compress(read))
                        else:
                            said += read
                process.wait(silence)
            except BaseException:
                process.kill()
                raise
        err = said.decode(errors="replace")
        # 0, 1 and 3 are answers; 2 is a refusal, or that a source cannot be used.
        if process.returncode not in (0, 1, 2, 3):
            raise RuntimeError(f"the process ended with {process.returncode}: {err.strip()[-400:]}")
        packed.append(packer.flush())
        return process.returncode, b"".join(packed), err

    return run


def done(returned: Returned) -> Done:
    """What a process printed, if it is not a refusal."""
    code, out, err = returned
    text = zlib.decompress(out).decode() if out else ""
    if code == 2 and not text:
        raise Refused(err.strip().removeprefix("error: ") or "the binary refuses its arguments")
    return Done(text, err)
