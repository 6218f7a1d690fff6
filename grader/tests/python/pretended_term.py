"""A term of sixty students, four labs and two platforms, on a pretended machine: what the platforms let one download,
what an instructor types week after week, and what stands in the store and in the grades after each step.
"""

import csv
import io
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from conftest import LAB4_TOML, LAB_TOML, Course, Tmagrade, tmagrade_of, write_lab, write_program
from pretended_machine import PARTS, PretendedMachine

from tmagrade.grading import grading
from tmagrade.machine import backend
from tmagrade.machine.backend import Gpu

ZONE = ZoneInfo("Europe/Berlin")
STUDENTS = range(1, 61)
CANVAS_LABS = {"lab3-bulk-copy": "Lab 3 (8)", "lab4-single-tile": "Lab 4 (9)"}
MOODLE_LABS = ("lab5-store", "lab6-reduce")
LABS = (*CANVAS_LABS, *MOODLE_LABS)
DUE = {lab: datetime(2024, 10, 11, 23, 59) + timedelta(weeks=week) for week, lab in enumerate(LABS)}
# The clocks change on 27 October.

SETTINGS = """
title = "Fall 2024"
time_zone = "Europe/Berlin"
pending = "scale"
missing = "zero"
drop_lowest = 1

[late]
grace_minutes = 15
late_days = 2
most_for_a_lab = 1
percent_a_day = 10
"""

PAIRS = [(first, first + 1) for first in range(1, 20, 2)]  # the second of a pair hands in nothing
LATE = {21: timedelta(hours=1), 22: timedelta(days=1, hours=5), 23: timedelta(days=3), 24: timedelta(minutes=10)}
EXCUSED, EXTENDED, ABSENT, APPEALS, STRANGER = 30, 23, 32, 41, 61

# What is wrong with a hand-in, by the student's number: most are right.
WRONG_COPY = {3: "pipeline any fail", 4: "one-tile any crash", 5: "one-tile early fail", 6: "#error"}
WRONG_TILE = {3: "load any fail", 5: "load early fail", 6: "load strict fail"}  # the last is wrong of the check alone


def name_of(number: int) -> str:
    return f"First{number:02} Last{number:02}"


def id_of(number: int) -> str:
    return f"s{number:02}"


def roster() -> str:
    groups = {one: f"pair {number}" for number, pair in enumerate(PAIRS) for one in pair}
    rows = [["id", "name", "email", "group", "canvas"]]
    rows += [[id_of(n), name_of(n), f"{id_of(n)}@u.edu", groups.get(n, ""), str(1000 + n)] for n in STUDENTS]
    return "\n".join(",".join(row) for row in rows) + "\n"


def text_of(number: int, lab: str) -> str:
    wrong = WRONG_COPY if lab in ("lab3-bulk-copy", "lab5-store") else WRONG_TILE
    return wrong.get(number % 10 if number > 20 else 0, "// right")


def canvas_export() -> str:
    """The class's grade book before anything is in it."""
    head = "Student,ID,SIS User ID,SIS Login ID,Section," + ",".join(CANVAS_LABS.values()) + ",Final Score"
    rows = [f'"{name_of(n).split()[1]}, {name_of(n).split()[0]}",{1000 + n},,,A,,,"0,0"' for n in STUDENTS]
    return "\r\n".join([head, "    Points Possible,,,,,100.0,100.0,(read only)", *rows, '"Student, Test",9,,,A,,,', ""])


def moodle_worksheet() -> str:
    head = '"Identifier","Full name","Email address","Grade","Maximum Grade","Last modified (grade)"'
    rows = [f'"Participant {900 + n}","{name_of(n)}",{id_of(n)}@u.edu,,100.00,-' for n in STUDENTS]
    return "\n".join([head, *rows, ""])


@dataclass
class PlayedTerm:
    """What is there, and what was seen after each step."""

    course: Course
    run: Tmagrade
    said: dict[str, str] = field(default_factory=dict)  # by the step
    stores: list[list[list[tuple[Any, ...]]]] = field(default_factory=list)  # each table's rows, after each step
    graded: list[set[tuple[str, str]]] = field(default_factory=list)  # whose scores of what, after each step

    @property
    def folder(self) -> Path:
        return self.course.repository.root

    def step(self, name: str, *arguments: object, status: int = 0) -> str:
        ended, printed = self.run(*arguments)
        assert ended == status, (name, printed)
        self.said[name] = printed
        self.stores.append(self._rows())
        self.graded.append(self._scores())
        return printed

    def _rows(self) -> list[list[tuple[Any, ...]]]:
        path = self.course.repository.term / "term.sqlite"
        if not path.exists():
            return [[], [], []]
        with closing(sqlite3.connect(path)) as store:
            tables = ("results", "decisions", "published")
            return [store.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall() for table in tables]

    def _scores(self) -> set[tuple[str, str]]:
        path = self.course.repository.grades / "grades.csv"
        if not path.exists():
            return set()
        rows = csv.DictReader(io.StringIO(path.read_text()))
        return {(row["student"], lab) for row in rows for lab in LABS if row.get(lab)}

    def sheet(self) -> dict[str, dict[str, str]]:
        to = self.folder / "sheet.csv"
        assert self.run("term", "sheet", "--to", to)[0] == 0
        return {row["id"]: row for row in csv.DictReader(io.StringIO(to.read_text()))}

    def explained(self, number: int, *lab: str) -> str:
        status, printed = self.run("explain", id_of(number), *lab, "--grades", self.course.repository.grades)
        assert status == 0, printed
        return printed


def hand_in(term: PlayedTerm, lab: str, numbers: Sequence[int]) -> Path:
    """What the lab's platform lets one download: a folder that has each hand-in under the platform's own name."""
    source = lab.split("-")[0] + ".cu"
    folder = term.folder / "downloads" / lab
    for number in numbers:
        late = LATE.get(number)
        if lab in CANVAS_LABS:
            mark = "LATE_" if late and late > timedelta(minutes=15) else ""
            path = folder / f"last{number:02}first_{mark}{1000 + number}_{5000 + number}_{source}"
        else:
            path = folder / f"{name_of(number)}_{900 + number}_assignsubmission_file" / source
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(number, lab))
        moment = (DUE[lab] + (late or timedelta(hours=-number))).replace(tzinfo=ZONE).timestamp()
        os.utime(path, (moment, moment))
    return folder


def who_hands_in(lab: str) -> list[int]:
    shared = {second for _, second in PAIRS}
    away = {ABSENT, *([EXCUSED] if lab == "lab3-bulk-copy" else [])}
    return [number for number in [*STUDENTS, STRANGER] if number not in shared | away]


def pretend_four_labs(course: Course, patch: pytest.MonkeyPatch) -> None:
    """Labs 5 and 6, which are as labs 3 and 4, and a machine that pretends to judge all of them."""
    for lab, text in (("lab5-store", LAB_TOML), ("lab6-reduce", LAB4_TOML)):
        old = "lab3-bulk-copy" if text is LAB_TOML else "lab4-single-tile"
        write_lab(course.repository.root, text.replace(old, lab).replace(old[:4] + ".cu", lab[:4] + ".cu"))
        write_program(course.repository.judge(lab), "#!/bin/sh\n")
        patch.setitem(PARTS, lab, PARTS[old])
    patch.setattr(grading, "Processes", lambda: PretendedMachine((), course.repository.root))


def make_term(course: Course, patch: pytest.MonkeyPatch) -> PlayedTerm:
    pretend_four_labs(course, patch)
    folder = course.repository.term
    folder.mkdir()
    (folder / "roster.csv").write_text(roster())
    labs = [
        f'\n[[labs]]\nlab = "{lab}"\ndue = {DUE[lab].isoformat()}\n'
        + (f'canvas = "{CANVAS_LABS[lab]}"\n' if lab in CANVAS_LABS else "")
        for lab in LABS
    ]
    (folder / "term.toml").write_text(SETTINGS + "".join(labs))
    return PlayedTerm(course, tmagrade_of(course, patch))


def play(course: Course, patch: pytest.MonkeyPatch) -> PlayedTerm:
    """Week after week, as handout/instructors.md has it."""
    term = make_term(course, patch)
    strict = course.repository.judge("lab4-single-tile")
    strict.write_text("#!/bin/sh\n# strict\n")
    books = {lab: term.folder / ("canvas.csv" if lab in CANVAS_LABS else f"{lab}.csv") for lab in LABS}
    (term.folder / "canvas.csv").write_bytes(canvas_export().encode())
    for lab in MOODLE_LABS:
        books[lab].write_text(moodle_worksheet())

    def publish(step: str, lab: str, *more: str, status: int = 0) -> None:
        target = "canvas" if lab in CANVAS_LABS else "moodle"
        where = ("--to", target, "--book", books[lab], "--out", term.folder / "upload.csv")
        term.step(step, "term", "publish", lab, *where, *more, status=status)
        if status == 0:  # the platform has taken it, and that is what one exports the next time
            (term.folder / "upload.csv").replace(books[lab])

    def grade(step: str, lab: str, *more: str) -> None:
        status = 0 if "--bandwidth-alone" in more else 4  # the stranger's hand-in counts for nobody
        term.step(step, "grade", "--submissions", term.folder / "downloads" / lab, "--labs", lab, *more, status=status)

    def decide(step: str, *arguments: str) -> None:
        term.step(step, "term", *arguments, "--reason", f"because of {step}")

    for lab in LABS:
        hand_in(term, lab, who_hands_in(lab))
        if lab == "lab3-bulk-copy":
            decide("excused", "excuse", id_of(EXCUSED), lab)
        if lab == "lab5-store":
            decide("extension", "extend", id_of(EXTENDED), lab, "+2d")
        grade(f"graded {lab}", lab)
        if lab in CANVAS_LABS:
            decide(f"{lab} log", "time", id_of(22), lab, (DUE[lab] + LATE[22]).isoformat(timespec="minutes"))
        publish(f"0 in doubt of {lab}", lab, status=2)
        publish(f"published {lab}", lab, "--yes")
    decide("appeal", "override", id_of(APPEALS), "lab3-bulk-copy", "71.5")
    strict.write_text("#!/bin/sh\n# the check is mended\n")
    grade("would regrade", "lab4-single-tile", "--dry-run")
    grade("regraded", "lab4-single-tile")
    term.step("changes", "term", "changes", "lab4")
    publish("asked first", "lab4-single-tile", status=2)
    for lab in CANVAS_LABS:
        publish(f"published {lab} again", lab, "--yes")
    patch.setattr(backend, "list_gpus", lambda: (Gpu(0, "NVIDIA H100", "9.0", "580"),))
    for lab in ("lab3-bulk-copy", "lab5-store"):
        grade(f"timed {lab}", lab, "--bandwidth-alone")
        publish(f"published {lab} with its bandwidth", lab, "--yes")
    for lab in ("lab4-single-tile", "lab6-reduce"):  # whose late days the others' new scores have moved
        publish(f"published {lab} at the end", lab, "--yes")
    for lab in LABS:
        target = "canvas" if lab in CANVAS_LABS else "moodle"
        term.step(f"compared {lab}", "term", "compare", lab, "--to", target, "--book", books[lab])
    return term


def read_book(term: PlayedTerm, lab: str) -> Iterator[tuple[str, str]]:
    """Whose cell says what in the grade book that the platform has at the end, read by nothing of ours."""
    if lab in CANVAS_LABS:
        rows = csv.DictReader(io.StringIO((term.folder / "canvas.csv").read_bytes().decode(), newline=""))
        yield from ((id_of(int(row["ID"]) - 1000), row[CANVAS_LABS[lab]]) for row in rows if len(row["ID"]) == 4)
    else:
        rows = csv.DictReader(io.StringIO((term.folder / f"{lab}.csv").read_text()))
        yield from ((row["Email address"].split("@")[0], row["Grade"]) for row in rows)


def fill_disk(patch: pytest.MonkeyPatch) -> None:
    """As SQLite has it: no file of its can grow."""
    connect = sqlite3.connect

    def full(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        [pages] = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    patch.setattr(sqlite3, "connect", full)
