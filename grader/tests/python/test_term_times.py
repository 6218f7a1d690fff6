"""When a class has handed in, as platforms' tables say it, in one command; deadlines, and extensions."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from conftest import Course, Tmagrade
from test_term import TERM, begin_term, grade, put, said, sheet

SETTINGS = TERM.replace("drop_lowest = 0", 'pending = "scale"')
CLASS = range(1, 121)


@pytest.fixture
def canvas(course: Course, tmagrade: Tmagrade) -> Path:
    """A section of 120 on Canvas, which says of a third that they were late, and not by how much."""
    people = [f"s{number},First Last{number},s{number}@a.edu,{1000 + number}" for number in CLASS]
    folder = begin_term(course, SETTINGS, "\n".join(["id,name,email,canvas", *people, ""]))
    for number in CLASS:
        late = "LATE_" if number % 3 == 0 else ""
        put(course, f"last{number}_{late}{1000 + number}_{5000 + number}_lab3.cu", f"// {number % 9}")
    grade(tmagrade, course, "--labs", "lab3")
    return folder


def submissions(path: Path) -> Path:
    due = datetime(2026, 9, 19, 3, 59, tzinfo=UTC)
    late = {number: timedelta(days=2, hours=3) if number % 3 == 0 else -timedelta(hours=1) for number in CLASS}
    rows = [
        {"user_id": 1000 + number, "submitted_at": f"{due + late[number]:%Y-%m-%dT%H:%M:%SZ}", "late": True}
        for number in CLASS
    ]
    path.write_text(json.dumps([*rows, {"user_id": 7, "submitted_at": None}]))
    return path


def test_the_times_of_a_class_take_one_command(canvas: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    assert "canvas says that it was late, and not by how much" in said(tmagrade, "sheet")
    printed = said(tmagrade, "times", submissions(tmp_path / "submissions.json"), "--lab", "lab3")
    assert "120 times are new; 40 scores are others now\n  s3, lab3-bulk-copy: 100 -> 80\n" in printed
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert {who: row["lab3-bulk-copy/days late"] for who, row in rows.items() if row["lab3-bulk-copy"] == "80"} == {
        f"s{number}": "3" for number in CLASS if number % 3 == 0
    }
    assert "canvas says" not in said(tmagrade, "sheet")
    again = said(tmagrade, "times", tmp_path / "submissions.json", "--lab", "lab3")
    assert "0 times are new; 0 scores are others now" in again


def test_what_was_decided_by_hand_stays(canvas: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    said(tmagrade, "time", "s3", "lab3", "2026-09-18T20:00", "--reason", "the network was down")
    printed = said(tmagrade, "times", submissions(tmp_path / "submissions.json"), "--lab", "lab3")
    assert "39 scores are others now" in printed and "decided by hand, and left so: s3\n" in printed
    assert sheet(tmagrade, tmp_path / "sheet.csv")["s3"]["lab3-bulk-copy"] == "100"


OWN = "id,lab,time\nada,lab3,2026-09-20T12:00:00\nben,lab3,2026-09-18T20:00:00-04:00\nzoe,lab3,2026-09-18T20:00\n"
GRADESCOPE = "First Name,Last Name,SID,Email,Total Score,Status,Submission ID,Submission Time,Lateness (H:M:S)\n"
GRADESCOPE += "Ada,Lovelace,,ada@a.edu,,Ungraded,1,2026-09-20 12:00:00 -0400,36:01:00\n"
GRADESCOPE += "Ben,Bell,,ben@a.edu,,Ungraded,2,2026-09-18 20:00:00 -0400,00:00:00\nZoe,,,zoe@a.edu,,Missing,,,\n"
MOODLE = "Identifier,Full name,Email address,Maximum Grade,Last modified (submission)\n"
MOODLE += 'Participant 1,Ada Lovelace,ada@a.edu,100,"Sunday, 20 September 2026, 12:00 PM"\n'
MOODLE += 'Participant 2,Ben Bell,ben@a.edu,100,"Friday, 18 September 2026, 8:00 PM"\nParticipant 3,Zoe,z@a.edu,100,-\n'


@pytest.fixture
def plain(course: Course, tmagrade: Tmagrade) -> Path:
    folder = begin_term(course, SETTINGS)
    for who in ("ada", "ben"):
        put(course, f"{who}/lab3/lab3.cu")
    grade(tmagrade, course, "--labs", "lab3")
    return folder


@pytest.mark.parametrize(("text", "lab"), [(OWN, ()), (GRADESCOPE, ("--lab", "lab3")), (MOODLE, ("--lab", "lab3"))])
def test_every_platforms_table_says_the_same_times(
    plain: Path, tmagrade: Tmagrade, tmp_path: Path, text: str, lab: tuple[str, ...]
) -> None:
    (tmp_path / "table.csv").write_text(text)
    printed = said(tmagrade, "times", tmp_path / "table.csv", *lab)
    assert "1 times are new; 1 scores are others now\n  ada, lab3-bulk-copy: 100 -> 90\n" in printed
    assert ("on the roster is nobody called: zoe" in printed) == (text == OWN)
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert rows["ada"]["lab3-bulk-copy/handed in"] == "2026-09-20 12:00:00"


def test_of_a_group_the_time_is_of_whose_hand_in_counts(course: Course, tmagrade: Tmagrade, tmp_path: Path) -> None:
    """The platform had ben's, the newer one, two days late, and cy's in time."""
    begin_term(course, TERM)
    put(course, "cy/lab3/lab3.cu", "pipeline any fail", "2026-09-18T12:00")
    put(course, "ben/lab3/lab3.cu", "// right", "2026-09-18T13:00")
    grade(tmagrade, course, "--labs", "lab3")
    table = tmp_path / "table.csv"
    table.write_text("id,lab,time\nben,lab3,2026-09-20T12:00\ncy,lab3,2026-09-18T12:00\n")
    said(tmagrade, "times", table)
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    for who in ("ben", "cy"):
        assert rows[who]["lab3-bulk-copy/handed in"] == "2026-09-20 12:00:00"
        assert rows[who]["lab3-bulk-copy/days late"] == "2"
    assert "0 times are new; 0 scores are others now" in said(tmagrade, "times", table)


def pair_with_times(course: Course, tmagrade: Tmagrade, table: Path) -> None:
    """Files have ben's as the newer one, and the platform's table cy's, which is right."""
    put(course, "ben/lab3/lab3.cu", "pipeline any fail", "2026-09-18T13:00")
    put(course, "cy/lab3/lab3.cu", "// right", "2026-09-18T12:00")
    table.write_text("id,lab,time\nben,lab3,2026-09-18T12:00\ncy,lab3,2026-09-18T14:00\n")


@pytest.mark.parametrize("is_before", [False, True])
def test_of_a_group_the_newest_by_the_platforms_table_counts_whatever_the_files_say(
    course: Course, tmagrade: Tmagrade, tmp_path: Path, is_before: bool
) -> None:
    begin_term(course, TERM)
    table = tmp_path / "table.csv"
    pair_with_times(course, tmagrade, table)
    if is_before:
        said(tmagrade, "times", table)
    printed = grade(tmagrade, course, "--labs", "lab3")
    assert f"{'cy' if is_before else 'ben'}'s for ben" in printed
    if not is_before:
        printed = said(tmagrade, "times", table)
        assert "2 scores are others now\n  ben, lab3-bulk-copy: 25 -> 75\n  cy, lab3-bulk-copy: 25 -> 75\n" in printed
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert {rows[who]["lab3-bulk-copy"] for who in ("ben", "cy")} == {"75"}
    assert "0 times are new; 0 scores are others now" in said(tmagrade, "times", table)


def test_explain_says_whose_text_of_the_group_counts_and_by_which_time(
    course: Course, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    begin_term(course, TERM)
    pair_with_times(course, tmagrade, tmp_path / "table.csv")
    grade(tmagrade, course, "--labs", "lab3")
    said(tmagrade, "times", tmp_path / "table.csv")
    for who in ("ben", "cy"):
        printed = tmagrade("explain", who, "lab3", "--grades", course.repository.grades)[1]
        assert (
            "  handed in 2026-09-18 14:00:00\n"
            "  what cy (Cy Young) handed in counts, for the group pair 1\n"
            "  not what ben (Ben Bell) handed in (plain), graded 25 of 100: the newer one counts\n"
            "  time 2026-09-18 14:00:00: as the platform says: table.csv ("
        ) in printed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("who,when\nada,now\n", "says no times that are known: there are a table with the columns id, lab, time"),
        ("id,lab,time\nada,lab3,soon\n", "line 2: 'soon' is no time, as 2026-09-18T23:50:07"),
        ("id,lab,time\nada,lab9,2026-09-18T20:00\n", "no lab of the term 'lab9'"),
        (GRADESCOPE, "of which lab does"),
        ("[1]", "is no list of Canvas' submissions"),
        ('{"errors": 1}', "is no list of Canvas' submissions"),
        ("[", "is no JSON"),
        (MOODLE.replace("Sunday, 20 September", "Sonntag, 20. September"), "Moodle's are read in English alone"),
    ],
)
def test_what_says_no_time_changes_nothing(
    plain: Path, tmagrade: Tmagrade, tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "table").write_text(text)
    status, printed = tmagrade("term", "times", tmp_path / "table", *(["--lab", "lab3"] if "Moodle" in words else []))
    assert (status, words in printed) == (2, True), printed
    assert "time " not in said(tmagrade, "history", "ada", "lab3")


# Deadlines and extensions


def test_a_deadline_is_over_with_its_minute(plain: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    (plain / "term.toml").write_text(SETTINGS.replace("grace_minutes = 15", "grace_minutes = 0"))
    for second, late in (("23:59:30", ""), ("23:59:59.9", ""), ("00:00:00", "1")):
        day = "2026-09-19" if late else "2026-09-18"
        said(tmagrade, "time", "ada", "lab3", f"{day}T{second}", "--reason", "log")
        assert sheet(tmagrade, tmp_path / "sheet.csv")["ada"]["lab3-bulk-copy/days late"] == late


def test_more_time_says_from_when_and_less_is_asked_about(plain: Path, tmagrade: Tmagrade) -> None:
    assert "+3d from 2026-09-18 23:59, when lab3-bulk-copy is due for everybody\n" in said(
        tmagrade, "extend", "ada", "lab3", "+3d", "--reason", "ill"
    )
    for until in ("+2d", "2026-09-01", "+3d"):
        status, printed = tmagrade("term", "extend", "ada", "lab3", until, "--reason", "ill")
        assert status == 2 and "lab3-bulk-copy is due for ada at 2026-09-21 23:59 as it is" in printed
        assert "gives no time" in printed
    assert said(tmagrade, "history", "ada", "lab3").count("extend ") == 1
