"""The students' skeletons (labs/), from the reference solutions (solutions/).

A skeleton is its solution with each region between the two markers replaced by those of its lines
that begin with ``//:``, without that prefix::

    // BEGIN SOLUTION
    //: // TODO: load the tile.
    the solution
    // END SOLUTION
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

BEGIN = "// BEGIN SOLUTION"
END = "// END SOLUTION"
KEEP = "//:"


class MarkerError(ValueError):
    """The markers of a solution make no sense."""


def skeleton_of(solution: str, name: str = "solution") -> str:
    """Returns the skeleton of a solution's text; ``name`` is for the messages."""
    lines: list[str] = []
    begin = 0  # the line number of the open region's first marker, 0 outside
    kept_any = False
    for number, line in enumerate(solution.splitlines(keepends=True), start=1):
        text = line.strip()
        if text == BEGIN:
            if begin:
                raise MarkerError(f"{name}:{number}: region inside that of line {begin}")
            begin, kept_any = number, False
        elif text == END:
            if not begin:
                raise MarkerError(f"{name}:{number}: '{END}' without '{BEGIN}'")
            if not kept_any:
                raise MarkerError(f"{name}:{begin}: region without a line '{KEEP} ...'")
            begin = 0
        elif text.startswith(KEEP):
            if not begin:
                raise MarkerError(f"{name}:{number}: '{KEEP}' outside of a region")
            indent = line[: line.index(KEEP)]
            kept = text.removeprefix(KEEP).removeprefix(" ")
            lines.append(f"{indent}{kept}".rstrip() + "\n")
            kept_any = True
        elif not begin:
            lines.append(line)
    if begin:
        raise MarkerError(f"{name}:{begin}: '{BEGIN}' without '{END}'")
    return "".join(lines)


def handed_in(solution: str) -> str:
    """Returns a solution's text as a student would hand it in: without the markers and the TODO text."""
    lines = solution.splitlines(keepends=True)
    return "".join(line for line in lines if not line.strip().startswith((BEGIN, END, KEEP)))


def skeletons(solutions: Path, labs: Path) -> Iterator[tuple[Path, str]]:
    """Yields every skeleton's path and text."""
    for solution in sorted(solutions.glob("lab*/*.cu")):
        skeleton = skeleton_of(solution.read_text(encoding="utf-8"), str(solution))
        yield labs / solution.relative_to(solutions), skeleton
