"""--only: one student graded again, into the class's grades."""

import json
from typing import Any

import pytest
from conftest import Course, Tmagrade


@pytest.fixture
def graded(course: Course, tmagrade: Tmagrade) -> Course:
    """A class that was graded, and of which ben was wrong."""
    course.submit("ada", "// hers")
    course.submit("ben", "pipeline any fail")
    course.submit("ben", "", "lab4-single-tile", "lab4.cu")
    assert grade(tmagrade, course)[0] == 0
    assert course.all_calls
    return course


def grade(tmagrade: Tmagrade, course: Course, *more: object) -> tuple[int, str]:
    return tmagrade("grade", "--submissions", course.handed_in, "--output", course.repository.grades, *more)


def grades(course: Course) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((course.repository.grades / "grades.json").read_text())
    return found


def scores(course: Course) -> dict[str, dict[str, float]]:
    return {one["id"]: {lab["id"][:4]: lab["score"] for lab in one["labs"]} for one in grades(course)["students"]}


def test_what_changed_is_said_and_stands_in_the_classes_grades(graded: Course, tmagrade: Tmagrade) -> None:
    graded.submit("ben", "// right now")
    status, printed = grade(tmagrade, graded, "--only", "ben", "--labs", "lab3")
    assert status == 0
    assert "ben, lab3-bulk-copy: 25/75 +25 pending before, 75/75 +25 pending now\n" in printed
    assert "  pipeline: fail, 0 of 40 before; pass, 40 of 40 now\n" in printed
    assert "one-tile" not in printed
    assert scores(graded) == {"ada": {"lab3": 75}, "ben": {"lab3": 75, "lab4": 100}}


def test_the_others_are_as_they_were(graded: Course, tmagrade: Tmagrade) -> None:
    before = grades(graded)["students"][0]
    graded.submit("ada", "pipeline any fail // and not looked at")
    graded.submit("ben", "// right now")
    grade(tmagrade, graded, "--only", "ben")
    assert grades(graded)["students"][0] == before
    assert (graded.repository.grades / "ada/feedback.md").exists()
    assert "nvcc" in graded.calls


def test_what_has_not_changed_is_judged_anew_all_the_same(graded: Course, tmagrade: Tmagrade) -> None:
    _, printed = grade(tmagrade, graded, "--only", "ada")
    assert "ada, lab3-bulk-copy: 75/75 +25 pending before, 75/75 +25 pending now\n  nothing changed\n" in printed
    assert [call.split()[0] for call in graded.calls][:2] == ["nvcc", "judge"]


def test_a_new_student_is_added(graded: Course, tmagrade: Tmagrade) -> None:
    graded.submit("eve", "// late")
    _, printed = grade(tmagrade, graded, "--only", "eve")
    assert "eve, lab3-bulk-copy: not graded before, 75/75 +25 pending now\n" in printed
    assert list(scores(graded)) == ["ada", "ben", "eve"]


def test_where_the_grader_fails_the_old_score_stands(graded: Course, tmagrade: Tmagrade) -> None:
    before = grades(graded)
    graded.submit("ada", "judge dies")
    status, printed = grade(tmagrade, graded, "--only", "ada")
    assert status == 3
    assert "grader fault: ada/lab3-bulk-copy" in printed
    assert grades(graded) == before


def test_a_submission_over_which_a_judge_died_is_tried_again(graded: Course, tmagrade: Tmagrade) -> None:
    graded.submit("ada", "judge crashes")
    for arguments, tried in (([], True), ([], False), (["--only", "ada"], True)):
        grade(tmagrade, graded, *arguments)
        assert any(call.startswith("judge") for call in graded.calls) is tried


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "zoe"], "there is no student 'zoe'"),
        (["--only", "ada", "--executor", "slurm"], "--only grades on this machine"),
    ],
)
def test_what_cannot_be_done_is_a_usage_error(
    graded: Course, tmagrade: Tmagrade, arguments: list[str], words: str
) -> None:
    status, printed = grade(tmagrade, graded, *arguments)
    assert (status, words in printed) == (2, True)


def test_a_class_that_was_never_graded_is_a_usage_error(course: Course, tmagrade: Tmagrade) -> None:
    course.submit("ada", "")
    status, printed = grade(tmagrade, course, "--only", "ada")
    assert (status, "nothing was graded into this folder" in printed) == (2, True)


def test_other_rules_than_the_classes_are_a_usage_error(graded: Course, tmagrade: Tmagrade) -> None:
    toml = graded.repository.labs / "lab3-bulk-copy/lab.toml"
    toml.write_text(toml.read_text().replace("hygiene = 15", "hygiene = 20"))
    status, printed = grade(tmagrade, graded, "--only", "ada", "--labs", "lab3")
    assert (status, "grade the class again" in printed) == (2, True)


def test_another_build_of_the_grader_is_said(graded: Course, tmagrade: Tmagrade) -> None:
    with open(graded.repository.judge("lab3-bulk-copy"), "a") as binary:
        binary.write("# changed\n")
    _, printed = grade(tmagrade, graded, "--only", "ada")
    assert "the class was graded by grader" in printed


def test_what_parts_are_about_is_kept_with_the_grades(graded: Course, tmagrade: Tmagrade) -> None:
    settings = graded.repository.labs / "lab3-bulk-copy/lab.toml"
    about = '[[parts]]\nabout = [ { measure = "bulk_loads", share_of_inputs = 0.0 } ]\n'
    settings.write_text(settings.read_text().replace("[[parts]]\n", about, 1))
    assert grade(tmagrade, graded)[0] == 0
    assert grade(tmagrade, graded, "--only", "ada", "--labs", "lab3")[0] == 0
    settings.write_text(settings.read_text().replace('"bulk_loads"', '"cp_async"'))
    status, printed = grade(tmagrade, graded, "--only", "ada", "--labs", "lab3")
    assert status == 2
    assert "lab.toml is not the one that the class was graded with" in printed


def test_a_dry_run_says_what_would_change_and_changes_nothing(graded: Course, tmagrade: Tmagrade) -> None:
    before = grades(graded)
    graded.submit("ben", "// right now")
    graded.submit("eve", "// late")
    status, printed = grade(tmagrade, graded, "--labs", "lab3", "--dry-run")
    assert status == 0 and grades(graded) == before
    assert "ben, lab3-bulk-copy: 25/75 +25 pending before, 75/75 +25 pending now\n" in printed
    assert "would be new: lab3-bulk-copy of eve\n" in printed and "a dry run: " in printed


def test_what_a_dry_run_has_judged_is_not_judged_again(graded: Course, tmagrade: Tmagrade) -> None:
    graded.submit("ben", "// right now")
    grade(tmagrade, graded, "--dry-run")
    assert graded.calls
    grade(tmagrade, graded)
    assert graded.calls == []


def test_a_dry_run_makes_no_folder(course: Course, tmagrade: Tmagrade) -> None:
    course.submit("ada", "")
    status, printed = grade(tmagrade, course, "--dry-run")
    assert (status, course.repository.grades.exists()) == (0, False), printed
