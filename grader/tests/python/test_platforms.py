"""How Moodle and GitHub lay a class out, and when each hand-in was handed in."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from archive_maker import make_zip
from conftest import Course

from staff.platforms.find import Found, Layout, find_submissions
from tmagrade.basics.errors import UsageError

MARCH = datetime(2026, 3, 1, 12, tzinfo=UTC)


def put(course: Course, name: str, text: str = "") -> Path:
    path = course.handed_in / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (MARCH.timestamp(), MARCH.timestamp()))
    return path


def find(course: Course, layout: Layout | None = None, prefix: str | None = None) -> Found:
    labs = course.labs[:1]
    return find_submissions(course.handed_in, course.labs, labs, course.repository.unpacked, layout, prefix)


def names(found: Found) -> list[str]:
    return [one.student for one in found.submissions]


# Moodle


@pytest.mark.parametrize("behind", ["", "_"])
def test_moodles_folders_are_students(course: Course, behind: str) -> None:
    put(course, f"Ada Lovelace_101_assignsubmission_file{behind}/lab3.cu", "// hers")
    put(course, f"Ben Ö. Bell_102_assignsubmission_file{behind}/src/lab3.cu", "// his")
    found = find(course)
    assert names(found) == ["Ada_Lovelace_101", "Ben_Ö._Bell_102"]
    assert found.ignored == []


def test_participants_whom_moodle_hides_are_students_by_their_numbers(course: Course) -> None:
    for number in (101, 102):
        put(course, f"Participant_{number}_assignsubmission_file/lab3.cu", f"// of {number}")
    assert names(find(course)) == ["Participant_101", "Participant_102"]


def test_moodles_flat_files_are_students(course: Course) -> None:
    put(course, "Ada Lovelace_101_assignsubmission_file_lab3.cu", "// hers")
    put(course, "Ada Lovelace_101_assignsubmission_file_my_helpers.cuh", "// hers, too")
    make_zip(course.handed_in / "Ben Bell_102_assignsubmission_file_lab3_final.zip", {"lab3.cu": "// his"})
    found = find(course)
    assert names(found) == ["Ada_Lovelace_101", "Ben_Bell_102"]
    assert sorted(path.name for path in found.submissions[0].folder.iterdir()) == ["lab3.cu", "my_helpers.cuh"]


@pytest.mark.parametrize("text", ["_onlinetext/onlinetext.html", "_onlinetext_onlinetext.html"])
def test_a_text_typed_into_moodle_is_nobody(course: Course, text: str) -> None:
    put(course, "Ada Lovelace_101_assignsubmission_file/lab3.cu")
    put(course, f"Ben Bell_102_assignsubmission{text}")
    found = find(course)
    assert names(found) == ["Ada_Lovelace_101"]
    assert [line.split(": ")[1] for line in found.ignored] == ["a text typed into Moodle"]


def test_no_file_of_a_students_names_another(course: Course) -> None:
    put(course, "Ada Lovelace_101_assignsubmission_file_Ben Bell_102_assignsubmission_file_lab3.cu")
    assert names(find(course)) == ["Ada_Lovelace_101"]


def test_moodles_files_have_the_time_of_the_hand_in(course: Course) -> None:
    put(course, "Ada Lovelace_101_assignsubmission_file/lab3.cu")
    [submission] = find(course).submissions
    assert submission.time is not None
    assert (submission.time.at, submission.time.source) == (MARCH, "moodle")


# GitHub


def clone(course: Course, name: str, text: str = "") -> Path:
    path = put(course, f"{name}/lab3.cu", text)
    git = ["git", "-C", str(path.parent), "-c", "user.name=a", "-c", "user.email=a@b"]
    environment = os.environ | {"GIT_COMMITTER_DATE": MARCH.isoformat(), "GIT_AUTHOR_DATE": MARCH.isoformat()}
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "lab 3"]):
        subprocess.run([*git, *words], check=True, env=environment)
    return path.parent


def test_clones_are_named_by_login(course: Course) -> None:
    for login in ("ada", "ben-bell"):
        clone(course, f"lab3-bulk-copy-{login}")
    assert names(find(course)) == ["ada", "ben-bell"]


def test_a_prefix_of_the_courses_own_is_said(course: Course) -> None:
    clone(course, "week-3-ada")
    clone(course, "week-3-ben")
    put(course, "notes.txt")
    found = find(course, prefix="week-3-")
    assert names(found) == ["ada", "ben"]
    assert found.ignored == ["notes.txt: no clone"]


def test_clones_without_a_prefix_that_is_known_are_asked_about(course: Course) -> None:
    clone(course, "week-3-ada")
    with pytest.raises(UsageError, match="PREFIX"):
        find(course, Layout.GITHUB)


def test_a_commit_has_the_time_of_the_hand_in(course: Course) -> None:
    clone(course, "lab3-ada")
    [submission] = find(course).submissions
    assert submission.time is not None
    assert (submission.time.at, submission.time.source) == (MARCH, "git")


def test_settings_of_a_clone_start_no_program(course: Course, tmp_path: Path) -> None:
    folder = clone(course, "lab3-ada")
    with (folder / ".git/config").open("a") as config:
        config.write(f'[core]\n\tfsmonitor = "touch {tmp_path}/written"\n\tpager = "touch {tmp_path}/written"\n')
    [submission] = find(course).submissions
    assert submission.time is not None and submission.time.at == MARCH
    assert not (tmp_path / "written").exists()


# Canvas and Gradescope


@pytest.mark.parametrize(("name", "is_late"), [("doeada_LATE_1_11_lab3.cu", True), ("doeada_1_11_lab3.cu", False)])
def test_canvas_says_who_was_late(course: Course, name: str, is_late: bool) -> None:
    put(course, name)
    [submission] = find(course, Layout.CANVAS).submissions
    assert submission.time is not None
    assert (submission.student, submission.time.is_late, submission.time.at) == ("doeada_1", is_late, None)


def test_gradescope_says_when(course: Course) -> None:
    put(course, "submission_1/lab3.cu")
    about = "submission_1:\n  :submitters:\n  - :email: ada@a.edu\n  :created_at: 2026-03-01 12:00:00 Z\n"
    put(course, "submission_metadata.yml", about)
    [submission] = find(course).submissions
    assert submission.time is not None
    assert (submission.time.at, submission.time.source) == (MARCH, "gradescope")


def test_a_file_in_an_archive_keeps_its_time(course: Course) -> None:
    path = make_zip(course.handed_in / "ada.zip", {"lab3.cu": ""})
    assert path.exists()
    [submission] = find(course).submissions
    assert submission.time is not None and submission.time.source == "file"
