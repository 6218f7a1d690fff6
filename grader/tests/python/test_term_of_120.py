"""A term of 120 from its first week to its last, and what stands in the sheet and on three platforms at its end."""

import csv
import json
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
import totals_apart as apart
from graded_apart import temporary_course
from pretended_canvas import TOKEN, PretendedCanvas, serving
from pretended_term import LABS
from pretended_term_of_120 import (
    ASSIGNMENTS,
    ASSISTANTS,
    GONE,
    LAB5,
    PRESENT,
    RULES,
    TermOf120,
    begin,
    id_of,
    is_of_a,
    play,
)

from staff.platforms import canvas_api
from staff.platforms.look_up_autograder import look_up
from staff.term.store import Decision, Store

pytestmark = pytest.mark.long

Sheet = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def term() -> Iterator[TermOf120]:
    with (
        pytest.MonkeyPatch.context() as patch,
        temporary_course() as course,
        serving(PretendedCanvas(sections={1: "A"})) as canvas,
    ):
        patch.setenv("PATH", f"{course.repository.root / 'bin'}:/usr/bin:/bin")
        patch.setenv("CANVAS_TOKEN", TOKEN)
        patch.setattr(canvas_api, "pause", lambda _: None)
        played = begin(course, canvas, patch)
        play(played, patch)
        yield played


@pytest.fixture(scope="module")
def sheet(term: TermOf120) -> Sheet:
    to = term.folder / "sheet.csv"
    term.do("term", "sheet", "--to", to)
    with to.open() as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def test_everybody_is_there_and_nobody_else(term: TermOf120, sheet: Sheet) -> None:
    assert set(sheet) == {id_of(number) for number in PRESENT} and len(sheet) == 120
    roster = (term.term / "roster.csv").read_text()
    assert all(id_of(number) in roster for number in GONE)


def test_every_total_is_what_the_page_says(term: TermOf120, sheet: Sheet) -> None:
    totals = {who: (Fraction(row["total"]), Fraction(row["max"])) for who, row in sheet.items()}
    assert totals == {who: apart.total(who, term.students, RULES) for who in sheet}


def test_a_group_has_one_hand_in_and_whoever_is_none_has_another(term: TermOf120, sheet: Sheet) -> None:
    """In both pairs and in the triple, although each group came after gradings in another one."""
    for who, one in term.students.items():
        for lab in LABS:
            newest = apart.newest(who, lab, term.students)
            late = 0 if newest is None else apart.days_late(one, newest, RULES)
            assert bool(sheet[who][f"{lab}/handed in"]) == (newest is not None), (who, lab)
            assert int(sheet[who][f"{lab}/days late"] or 0) == late, (who, lab)
    assert len({group for one in term.students.values() for group in one.groups.items()}) == 2 * 15 + 13 + 2


def test_it_is_a_class_in_which_all_of_that_happens(sheet: Sheet) -> None:
    rows = list(sheet.values())
    assert all(any(row[f"{lab}/days late"] for row in rows) for lab in LABS)
    assert {len(row["dropped"].split()) for row in rows} == {1} and len({row["total"] for row in rows}) > 30
    assert {row["max"] for row in rows} == {"200", "300"}


def test_canvas_has_what_counts(term: TermOf120, sheet: Sheet) -> None:
    of_a = [number for number in PRESENT if is_of_a(number)]
    for lab, assignment in ASSIGNMENTS.items():
        there = {id_of(n): str(term.canvas.score_of(assignment, 1000 + n)) for n in of_a}
        assert there == {who: str(float(sheet[who][lab])) if sheet[who][lab] else "EX" for who in there}
    assert term.canvas.tokens_elsewhere == []


def test_moodle_has_what_counts(term: TermOf120, sheet: Sheet) -> None:
    for lab in ASSIGNMENTS:
        with term.worksheet(lab).open() as file:
            read = {row["Email address"].split("@")[0]: row["Grade"] for row in csv.DictReader(file)}
        assert read == {who: sheet[who][lab] for who in read} and len(read) == 56


def test_gradescope_finds_what_counts(term: TermOf120, sheet: Sheet, tmp_path: Path) -> None:
    with zipfile.ZipFile(term.folder / "autograder.zip") as archive:
        archive.extractall(tmp_path / "source")
    (tmp_path / "results").mkdir()
    found = {}
    for who in sheet:
        (tmp_path / "submission_metadata.json").write_text(json.dumps({"users": [{"email": f"{who}@u.edu"}]}))
        (tmp_path / "results/results.json").unlink(missing_ok=True)
        if look_up(tmp_path) == 0:
            found[who] = Fraction(str(json.loads((tmp_path / "results/results.json").read_text())["score"]))
    assert found == {who: Fraction(row[LAB5]) for who, row in sheet.items() if row[LAB5]}


def test_what_was_decided_at_once_is_all_there(term: TermOf120) -> None:
    added = [one for one in Store(term.term).read(Decision) if one.reason == "found a mistake"]
    assert {who: {one.person for one in added if one.by == who} for who in ASSISTANTS} == {
        who: set(map(id_of, those)) for who, those in ASSISTANTS.items()
    }


def test_every_name_is_a_row_of_its_own_in_the_grades(term: TermOf120) -> None:
    with (term.course.repository.grades / "grades.csv").open() as file:
        names = [row["student"] for row in csv.DictReader(file)]
    assert len(names) == len(set(names)) and set(names) <= {id_of(number) for number in PRESENT}
    assert set(LABS) <= set((term.course.repository.grades / "grades.csv").read_text().splitlines()[0].split(","))
