"""Where in a TOML file something stands: what reads it keeps no lines."""

import re
from collections.abc import Sequence
from itertools import count

TABLE = re.compile(r"\s*(\[{1,2})\s*([\w.-]+)\s*\]")
SETTING = re.compile(r"\s*([\w.-]+)\s*=")

Place = tuple[str | int, ...]  # as ("labs", 0, "due")


def line_of(text: str, place: Sequence[str | int]) -> int | None:
    """The line of a setting; where it is not there, of the table in which it would be. None where there is neither."""
    lines = _lines(text)
    return next((lines[found] for end in range(len(place), 0, -1) if (found := tuple(place[:end])) in lines), None)


def _lines(text: str) -> dict[Place, int]:
    lines: dict[Place, int] = {}
    table: Place = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if found := TABLE.match(line):
            table = tuple(found[2].split("."))
            if found[1] == "[[":
                table = next(one for index in count() if (one := (*table, index)) not in lines)
            lines.setdefault(table, number)
        elif found := SETTING.match(line):
            lines.setdefault((*table, *found[1].split(".")), number)
    return lines
