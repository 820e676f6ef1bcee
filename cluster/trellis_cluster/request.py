"""What is to be verified, and how: the command lines and the environment of processes."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .work import Refused

# What of the client's environment workers need to use the same store.
STORE = ("TRELLIS_CACHE", "TRELLIS_REDIS_PASSWORD", "TRELLIS_CACHE_KEY")


@dataclass
class Request:
    """What is to be verified, and how."""

    binary: str
    sources: Sequence[str]
    options: Sequence[str]
    cache: str | None
    out: Path
    html: bool = False
    # Seconds a procedure, and how much longer a process may be silent.
    timeout: float = 60.0
    silence: float = 60.0
    progress: bool = True
    # Seconds to go on for while there is no worker.
    patience: float = 300.0
    folder: str = field(default_factory=os.getcwd)

    def environment(self) -> dict[str, str]:
        """The store, which is no argument: it may have a password."""
        given = {name: os.environ[name] for name in STORE if name in os.environ}
        return {**given, "TRELLIS_CACHE": self.cache} if self.cache else given

    def command(self, *more: str) -> list[str]:
        """A process about some programs."""
        limit = f"{self.timeout:g}s"
        settled = ["verify", "--separately", "--threads", "1", "--timeout", limit]
        return [self.binary, *settled, *self.options, *more]


def files(sources: Sequence[str]) -> tuple[list[str], list[str]]:
    """The C files of folders and of a compile_commands.json, and the options that read them."""
    commands = [source for source in sources if source.endswith(".json")]
    if commands and len(sources) > 1:
        raise Refused("a compile_commands.json says everything: nothing stands beside it")
    if commands:
        return _of_commands(Path(commands[0])), ["--compile-commands", commands[0]]
    found: list[str] = []
    for source in sources:
        path = Path(source)
        if path.is_dir():
            found.extend(sorted(str(p) for p in path.rglob("*.c") if p.is_file()))
        elif path.is_file():
            found.append(source)
        else:
            raise Refused(f"there is no file `{source}`")
    return list(dict.fromkeys(found)), []


def _of_commands(path: Path) -> list[str]:
    """The C files that a build has compiled, in the words of the binary."""
    try:
        entries = json.loads(path.read_text())
        here = os.path.dirname(path) or "."
        named = [os.path.join(here, entry["directory"], entry["file"]) for entry in entries]
    except (OSError, ValueError, TypeError, KeyError) as why:
        raise Refused(f"`{path}` is no compile_commands.json: {why!r}") from why
    return list(dict.fromkeys(file for file in named if file.endswith((".c", ".i"))))
