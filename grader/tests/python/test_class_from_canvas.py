"""A class as Canvas lets one download it."""

from pathlib import Path

import pytest
from archive_maker import make_zip
from conftest import Course
from handed_in_class import find, one, staged


def test_a_download_from_canvas_is_taken_apart_by_student(course: Course, tmp_path: Path) -> None:
    packed = make_zip(tmp_path / "packed.zip", {"lab3-bulk-copy/lab3.cu": "packed"}).read_bytes()
    files: dict[str, str | bytes] = {
        "doejane_12345_678901_lab3.zip": packed,
        "roeben_LATE_12346_678902_lab3.cu": "late",
        "anon_Xy12z_678903_lab3.cu": "nameless",
        "müllerzoë_12348_678904_lab3.cu": "zoë",
        "poemax_12347_text.html": "",
    }
    found = find(course, make_zip(tmp_path / "submissions.zip", files))
    texts = {submission.student: staged(submission, tmp_path)["lab3.cu"] for submission in found.submissions}
    expected = {"doejane_12345": "packed", "roeben_12346": "late", "anon_Xy12z": "nameless", "müllerzoë_12348": "zoë"}
    assert texts == expected
    assert found.ignored == ["poemax_12347_text.html: an entry of text, no file"]


def test_a_download_from_canvas_may_be_unpacked_already(course: Course, tmp_path: Path) -> None:
    (course.handed_in / "doejane_12345_678901_lab3.cu").write_text("kernel")
    (course.handed_in / "doejane_12345_678902_add.cuh").write_text("add")
    assert staged(one(course), tmp_path) == {"lab3.cu": "kernel", "add.cuh": "add"}


def test_of_two_hand_ins_in_canvas_the_newer_counts(course: Course, tmp_path: Path) -> None:
    (course.handed_in / "doejane_12345_99_lab3.cu").write_text("old")
    (course.handed_in / "doejane_12345_101_lab3-1.cu").write_text("new")
    (course.handed_in / "doejane_12345_102_add-1.cuh").write_text("add")
    found = find(course)
    files = staged(found.submissions[0], tmp_path)
    assert (files["lab3-1.cu"], files["add.cuh"]) == ("new", "add")
    assert "lab3.cu" not in files
    assert found.ignored == ["doejane_12345/lab3.cu: lab3-1.cu is newer and counts"]


def test_of_two_archives_in_canvas_the_newer_counts(course: Course, tmp_path: Path) -> None:
    make_zip(course.handed_in / "doejane_12345_99_lab3.zip", {"lab3.cu": "old"})
    make_zip(course.handed_in / "doejane_12345_101_lab3-1.zip", {"lab3.cu": "new"})
    assert staged(one(course), tmp_path) == {"lab3.cu": "new"}


@pytest.mark.parametrize("attacker", ["ada_77_88_1002", "ada_77_1500__88_1002", "ada_77_LATE_88_1002"])
def test_in_canvas_nobody_adds_to_a_classmates_files_by_a_name_that_ends_as_hers(
    course: Course, tmp_path: Path, attacker: str
) -> None:
    """A student with the number 88 who calls himself ada_77, or ada_77_1-500_, from which Canvas takes the hyphen."""
    (course.handed_in / "ada_77_1001_lab3.cu").write_text("hers")
    (course.handed_in / f"{attacker}_lab3.cu").write_text("#error")
    found = find(course, labs=slice(1))
    assert staged(found.submissions[0], tmp_path) == {"lab3.cu": "hers"}
    assert found.submissions[0].student == "ada_77"
    assert len(found.submissions) + len(found.ignored) == 2


def test_in_canvas_a_file_may_begin_with_a_number(course: Course, tmp_path: Path) -> None:
    for name in ("1001_12345678_lab3.cu", "1002_12345678_add.cuh"):
        (course.handed_in / f"doejane_12345_{name}").write_text(name)
    submission = one(course, labs=slice(1))
    assert submission.student == "doejane_12345"
    assert set(staged(submission, tmp_path)) == {"12345678_lab3.cu", "12345678_add.cuh"}


@pytest.mark.parametrize("name", ["..", ".", "...zip", "..zip"])
def test_no_name_of_a_file_in_canvas_leads_out_of_its_folder(course: Course, tmp_path: Path, name: str) -> None:
    """`...zip` is an archive whose folder would be called `..`."""
    packed = make_zip(tmp_path / "packed.zip", {"left-out.json/x.cu": "evil", "contents": "evil"})
    (course.handed_in / f"doejane_12345_99_{name}").write_bytes(packed.read_bytes())
    (course.handed_in / "doejane_12345_100_kernel.cu").write_text("kernel")
    assert staged(one(course, labs=slice(1)), tmp_path) == {"kernel.cu": "kernel"}


def test_in_canvas_no_student_is_given_the_files_of_others(course: Course, tmp_path: Path) -> None:
    (course.handed_in / "doejane_12345_99_lab3.cu").write_text("hers")
    (course.handed_in / "roeben_12346_100_report.pdf").write_text("his")
    jane, ben = find(course, labs=slice(1)).submissions
    assert staged(jane, tmp_path) == {"lab3.cu": "hers"}
    assert staged(ben, tmp_path) == {"report.pdf": "his"}
