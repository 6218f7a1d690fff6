"""Gradescope: an autograder that looks up what was graded here, since Gradescope takes grades from nothing else; and
its export of an assignment's grades, to compare with.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from staff.outputs.gradescope import gradescope_json
from staff.term import look_up_autograder
from staff.term.grade_book import Book, Filled
from staff.term.roster import Person, Roster
from staff.term.sheet import Cell, Sheet
from staff.term.table import Table
from tmagrade.basics.errors import UsageError
from tmagrade.basics.zips import zip_of
from tmagrade.outputs.grades import Facts, Student

SETUP = """#!/bin/sh
# Gradescope runs this once, as root, when it builds the autograder's image.
command -v python3 >/dev/null || { apt-get update && apt-get install -y --no-install-recommends python3; }
"""
EMAIL, SID, SCORE, MOST = "Email", "SID", "Total Score", "Max Points"

# What was graded of a lab that a cell is about, if that is still known.
Graded = Callable[[Cell], tuple[Student, Facts] | None]


def look_up_zip(sheet: Sheet, lab: str, cells: Mapping[str, str], graded: Graded) -> Filled:
    """The zip of an autograder that gives each student the lab's cell, with what was said of the parts and each step
    from there to what counts."""
    results: dict[str, Any] = {}
    put: dict[str, str] = {}
    absent: list[str] = []
    for row in sheet.rows:
        email = (row.person.gradescope or row.person.email).casefold()
        if row.person.id not in cells:
            continue
        if not email:
            absent.append(row.person.id)
            continue
        put[row.person.id] = cells[row.person.id]
        results[email] = _result(row.cells[lab], cells[row.person.id], graded)
    files: dict[str, bytes | str] = {
        "setup.sh": SETUP,
        "run_autograder": Path(look_up_autograder.__file__).read_text(encoding="utf-8"),
        "results.json": json.dumps(results, indent=1, ensure_ascii=False, sort_keys=True) + "\n",
    }
    modes = {"setup.sh": 0o755, "run_autograder": 0o755, "results.json": 0o644}
    return Filled(zip_of(files, modes), put, (), (), tuple(absent))


def _result(cell: Cell, published: str, graded: Graded) -> dict[str, Any]:
    """results.json of one lab, with the score that counts."""
    found = graded(cell)
    value = gradescope_json(*found) if found is not None else {"tests": [], "output_format": "text"}
    said = [str(value.get("output", "")), *(step.said for step in cell.counted.steps)]
    return value | {"score": float(published), "output": "\n".join(filter(None, said))}


def gradescope_book(content: bytes, roster: Roster) -> Book:
    """An assignment's "Download grades": it is read and compared, and Gradescope takes none back."""
    table = Table.of(content)
    header = table.header()
    if lacking := [name for name in (EMAIL, SCORE) if name not in header]:
        raise UsageError(f"these are no grades of Gradescope's: there is no {', no '.join(lacking)}")
    people: dict[int, Person] = {}
    unknown: list[str] = []
    for row in range(1, len(table.rows)):
        said = {name: table.value(row, index) for index, name in enumerate(header)}
        if not any(said.values()):
            continue
        found = roster.who("gradescope", said[EMAIL]) or roster.who("gradescope", said.get(SID, ""))
        if len(found) == 1:
            people[row] = found[0]
        else:
            unknown.append(said[EMAIL])
    points = (table.value(row, header.index(MOST)) for row in people) if MOST in header else ()
    return Book("Gradescope", table, header.index(SCORE), people, tuple(unknown), tuple(points))
