"""The tables in a terminal and in a log."""

import io
from dataclasses import replace
from typing import Literal

from conftest import Course
from rich.console import Console
from test_outputs import grades_of

from tmagrade.basics.printing import print_line
from tmagrade.course.labs import Lab
from tmagrade.judging.scoring import LabResult, PartResult, same_for_all
from tmagrade.outputs.grades import Student
from tmagrade.outputs.tables import print_table


def shown(students: list[Student], width: int = 80, terminal: bool = True, colors: bool = False) -> str:
    text = io.StringIO()
    system: Literal["standard"] | None = "standard" if colors else None
    print_table(Console(file=text, force_terminal=terminal, width=width, color_system=system, _environ={}), students)
    return text.getvalue()


def labs_of(lab3: Lab, count: int) -> list[Lab]:
    return [replace(lab3, id=f"lab{number}-x") for number in range(count)]


def big_class(lab3: Lab, labs: int = 11, students: int = 60) -> list[Student]:
    return [
        Student(f"a student of a long name {number}", tuple(_right(lab) for lab in labs_of(lab3, labs)))
        for number in range(students)
    ]


def _right(lab: Lab) -> LabResult:
    parts = [PartResult(part.id, "pass", part.points, part.points) for part in lab.parts]
    return LabResult(lab, (*parts, PartResult("bandwidth", "pending", 0, 25)))


def test_a_class_of_all_labs_fits_80_columns(lab3: Lab) -> None:
    lines = shown(big_class(lab3)).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["student", *map(str, range(11)), "total"]
    assert lines[1].split()[-12:] == ["60+"] * 11 + ["660+"]
    assert len(lines) == 60 + 3


def test_a_class_of_one_lab_has_a_line_a_student_with_a_remark(course: Course) -> None:
    lines = shown(list(grades_of(course, ada="", ben="#error").students)).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[2].split()[:4] == ["ben", "lab3", "0/100", "one-tile:"]


def test_a_wide_terminal_shows_each_kind_of_points(course: Course) -> None:
    lines = shown(list(grades_of(course, ada="").students), width=140).splitlines()
    assert lines[1].split()[:5] == ["ada", "lab3-bulk-copy", "60", "15", "pending"]


def test_scores_are_colored_in_a_terminal_alone(course: Course) -> None:
    students = list(grades_of(course, ada="", ben="#error").students)
    assert "\x1b[32m75/75" in shown(students, colors=True)
    assert "\x1b[31m0/100" in shown(students, colors=True)
    assert "\x1b" not in shown(students, terminal=False)


def test_a_log_names_the_lab_in_full_and_keeps_the_columns_of_every_lab(lab3: Lab) -> None:
    lines = shown(big_class(lab3, students=1), terminal=False).splitlines()
    assert lines[0].split() == ["student", "lab", "correct", "hygiene", "bandwidth", "score", "remark"]
    assert len(lines) == 12


def test_no_name_or_message_moves_the_cursor(lab3: Lab) -> None:
    student = Student("ada\x1b[2J\nben", (same_for_all(lab3, "build error", "x\x1b[1A\rok"),))
    for terminal in (True, False):
        text = shown([student], width=160, terminal=terminal)
        assert "ada␛[2J␤ben" in text and "x␛[1A␍ok" in text
        assert len(text.splitlines()) == 2


def test_wide_letters_keep_the_columns_aligned(lab3: Lab) -> None:
    students = [Student(name, (same_for_all(lab3, "missing", "x"),)) for name in ("李小龍", "ada")]
    chinese, latin = shown(students).splitlines()[1:]
    assert chinese.index("lab3") + 3 == latin.index("lab3")


def test_a_line_is_printed_as_it_is() -> None:
    text = io.StringIO()
    print_line(Console(file=text, width=20), "[red]not markup[/red] and longer than the console is wide")
    assert text.getvalue() == "[red]not markup[/red] and longer than the console is wide\n"
