"""A term that an earlier version has kept (of 26 November 2026, before groups had a time), under this one: what it
says, what is added to it, and what the next year takes from it."""

import csv
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import Course, Tmagrade
from test_term import grade, put, said

from tmagrade.basics.paths import HERE

LAST_YEAR = HERE.grader / "tests/last_year"
BOOK = "Student,ID,SIS User ID,SIS Login ID,Section,Lab 4 (9)\nPoints Possible,,,,,100\n"
CLASS = BOOK + '"Lovelace, Ada",101,,,A,100\n"Bell, Ben",102,,,A,90\n"Young, Cy",103,,,A,85.5\n"Ng, Eve",104,,,A,0\n'
FRESHMEN = BOOK + '"Day, Di",201,,di,A,\n"Old, Gus",202,,gus,A,\n'
TABLES = ("results", "decisions", "published")


@pytest.fixture
def store(course: Course) -> Path:
    folder = course.repository.term
    shutil.copytree(LAST_YEAR, folder)
    path = folder / "term.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((folder / "term.sql").read_text())
    course.repository.grades.mkdir(parents=True)
    shutil.move(folder / "grades.json", course.repository.grades)
    return path


def rows(store: Path) -> list[list[dict[str, Any]]]:
    with closing(sqlite3.connect(store)) as connection:
        connection.row_factory = sqlite3.Row
        return [[dict(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY rowid")] for name in TABLES]


def test_the_sheet_is_what_it_was(store: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    said(tmagrade, "sheet", "--to", tmp_path / "sheet.csv")
    assert (tmp_path / "sheet.csv").read_text() == (LAST_YEAR / "sheet.csv").read_text()


def test_what_was_published_is_still_known(store: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    """eve was published as missing, and excused since; whose score changed has it in the book already."""
    book = tmp_path / "book.csv"
    book.write_text(CLASS)
    assert said(tmagrade, "changes", "lab4") == "eve: 0 -> EX: excuse: joined in week 4\n"
    compared = said(tmagrade, "compare", "lab4", "--book", book)
    assert "eve: 0 there, EX here: changed here since it was published" in compared and "3 of 4 students" in compared


def test_last_years_grades_are_read(store: Path, course: Course, tmagrade: Tmagrade) -> None:
    status, explained = tmagrade("explain", "ada", "lab3", "--grades", course.repository.grades)
    assert status == 0 and "sum: 20 + 40 + 15 = 75" in explained
    assert "overridden: 80\n  counts: 80 of 100" in explained
    history = said(tmagrade, "history", "cy", "lab4").splitlines()
    words = [line.split("  ")[1].split()[0] for line in history]
    assert words == ["graded", "published", "override", "time", "published"]


def test_this_version_adds_to_the_store_and_changes_nothing(store: Path, course: Course, tmagrade: Tmagrade) -> None:
    before = rows(store)
    said(tmagrade, "override", "ben", "lab3", "70", "--reason", "a late appeal")
    put(course, "ada/lab4/lab4.cu", "load any fail", at="2025-09-25T20:00")
    grade(tmagrade, course, "--labs", "lab4")
    after = rows(store)
    assert [len(new) - len(old) for old, new in zip(before, after)] == [1, 1, 0]
    for old, new in zip(before, after):
        assert [{name: row[name] for name in kept} for kept, row in zip(old, new)] == old
    said(tmagrade, "sheet")


def test_the_next_year_takes_the_settings_and_leaves_the_store(
    store: Path, course: Course, tmagrade: Tmagrade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As handout/instructors.md says it."""
    last_year, content = store.parent, store.read_bytes()
    book = tmp_path / "grades-export.csv"
    book.write_text(FRESHMEN)
    monkeypatch.setenv("TMAGRADE_TERM", str(tmp_path / "term-2026"))
    said(tmagrade, "init", "--book", book)
    settings = tmp_path / "term-2026/term.toml"
    settings.write_text((last_year / "term.toml").read_text().replace("2025", "2026"))
    assert said(tmagrade, "check").startswith("Fall 2026: 2 students, 2 labs\n  lab3-bulk-copy: due 2026-09-18 23:59")
    put(course, "di/lab3/lab3.cu", at="2026-09-18T20:00")
    assert "kept in the term: 1 result" in grade(tmagrade, course, "--labs", "lab3")
    said(tmagrade, "sheet", "--to", tmp_path / "sheet.csv")
    assert [row["id"] for row in csv.DictReader((tmp_path / "sheet.csv").open())] == ["di", "gus"]
    assert store.read_bytes() == content
    monkeypatch.delenv("TMAGRADE_TERM")
    assert said(tmagrade, "history", "ada", "lab3").count("graded") == 2
