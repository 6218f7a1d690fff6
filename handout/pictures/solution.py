"""The numbers that the pictures show, read from the reference solutions."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS = ROOT / "solutions"
LAB0 = SOLUTIONS / "lab0-hello-hopper" / "lab0.cu"
LAB0_README = ROOT / "labs" / "lab0-hello-hopper" / "README.md"
LAB1 = SOLUTIONS / "lab1-async-copy" / "lab1.cu"
LAB3 = SOLUTIONS / "lab3-bulk-copy" / "lab3.cu"
LAB4 = SOLUTIONS / "lab4-single-tile" / "lab4.cu"
LAB5 = SOLUTIONS / "lab5-tensor-ranks" / "lab5.cu"
LAB7 = SOLUTIONS / "lab7-warp-scheduler" / "lab7.cu"
LAB9 = SOLUTIONS / "lab9-clusters" / "lab9.cu"

INT_BYTES = 4
FLOAT_BYTES = 4


def number(source: Path, pattern: str) -> int:
    """The number that the pattern's group matches; the pattern must match exactly once. What only the skeleton has
    (lines that begin with "//:") does not count."""
    found = re.findall(pattern, re.sub(r"(?m)^\s*//:.*$", "", source.read_text(encoding="utf-8")))
    if len(found) != 1:
        raise SystemExit(f"{source.name}: {pattern!r} matches {len(found)} times, not once; draw.py must follow")
    return int(found[0].replace("'", ""))


def constant(source: Path, name: str) -> int:
    return number(source, rf"\bconstexpr \w+ {name} = ([\d']+);")
