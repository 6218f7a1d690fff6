"""Nothing that was graded is lost: other labs and other students stay, and only `tmagrade forget` removes."""

import json
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from archive_maker import make_zip
from conftest import Course, Tmagrade
from graded_once import Graded, graded_once

from staff.outputs.merging import merged
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs
from tmagrade.judging.scoring import GRADER_FAULT, LabResult, PartResult
from tmagrade.outputs.grades import Facts, Grades, Student

FACTS = Facts("emulator", "", "", "", "")


def grade(tmagrade: Tmagrade, course: Course, *more: object) -> str:
    """Grades into the course's grades, without a word about where they are."""
    status, printed = tmagrade("grade", "--submissions", course.handed_in, "--output", course.repository.grades, *more)
    assert status == 0, printed
    return printed


def grades(course: Course) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((course.repository.grades / "grades.json").read_text())
    return found


def scores(course: Course) -> dict[str, dict[str, float]]:
    return {one["id"]: {lab["id"][:4]: lab["score"] for lab in one["labs"]} for one in grades(course)["students"]}


def hand_in_again(course: Course, *students: tuple[str, str, str]) -> None:
    """Another week: what is handed in now is all that there is."""
    for path in sorted(course.handed_in.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    for student, text, lab in students:
        name = {"lab3": "lab3-bulk-copy", "lab4": "lab4-single-tile"}[lab]
        course.submit(student, text, name, f"{lab}.cu")


def grade_two_weeks(course: Course, tmagrade: Tmagrade) -> str:
    hand_in_again(course, ("ada", "", "lab3"), ("ben", "pipeline any fail", "lab3"))
    grade(tmagrade, course, "--labs", "lab3")
    time.sleep(1)  # a grading's times are whole seconds, and these two are not to have the same
    hand_in_again(course, ("ada", "", "lab4"), ("eve", "", "lab4"))
    return grade(tmagrade, course, "--labs", "lab4")


@pytest.fixture(scope="module")
def of_two_weeks() -> Iterator[Graded]:
    with graded_once(grade_two_weeks) as graded:
        yield graded


@pytest.fixture
def two_weeks(course: Course, of_two_weeks: Graded) -> str:
    """What the second week's grading has printed: ada and ben handed in lab 3, then ada and eve lab 4."""
    of_two_weeks.lay_into(course)
    return of_two_weeks.printed


def test_another_labs_grades_and_other_students_stay(course: Course, two_weeks: str) -> None:
    assert scores(course) == {"ada": {"lab3": 75, "lab4": 100}, "ben": {"lab3": 25}, "eve": {"lab4": 100}}
    header, *rows = (course.repository.grades / "grades.csv").read_text().splitlines()
    assert "lab3-bulk-copy,lab4-single-tile,total,max,pending" in header
    assert [row.split(",")[0] for row in rows] == ["ada", "ben", "eve"]
    assert (course.repository.grades / "ben/feedback.md").exists()


def test_what_is_left_is_said(two_weeks: str) -> None:
    assert "left as it was: lab3-bulk-copy of ada, ben\n" in two_weeks


def test_last_weeks_score_is_explained_by_its_own_grading(course: Course, tmagrade: Tmagrade, two_weeks: str) -> None:
    first = grades(course)["students"][1]["labs"][0]["graded"]
    assert first["finished"] <= grades(course)["started"]
    status, printed = tmagrade("explain", "ben", "lab3", "--grades", course.repository.grades)
    assert status == 0
    assert f"graded {first['finished'][:16].replace('T', ' ')} UTC" in printed


def test_what_is_replaced_is_said_with_what_it_was_and_why(course: Course, tmagrade: Tmagrade) -> None:
    hand_in_again(course, ("ada", "", "lab3"), ("ben", "pipeline any fail", "lab3"))
    grade(tmagrade, course)
    hand_in_again(course, ("ada", "", "lab3"), ("ben", "", "lab3"))
    printed = grade(tmagrade, course)
    assert "replaced, where the score is another one than before:\n" in printed
    assert "  ben, lab3-bulk-copy: 25/75 +25 pending before, 75/75 +25 pending now\n" in printed
    assert "    pipeline: fail, 0 of 40 before; pass, 40 of 40 now\n" in printed
    assert "  ada," not in printed


def test_a_fault_of_the_grader_takes_no_scores_place(course: Course, tmagrade: Tmagrade) -> None:
    hand_in_again(course, ("ada", "", "lab3"))
    grade(tmagrade, course)
    hand_in_again(course, ("ada", "judge dies", "lab3"))
    status, printed = tmagrade("grade", "--submissions", course.handed_in, "--output", course.repository.grades)
    assert status == 3
    assert "the old score stands, since the grader failed: lab3-bulk-copy of ada\n" in printed
    assert scores(course) == {"ada": {"lab3": 75}}


def test_a_hand_in_that_could_not_be_read_is_a_fault_of_all_labs_until_it_is_read() -> None:
    lab3, lab4 = (lab for lab in load_labs(HERE.labs) if lab.id[:4] in ("lab3", "lab4"))
    unread = tuple(LabResult(lab, (PartResult("all", GRADER_FAULT, 0, 75, "cannot be read"),)) for lab in (lab3, lab4))
    before = Grades(FACTS, (lab3, lab4), (Student("ada", unread),))
    read = LabResult(lab3, (PartResult("all", "pass", 75, 75),), hand_in="a digest")
    now = merged(before, [Student("ada", (read,))], [lab3, lab4], FACTS)
    assert [student.labs for student in now.grades.students] == [(read,)]
    assert merged(before, [Student("ada", (read,))], [lab3], FACTS).left == (("ada", lab4.id),)


def test_a_score_keeps_the_rules_that_it_was_given_by(course: Course, tmagrade: Tmagrade) -> None:
    hand_in_again(course, ("ada", "", "lab3"))
    grade(tmagrade, course)
    toml = course.repository.labs / "lab3-bulk-copy/lab.toml"
    toml.write_text(toml.read_text().replace("hygiene = 15", "hygiene = 30"))
    hand_in_again(course, ("ben", "", "lab3"))
    printed = grade(tmagrade, course)
    assert "by other rules than lab.toml has now, until graded again: lab3-bulk-copy of ada\n" in printed
    assert scores(course) == {"ada": {"lab3": 75}, "ben": {"lab3": 90}}
    assert "15 / 60 = 15" in tmagrade("explain", "ada", "lab3", "--grades", course.repository.grades)[1]


def test_grades_that_cannot_be_read_are_kept_aside(course: Course, tmagrade: Tmagrade) -> None:
    course.repository.grades.mkdir()
    (course.repository.grades / "grades.json").write_text("not JSON")
    hand_in_again(course, ("ada", "", "lab3"))
    printed = grade(tmagrade, course)
    assert "unreadable-1-grades.json" in printed
    assert (course.repository.grades / "unreadable-1-grades.json").read_text() == "not JSON"


def test_grades_are_for_their_owner_and_group_alone(course: Course, two_weeks: str) -> None:
    places = [course.repository.grades, *course.repository.grades.rglob("*")]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in places}
    assert {str(path): oct(mode) for path, mode in modes.items() if path.is_dir() and mode != 0o750} == {}
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o640}


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
def test_all_that_is_kept_of_students_is_for_the_same(
    course: Course, tmagrade: Tmagrade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Handed in as an archive, so that it is unpacked; built, judged, and graded."""
    archive = tmp_path / "class.zip"
    make_zip(archive, {"ada/lab3-bulk-copy/lab3.cu": "", "bo/lab3-bulk-copy/lab3.cu": "one-tile any fail"})
    status, printed = tmagrade("grade", "--submissions", archive, "--output", course.repository.grades)
    assert status == 0, printed
    state = course.repository.state
    kept = [path for name in ("grades", "libraries", "records", "submissions") for path in (state / name).rglob("*")]
    assert {path.relative_to(state).parts[0] for path in kept} == {"grades", "libraries", "records", "submissions"}
    wanted = {str(path.relative_to(state)): oct(0o750 if path.is_dir() else 0o640) for path in kept}
    assert {str(path.relative_to(state)): oct(stat.S_IMODE(path.stat().st_mode)) for path in kept} == wanted


def test_a_folder_of_the_users_own_keeps_its_mode(course: Course, tmagrade: Tmagrade, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    mine.chmod(0o755)
    hand_in_again(course, ("ada", "", "lab3"))
    tmagrade("grade", "--submissions", course.handed_in, "--output", mine)
    assert stat.S_IMODE(mine.stat().st_mode) == 0o755


def test_without_an_output_a_class_has_grades_apart_from_the_sample_classes(course: Course, tmagrade: Tmagrade) -> None:
    hand_in_again(course, ("ada", "", "lab3"))
    assert tmagrade("grade", "--submissions", course.handed_in)[0] == 0
    assert scores(course) == {"ada": {"lab3": 75}}
    assert not course.repository.sample_grades.exists()


# tmagrade forget


def forget(tmagrade: Tmagrade, course: Course, *arguments: object) -> tuple[int, str]:
    return tmagrade("forget", "--grades", course.repository.grades, *arguments)


def test_where_nobody_can_be_asked_nothing_is_removed(course: Course, tmagrade: Tmagrade, two_weeks: str) -> None:
    before = scores(course)
    status, printed = forget(tmagrade, course, "--labs", "lab3")
    assert status == 2
    assert "lab3-bulk-copy of ada, ben" in printed and "Nothing was done" in printed
    assert "--yes (make forget ... YES=yes)" in printed
    assert scores(course) == before


def test_a_labs_scores_are_removed(course: Course, tmagrade: Tmagrade, two_weeks: str) -> None:
    assert forget(tmagrade, course, "--labs", "lab3", "--yes")[0] == 0
    assert scores(course) == {"ada": {"lab4": 100}, "eve": {"lab4": 100}}
    assert "lab3" not in (course.repository.grades / "grades.csv").read_text()
    assert not (course.repository.grades / "ben").exists()


def test_a_student_is_removed(course: Course, tmagrade: Tmagrade, two_weeks: str) -> None:
    assert forget(tmagrade, course, "--student", "ada", "--yes")[0] == 0
    assert set(scores(course)) == {"ben", "eve"}
    assert "ada" not in (course.repository.grades / "report.html").read_text()


def test_several_students_are_removed_at_once(course: Course, tmagrade: Tmagrade, two_weeks: str) -> None:
    assert forget(tmagrade, course, "--student", "ada, eve", "--yes")[0] == 0
    assert set(scores(course)) == {"ben"}


@pytest.mark.parametrize("given", ["ad", "ben,ad", "ADA"])
def test_a_part_of_a_name_removes_nobody(course: Course, tmagrade: Tmagrade, two_weeks: str, given: str) -> None:
    before = scores(course)
    status, printed = forget(tmagrade, course, "--student", given, "--yes")
    assert status == 2
    assert "nobody's whole name; 'ada' is the one that it fits" in printed
    assert scores(course) == before


def test_everything_is_removed(course: Course, tmagrade: Tmagrade, two_weeks: str) -> None:
    assert forget(tmagrade, course, "--all", "--yes")[0] == 0
    assert not course.repository.grades.exists() and not course.repository.records.exists()


@pytest.mark.parametrize("arguments", [[], ["--all", "--student", "ada"], ["--labs", "lab7"]])
def test_what_is_meant_must_be_clear(course: Course, tmagrade: Tmagrade, two_weeks: str, arguments: list[str]) -> None:
    assert forget(tmagrade, course, *arguments, "--yes")[0] == 2
