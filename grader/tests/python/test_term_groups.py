"""Groups that change in a term, books of one section, excuses, and people who leave: what counts for whom."""

import json
import zipfile
from pathlib import Path

import pytest
from conftest import Course, Tmagrade
from test_term import TERM, begin_term, grade, put, said, sheet

PEOPLE = "ada,Ada Lovelace,{}\nben,Ben Bell,{}\ncy,Cy Young,{}\n"


def write_roster(course: Course, *groups: str) -> None:
    text = "id,name,group\n" + PEOPLE.format(*groups)
    (course.repository.term / "roster.csv").write_text(text)


def write_groups(course: Course, *rows: str) -> None:
    (course.repository.term / "groups.csv").write_text("\n".join(["group,id,from,until", *rows, ""]))


def score(tmagrade: Tmagrade, tmp_path: Path, who: str, lab: str = "lab3-bulk-copy") -> str:
    return sheet(tmagrade, tmp_path / "sheet.csv")[who][lab]


@pytest.fixture
def alone(course: Course, tmagrade: Tmagrade) -> None:
    """Lab 3 was handed in alone: by ada, with all points, and later by ben, with 25."""
    begin_term(course, TERM)
    write_roster(course, "", "", "")
    put(course, "ada/lab3/lab3.cu", "// right", "2026-09-17T12:00")
    put(course, "ben/lab3/lab3.cu", "pipeline any fail", "2026-09-18T12:00")
    grade(tmagrade, course, "--labs", "lab3")


@pytest.mark.usefixtures("alone")
def test_a_team_of_later_does_not_take_over_what_was_graded_alone(
    course: Course, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    write_roster(course, "team", "team", "")
    assert score(tmagrade, tmp_path, "ada") == "75"
    assert "kept in the term: 2 results" in grade(tmagrade, course, "--labs", "lab3")
    assert (score(tmagrade, tmp_path, "ada"), score(tmagrade, tmp_path, "ben")) == ("75", "25")
    put(course, "ben/lab4/lab4.cu")
    grade(tmagrade, course, "--labs", "lab4")
    assert score(tmagrade, tmp_path, "ada", "lab4-single-tile") == "100"


@pytest.mark.usefixtures("alone")
def test_a_group_that_is_entered_late_has_what_was_graded_at_once(
    course: Course, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    """Of cy nothing was graded; of ada something was, unless groups.csv says that it was the team's."""
    write_roster(course, "", "team", "team")
    assert score(tmagrade, tmp_path, "cy") == "25"
    write_groups(course, "team,ada,,lab3", "team,ben,,lab3")
    assert score(tmagrade, tmp_path, "ada") == "25"
    assert "handed in 2026-09-18 12:00:00; counts" in said(tmagrade, "history", "ada", "lab3")


@pytest.mark.usefixtures("alone")
def test_groups_have_a_first_and_a_last_lab_or_day(course: Course, tmagrade: Tmagrade, tmp_path: Path) -> None:
    put(course, "ben/lab4/lab4.cu", "load any fail", "2026-09-20T12:00")
    put(course, "ada/lab4/lab4.cu", "", "2026-09-19T12:00")
    grade(tmagrade, course, "--labs", "lab4")
    for first, last, lab3, lab4 in (
        ("lab4", "", "75", "0"),
        ("", "lab3-bulk-copy", "25", "100"),
        ("2026-09-19", "", "75", "0"),
        ("2026-09-18", "2026-09-24", "25", "100"),
        ("2026-10-01", "", "75", "100"),
    ):
        write_groups(course, *(f"team,{who},{first},{last}" for who in ("ada", "ben")))
        assert (score(tmagrade, tmp_path, "ada"), score(tmagrade, tmp_path, "ada", "lab4-single-tile")) == (lab3, lab4)


@pytest.mark.usefixtures("alone")
def test_who_stands_in_groups_has_no_other_and_works_alone_where_none_is_named(
    course: Course, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    write_roster(course, "", "team", "team")
    write_groups(course, ",cy,,")
    assert score(tmagrade, tmp_path, "cy") == ""


@pytest.mark.usefixtures("alone")
def test_every_mistake_in_the_groups_has_its_place(course: Course, tmagrade: Tmagrade) -> None:
    write_groups(course, "t,ada,lab4,", "u,ada,2026-09-20,", "t,eve,,", "t,ben,soon,")
    status, printed = tmagrade("term", "check")
    assert status == 2 and "groups.csv cannot be used:" in printed
    assert "line 3: ada is in a group for lab4-single-tile in line 2, too" in printed
    assert "line 4: the roster has no id 'eve'" in printed
    assert "line 5: 'soon' is neither a lab of the term nor a day, as 2026-10-02" in printed


# Sections, excuses

TWO = "id,name,email,section,canvas,dropped\na,Ada,a@a.edu,A,101,\nb,Ben,b@a.edu,A,102,\nc,Cy,c@a.edu,B,103,\n"


@pytest.fixture
def sections(course: Course, tmagrade: Tmagrade, tmp_path: Path) -> Path:
    settings = TERM.replace("drop_lowest = 0", 'pending = "scale"').replace(
        'lab = "lab3"', 'lab = "lab3"\ncanvas = "L (8)"'
    )
    begin_term(course, settings, TWO)
    for who in ("a", "c"):
        put(course, f"{who}/lab3/lab3.cu", f"// {who}")
    grade(tmagrade, course, "--labs", "lab3")
    book = tmp_path / "book.csv"
    book.write_text("Student,ID,Section,L (8)\nAda,101,A,50\n")
    return book


def publish(tmagrade: Tmagrade, to: str, out: Path, *more: object) -> str:
    return said(tmagrade, "publish", "lab3", "--to", to, "--out", out, *more)


def test_of_a_sections_book_only_the_sections_people_are_missed(
    sections: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    printed = publish(tmagrade, "canvas", tmp_path / "up.csv", "--book", sections)
    assert "no row for: b\n" in printed
    assert "no row for: b\n" in said(tmagrade, "compare", "lab3", "--book", sections)


def emails_in(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return sorted(json.loads(archive.read("results.json")))


def test_an_autograder_holds_its_own_sections_results(
    course: Course, sections: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    publish(tmagrade, "gradescope", tmp_path / "all.zip")
    assert emails_in(tmp_path / "all.zip") == ["a@a.edu", "c@a.edu"]
    publish(tmagrade, "gradescope", tmp_path / "b.zip", "--section", "B")
    assert emails_in(tmp_path / "b.zip") == ["c@a.edu"]
    for path in course.handed_in.iterdir():
        path.rename(tmp_path / path.name)
    put(course, "submission_1/lab3.cu")
    put(course, "submission_metadata.yml", "submission_1:\n  :submitters:\n  - :email: b@a.edu\n")
    grade(tmagrade, course, "--labs", "lab3")
    publish(tmagrade, "gradescope", tmp_path / "known.zip")
    assert emails_in(tmp_path / "known.zip") == ["a@a.edu", "b@a.edu"]


def test_who_is_excused_is_so_on_canvas(sections: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    said(tmagrade, "excuse", "a", "lab3", "--reason", "joined late")
    publish(tmagrade, "canvas", tmp_path / "up.csv", "--book", sections)
    assert (tmp_path / "up.csv").read_text().endswith("Ada,101,A,EX\n")
    assert "1 of 1 students have there what counts here" in said(
        tmagrade, "compare", "lab3", "--book", tmp_path / "up.csv"
    )
    said(tmagrade, "withdraw", "a", "lab3", "excuse", "--reason", "did not")
    assert "a: EX -> 100: withdraw excuse" in said(tmagrade, "changes", "lab3")


def test_whoever_is_called_otherwise_since_has_one_row(
    course: Course, sections: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    put(course, "stranger/lab4/lab4.cu")
    put(course, "stranger/lab3/lab3.cu", "// s")
    grade(tmagrade, course)
    (course.repository.term / "roster.csv").write_text(TWO + "dd,Di,d@a.edu,B,104,\n".replace("Di", "stranger"))
    grade(tmagrade, course, "--labs", "lab3")
    rows = (course.repository.grades / "grades.csv").read_text().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ["a", "c", "dd"]
    assert rows[-1].count("100") >= 1 and not (course.repository.grades / "stranger").exists()


def test_who_has_dropped_is_known_and_in_no_table(
    course: Course, sections: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    (course.repository.term / "roster.csv").write_text(
        TWO.replace("c,Cy,c@a.edu,B,103,", "c,Cy,c@a.edu,B,103,2026-10-01")
    )
    printed = grade(tmagrade, course, "--labs", "lab3")
    assert "dropped, so not graded: c\n" in printed and "not on the roster" not in printed
    assert "removed, since they have dropped (the term keeps it): lab3-bulk-copy of c" in printed
    assert list(sheet(tmagrade, tmp_path / "sheet.csv")) == ["a", "b"]

    assert "\nc," not in (course.repository.grades / "grades.csv").read_text()
    assert "graded 75 of 100" in said(tmagrade, "history", "c", "lab3")
