"""The roster as it grows: every platform's list of a class, and what is added, changed and gone."""

import csv
import grp
import os
import stat
from pathlib import Path

import pytest
from conftest import Course, Tmagrade
from test_term import begin_term, grade, put, said, sheet

from staff.platforms.first_roster import roster_from
from staff.platforms.moodle import moodle_book
from staff.term.roster import read_roster
from tmagrade.basics.errors import UsageError

GRADESCOPE = "First Name,Last Name,SID,Email,Role,Sections\nAda,Lovelace,s1,ada@a.edu,Student,B\n"
GRADESCOPE += "Tim,Aide,,tim@a.edu,TA,\nIna,Struct,,ina@a.edu,Instructor,\n"
CANVAS = "Student;ID;SIS User ID;SIS Login ID;Section;Lab 3 (8)\n    Points Possible;;;;;100,0\n"
CANVAS += '"Lovelace, Ada";101;s1;ada;A;66,67\n"Student, Test";9;;;A;\n'
NAMES_APART = "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Lab 3 (8)\nPoints Possible,,,,,,100\n"
NAMES_APART += "Lovelace,Ada,101,s1,ada,A,\nStudent,Test,9,,,A,\n"
GERMAN = "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Bewertung kann geändert werden,"
GERMAN += "Zuletzt geändert (Abgabe),Zuletzt geändert (Bewertung)\n"
GERMAN += 'Teilnehmer/in596,Ada Lovelace,ada@a.edu,"Zur Bewertung abgegeben - ",,"100,00",Ja,"Freitag",-\n'
GERMAN += 'Teilnehmer/in597,Ben Bell,ben@a.edu,"Keine Abgabe","12,00","100,00",Nein,-,-\n'
PARTICIPANTS = "First name,Last name,Email address,Groups\nAda,Lovelace,ada@a.edu,\n"
ADA = {"id": "ada", "name": "Ada Lovelace"}


def known(text: str) -> list[dict[str, str]]:
    rows = csv.DictReader(roster_from(text.encode()).splitlines())
    return [{column: value for column, value in row.items() if value} for row in rows]


@pytest.mark.parametrize(
    ("book", "also"),
    [
        (GRADESCOPE, {"email": "ada@a.edu", "sis": "s1", "section": "B"}),
        (CANVAS, {"canvas": "101", "sis": "s1", "section": "A"}),
        (NAMES_APART, {"canvas": "101", "sis": "s1", "section": "A"}),
        (GERMAN, {"email": "ada@a.edu", "participants": "596"}),
        (PARTICIPANTS, {"email": "ada@a.edu"}),
        ("identifier,github_username\nada,ada-l\n", {"name": "ada", "github": "ada-l", "id": "ada-l"}),
    ],
)
def test_a_roster_comes_from_every_list_and_has_no_staff_in_it(book: str, also: dict[str, str]) -> None:
    first, *others = known(book)
    assert first == ADA | also
    assert [one["id"] for one in others] == (["ben"] if book == GERMAN else [])


@pytest.mark.parametrize(("content", "words"), [(b"Who,What\n1,2\n", "it begins with Who, What; known are Canvas'")])
def test_what_is_no_list_is_refused_with_those_that_are(content: bytes, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        roster_from(content)


def test_a_workbook_is_refused_with_what_to_do(course: Course, tmagrade: Tmagrade, tmp_path: Path) -> None:
    (tmp_path / "list.xlsx").write_bytes(b"PK\3\4\0\0")
    status, printed = tmagrade("term", "init", "--book", tmp_path / "list.xlsx")
    assert status == 2 and "is a workbook or an archive, and no text: save it anew: in Excel as" in printed


ROSTER = """# Who is in the course. The first column is ours.
id,email,name,section,canvas
ada,ada@a.edu,"Lovelace, Ada",A,101
ben,ben@a.edu,Ben Bell,A,102
# section B
cy,cy@a.edu,Cy Young,B,103
"""


@pytest.fixture
def term(course: Course) -> Path:
    return begin_term(course, roster=ROSTER)


def grow(tmagrade: Tmagrade, tmp_path: Path, text: str, *more: str) -> tuple[int, str]:
    (tmp_path / "list.csv").write_text(text)
    return tmagrade("term", "roster", "--book", tmp_path / "list.csv", *more)


SECTION_A = "Student,ID,SIS Login ID,Section,L (8)\nAda Lovelace,101,ada@b.edu,A,\nNew Student,109,new@a.edu,A,\n"


def test_what_a_list_adds_changes_and_lacks_is_shown_before_anything_is_written(
    term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    status, printed = grow(tmagrade, tmp_path, SECTION_A)
    assert status == 2 and (term / "roster.csv").read_text() == ROSTER
    for line in ("added: new (New Student)", "ada: email ada@a.edu -> ada@b.edu", "dropped: ben (Ben Bell)"):
        assert f"  {line}\n" in printed
    assert " cy " not in printed  # of another section


def test_the_rest_of_the_roster_stays_as_it_was_written(term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    assert grow(tmagrade, tmp_path, SECTION_A, "--yes")[0] == 0
    now = (term / "roster.csv").read_text().splitlines()
    assert now[0] == ROSTER.splitlines()[0] and now[1].endswith("canvas,dropped")
    assert now[2] == 'ada,ada@b.edu,"Lovelace, Ada",A,101' and now[4:6] == ROSTER.splitlines()[4:6]
    people = {one.id: one for one in read_roster(term).people}
    assert people["ben"].dropped and people["new"].canvas == "109" and not people["cy"].dropped
    assert "roster.csv has all that" in grow(tmagrade, tmp_path, SECTION_A)[1]


def test_a_second_section_is_added_and_nobody_is_dropped_for_it(term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    worksheet = "Identifier,Full name,Email address,Maximum Grade\nParticipant 5,Di Day,di@a.edu,100\n"
    status, printed = grow(tmagrade, tmp_path, worksheet, "--yes")
    assert status == 2 and "3 of 3 students of the roster are not in this list: is it another section's?" in printed
    assert grow(tmagrade, tmp_path, worksheet, "--section", "C", "--yes")[0] == 0
    people = {one.id: one for one in read_roster(term).people}
    assert (people["di"].section, people["di"].participants) == ("C", "5")
    assert not any(one.dropped for one in people.values())


def test_who_comes_back_has_not_dropped_and_who_has_is_still_known(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    grow(tmagrade, tmp_path, SECTION_A, "--yes")
    put(course, "bellben_102_1_lab3.cu")
    put(course, "lovelaceada_101_2_lab3.cu")
    assert "dropped, so not graded: ben\n" in grade(tmagrade, course, "--labs", "lab3")
    assert "ben" not in sheet(tmagrade, tmp_path / "sheet.csv")
    printed = grow(tmagrade, tmp_path, SECTION_A + "Ben Bell,102,,A,\n", "--yes")[1]
    assert "changed: 1" in printed
    assert "ben" in sheet(tmagrade, tmp_path / "sheet.csv")


def test_a_participants_number_is_tied_to_who_it_is_by_each_worksheet(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    for number in (596, 812):
        worksheet = f"Identifier,Full name,Email address,Maximum Grade\nParticipant {number},Ada King,ada@a.edu,100\n"
        grow(tmagrade, tmp_path, worksheet, "--section", "A", "--yes")
    ada = next(one for one in read_roster(term).people if one.id == "ada")
    assert (ada.participants, ada.moodle) == ("596 812", "Ada King")


def test_of_two_of_one_name_a_worksheet_without_addresses_knows_who_is_who(term: Path) -> None:
    (term / "roster.csv").write_text("id,name,participants\nw1,Wei Zhang,596\nw2,Wei Zhang,597\n")
    worksheet = "Identifier,Full name,Grade,Maximum Grade\nParticipant 597,Wei Zhang,,100\n"
    assert [one.id for one in moodle_book(worksheet.encode(), read_roster(term)).people.values()] == ["w2"]


def test_a_worksheet_in_another_language_is_filled_and_its_locked_rows_stay(term: Path) -> None:
    book = moodle_book(GERMAN.encode(), read_roster(term))
    assert {person.id: row for row, person in book.people.items()} == {"ada": 1, "ben": 2}
    assert (book.column, book.locked, book.points) == (4, frozenset({2}), ("100,00", "100,00"))


def test_a_book_with_semicolons_is_filled_and_compared(course: Course, tmagrade: Tmagrade, tmp_path: Path) -> None:
    folder = begin_term(course, roster=ROSTER)
    text = (folder / "term.toml").read_text().replace('lab = "lab3"', 'lab = "lab3"\ncanvas = "Lab 3 (8)"')
    (folder / "term.toml").write_text(text)
    said(tmagrade, "override", "ada", "lab3", "33.33", "--reason", "by hand")
    (tmp_path / "book.csv").write_text(CANVAS)
    said(tmagrade, "publish", "lab3", "--book", tmp_path / "book.csv", "--out", tmp_path / "up.csv", "--yes")
    assert (tmp_path / "up.csv").read_text() == CANVAS.replace("66,67", "33.33")


def test_a_shared_term_is_its_groups_too(term: Path, tmagrade: Tmagrade) -> None:
    said(tmagrade, "share", grp.getgrgid(os.getgid()).gr_name)
    said(tmagrade, "excuse", "ada", "lab3", "--reason", "ill")
    assert stat.S_IMODE(term.stat().st_mode) == 0o2770
    assert {stat.S_IMODE(path.stat().st_mode) for path in term.iterdir()} == {0o660}
    status, printed = tmagrade("term", "share", "nobody-is-in-it")
    assert status == 2 and "cannot be given to the group nobody-is-in-it" in printed
