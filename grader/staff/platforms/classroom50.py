"""Classroom 50: the result.json of each student's release, filled.

What it takes is schemas/result-v1.schema.json of foundation50/classroom50: `owner` is the login, and points are whole
numbers. Points here have two decimals, so they are given in hundredths. Its own autograder is published with all that
is in it, so that it cannot look up anybody's points.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from staff.term.grade_book import Filled
from staff.term.roster import Roster
from staff.term.sheet import Cell, Sheet
from tmagrade.basics.errors import UsageError
from tmagrade.basics.zips import zip_of

SCHEMA = "classroom50/result/v1"
RESULT = "result.json"
IN_A_POINT = 100


def fill_results(folder: Path, sheet: Sheet, roster: Roster, lab: str, cells: Mapping[str, str], at: str) -> Filled:
    """A zip with each `NAME/result.json` of the folder, in which the score, the one test and `graded_at` are new."""
    found = sorted(folder.glob(f"*/{RESULT}"))
    if not found:
        raise UsageError(f"{folder} has no {RESULT}: expected {folder}/NAME/{RESULT}")
    rows = {row.person.id: row for row in sheet.rows}
    put: dict[str, str] = {}
    unknown: list[str] = []
    files: dict[str, bytes | str] = {}
    for path in found:
        value = _read(path)
        people = roster.who("github", str(value.get("owner", "")))
        if len(people) != 1:
            unknown.append(path.parent.name)
            continue
        whose = people[0].id
        if whose in cells:
            put[whose] = cells[whose]
            filled = json.dumps(value | _points(lab, rows[whose].cells[lab], cells[whose], at), indent=2)
            files[f"{path.parent.name}/{RESULT}"] = filled + "\n"
    absent = tuple(whose for whose in cells if whose not in put)
    return Filled(zip_of(files), put, tuple(unknown), (), absent)


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise UsageError(f"{path} is not of the schema {SCHEMA}")
    return value


def _points(lab: str, cell: Cell, published: str, at: str) -> dict[str, Any]:
    """No score above the maximum is taken there: points that were added count up to it."""
    most = int(cell.counted.max * IN_A_POINT)
    score = min(int(Fraction(published) * IN_A_POINT), most)
    said = "\n".join(step.said for step in cell.counted.steps)
    test = {"test-name": lab, "passed": score == most, "score": score, "max-score": most, "output": said}
    return {"score": score, "max-score": most, "tests": [test], "graded_at": at}
