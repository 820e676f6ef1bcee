"""A code base of N procedures: programs of a folder of examples, renamed and varied by a seed.

Every file has one program; its copies differ in the names of procedures and in a constant that no
answer depends on, so their keys differ. ``edit`` changes some of the files as a developer would.
"""

from __future__ import annotations

import argparse
import random
import re
from pathlib import Path

_DEFINED = re.compile(r"^(?:static\s+)?[A-Za-z_][\w\s]*[\s*]([A-Za-z_]\w*)\([^;{]*\)\s*\{", re.M)


def varied(text: str, number: int) -> tuple[str, int]:
    """A copy of a program, and how many procedures it defines."""
    names = sorted({n for n in _DEFINED.findall(text) if n not in ("main", "if", "while", "for")})
    for name in names:
        text = re.sub(rf"\b{name}\b(?=\s*\()", f"{name}_{number}", text)
    return text + f"\nstatic const int variant_{number} = {number};\n", max(len(names), 1)


def generate(examples: list[Path], to: Path, procedures: int, seed: int) -> int:
    """Writes files until they define so many procedures; says how many there are."""
    choose = random.Random(seed)
    to.mkdir(parents=True, exist_ok=True)
    made = number = 0
    while made < procedures:
        source = choose.choice(examples)
        text, count = varied(source.read_text(), number)
        (to / f"f{number:06}_{source.stem}.c").write_text(text)
        made += count
        number += 1
    return made


def edit(folder: Path, share: float, seed: int) -> int:
    """Edits a share of the files; says how many."""
    all_files = sorted(folder.glob("*.c"))
    chosen = random.Random(seed).sample(all_files, max(1, round(len(all_files) * share)))
    for path in chosen:
        text = path.read_text()
        path.write_text(re.sub(r"(variant_\d+ = \d+)", r"\g<1> + 1", text))
    return len(chosen)


def main() -> None:
    """``python -m trellis_cluster.generate EXAMPLES TO N [SEED]``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("examples", type=Path)
    parser.add_argument("to", type=Path)
    parser.add_argument("procedures", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    given = parser.parse_args()
    examples = sorted(p for p in given.examples.glob("*.c") if "#include \"" not in p.read_text())
    print(generate(examples, given.to, given.procedures, given.seed))


if __name__ == "__main__":
    main()
