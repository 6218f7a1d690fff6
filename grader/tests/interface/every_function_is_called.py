"""Fails if labs/common defines a function (a name with a number of parameters) that no test calls.

usage: every_function_is_called.py LABS_COMMON TESTS
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

DEFINITION = re.compile(r"__device__ static __forceinline__\s+[\w\s*]*?\b(\w+)\(")
CALL = re.compile(r"\b(\w+)\s*(?:<[\w:\s,]*>)?\(")

Function = tuple[str, int]  # its name and its number of arguments


def number_of_arguments(text: str, start: int) -> int:
    """Counts what stands between the parenthesis that opens before ``start`` and its partner."""
    depth, commas, empty = 1, 0, True
    for character in text[start:]:
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return 0 if empty else commas + 1
        elif character == "," and depth == 1:
            commas += 1
        empty = empty and character.isspace()
    raise ValueError(f"no closing parenthesis after {text[start : start + 40]!r}")


def find(pattern: re.Pattern[str], folder: Path, glob: str) -> dict[Function, Path]:
    """Finds what ``pattern`` matches in the files: functions, each with a file."""
    found: dict[Function, Path] = {}
    for path in sorted(folder.rglob(glob)):
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        for match in pattern.finditer(text):
            found.setdefault((match[1], number_of_arguments(text, match.end())), path)
    return found


def main() -> int:
    """The command line; returns the exit status."""
    labs_common, tests = map(Path, sys.argv[1:])
    defined = find(DEFINITION, labs_common, "*.cuh")
    called = find(CALL, tests, "*.cu")
    for (name, arity), path in defined.items():
        if (name, arity) not in called:
            message = f"{name} with {arity} arguments: no test in {tests} calls it"
            print(f"{path}: {message}", file=sys.stderr)
    number_called = len(defined.keys() & called.keys())
    print(f"{len(defined)} functions in {labs_common}, {number_called} called")
    return 0 if defined and number_called == len(defined) else 1


if __name__ == "__main__":
    sys.exit(main())
