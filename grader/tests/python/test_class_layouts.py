"""The ways in which a class comes to the grader: folders, archives and links."""

import contextlib
import tarfile
from pathlib import Path

import pytest
from archive_maker import make_tar, make_zip, tar_entry
from conftest import Course
from handed_in_class import find, names, one, staged

from staff.platforms.find import Layout
from tmagrade.basics.errors import UsageError
from tmagrade.submissions.staging import stage


@pytest.mark.parametrize("top", ["", "lab3-bulk-copy/", "jane/lab3-bulk-copy/", "jane/"])
@pytest.mark.parametrize("name", ["jane.zip", "jane.tar.gz", "jane.tgz", "jane.tar"])
def test_a_student_may_hand_in_an_archive(course: Course, tmp_path: Path, name: str, top: str) -> None:
    make = make_zip if name.endswith(".zip") else make_tar
    make(course.handed_in / name, {f"{top}lab3.cu": "kernel", f"{top}inc/add.cuh": "add", "__MACOSX/._x": ""})
    submission = one(course)
    assert (submission.student, submission.lab.id) == ("jane", "lab3-bulk-copy")
    assert staged(submission, tmp_path) == {"lab3.cu": "kernel", "inc/add.cuh": "add"}


@pytest.mark.parametrize("place", ["jane/lab3.zip", "jane/lab3-bulk-copy/homework.zip", "jane/lab3-bulk-copy.tar"])
def test_an_archive_may_hold_one_of_a_students_labs(course: Course, tmp_path: Path, place: str) -> None:
    make = make_tar if place.endswith(".tar") else make_zip
    make(course.handed_in / place, {"kernel.cu": "kernel"})
    assert staged(one(course), tmp_path) == {"kernel.cu": "kernel"}


def test_an_archive_within_an_archive_is_not_opened(course: Course, tmp_path: Path) -> None:
    inner = make_zip(tmp_path / "lab3.zip", {"lab3.cu": ""})
    make_zip(course.handed_in / "jane.zip", {"lab3.zip": inner.read_bytes()})
    assert one(course).problem == "lab3.zip is an archive within an archive, which is not opened"


def test_the_class_may_be_an_archive_itself(course: Course, tmp_path: Path) -> None:
    jane = make_zip(tmp_path / "jane.zip", {"lab3.cu": "hers"})
    files: dict[str, str | bytes] = {
        "fall/jane.zip": jane.read_bytes(),
        "fall/ben/lab3-bulk-copy/lab3.cu": "his",
        "__MACOSX/x": "",
    }
    packed = make_zip(tmp_path / "class.zip", files)
    found = find(course, packed / "fall")
    assert names(found) == [("ben", "lab3"), ("jane", "lab3")]
    assert staged(found.submissions[1], tmp_path) == {"lab3.cu": "hers"}
    with pytest.raises(UsageError, match=r"fall is alone in .*class.zip.*SUBMISSIONS=.*class.zip/fall"):
        find(course, packed)
    with pytest.raises(UsageError, match="no such folder is in the archive"):
        find(course, packed / "spring")


def test_nothing_is_written_into_the_folder_that_was_handed_over(course: Course) -> None:
    make_zip(course.handed_in / "jane.zip", {"lab3.cu": ""})
    course.submit("ben", "")
    before = sorted(course.handed_in.rglob("*"))
    assert len(find(course).submissions) == 2
    assert sorted(course.handed_in.rglob("*")) == before


def test_what_was_unpacked_once_is_not_unpacked_again(course: Course) -> None:
    make_zip(course.handed_in / "jane.zip", {"lab3.cu": ""})
    first = one(course).folder
    times = [path.stat().st_mtime_ns for path in sorted(course.repository.unpacked.rglob("*"))]
    assert one(course).folder == first
    assert [path.stat().st_mtime_ns for path in sorted(course.repository.unpacked.rglob("*"))] == times


def test_a_damaged_archive_costs_only_its_student(course: Course) -> None:
    (course.handed_in / "jane.zip").write_bytes(b"PK and then nothing")
    course.submit("ben", "")
    built = {job.submission.student: job.work.built for job in course.grade(*find(course, labs=slice(1)).submissions)}
    assert built["ben"] is not None and built["ben"].library is not None
    assert built["jane"] is not None and built["jane"].verdict == "build error"
    assert built["jane"].message.startswith("jane.zip: the archive is damaged: ")


def test_a_damaged_archive_costs_only_the_lab_that_it_names(course: Course) -> None:
    course.submit("jane", "", "lab4-single-tile", "lab4.cu")
    (course.handed_in / "jane/lab3.zip").write_bytes(b"PK")
    found = find(course).submissions
    assert [(one.lab.id, one.problem[:30]) for one in found] == [
        ("lab3-bulk-copy", "lab3.zip: the archive is damag"),
        ("lab4-single-tile", ""),
    ]


def test_an_archive_that_may_have_held_any_lab_costs_all_that_were_asked_for(course: Course) -> None:
    (course.handed_in / "jane.rar").write_bytes(b"Rar!")
    assert names(find(course)) == [("jane", "lab3"), ("jane", "lab4")]
    assert one(course, labs=slice(1)).problem.startswith("jane.rar: this is neither a .zip nor a .tar.gz file")


def test_an_archive_that_cannot_be_opened_costs_nothing_beside_what_was_handed_in_openly(
    course: Course, tmp_path: Path
) -> None:
    (course.handed_in / "jane").mkdir()
    (course.handed_in / "jane/notes.rar").write_bytes(b"Rar!")
    (course.handed_in / "jane/kernel.cu").write_text("kernel")
    assert staged(one(course, labs=slice(1)), tmp_path)["kernel.cu"] == "kernel"


def test_links_in_an_archive_are_said_and_do_not_reach_the_compiler(course: Course, tmp_path: Path) -> None:
    make_tar(course.handed_in / "jane.tgz", {"lab3.cu": ""}, tar_entry("key.cu", tarfile.SYMTYPE, "/etc/passwd"))
    found = find(course)
    assert found.ignored == ["jane.tgz/key.cu: a link"]
    assert staged(found.submissions[0], tmp_path) == {"lab3.cu": ""}


def test_students_that_are_links_are_said_and_left_out(course: Course) -> None:
    course.submit("ben", "")
    (course.handed_in / "jane").symlink_to(course.repository.root)
    found = find(course)
    assert (names(found), found.ignored) == ([("ben", "lab3")], ["jane: a link"])


def test_one_lab_may_be_a_bare_file_without_a_labs_name_where_one_lab_is_asked_for(
    course: Course, tmp_path: Path
) -> None:
    (course.handed_in / "jane").mkdir()
    (course.handed_in / "jane/kernel.cu").write_text("kernel")
    assert staged(one(course, labs=slice(1)), tmp_path) == {"kernel.cu": "kernel"}
    with pytest.raises(UsageError, match=r"ignored jane/kernel\.cu: no lab has this name"):
        find(course)


def test_two_labs_side_by_side_are_taken_apart(course: Course, tmp_path: Path) -> None:
    make_zip(course.handed_in / "jane.zip", {"lab3.cu": "three", "lab4.cu": "four", "both.cuh": "both"})
    lab3, lab4 = find(course).submissions
    assert staged(lab3, tmp_path) == {"lab3.cu": "three", "both.cuh": "both"}
    assert staged(lab4, tmp_path) == {"lab4.cu": "four", "both.cuh": "both"}


def test_a_folder_counts_before_the_archive_of_the_same_student(course: Course, tmp_path: Path) -> None:
    course.submit("jane", "folder")
    make_zip(course.handed_in / "jane.zip", {"lab3.cu": "zip", "lab4.cu": "zip"})
    found = find(course)
    assert names(found) == [("jane", "lab3"), ("jane", "lab4")]
    assert staged(found.submissions[0], tmp_path) == {"lab3.cu": "folder"}
    assert found.ignored == ["jane.zip: lab3-bulk-copy is taken from jane"]


@pytest.mark.parametrize("name", ["class", "class.zip"])
def test_the_class_may_be_behind_links(course: Course, tmp_path: Path, name: str) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    (tmp_path / "disk/real").mkdir()
    (tmp_path / "disk/real/doejane_12345_101_lab3.cu").write_text("hers")
    make_zip(tmp_path / "disk/real.zip", {"jane/lab3.cu": "hers", "ben/lab3.cu": "his"})
    (tmp_path / "disk" / name).symlink_to(tmp_path / "disk" / name.replace("class", "real"))
    found = find(course, tmp_path / "link" / name).submissions
    assert staged(found[-1], tmp_path) == {"lab3.cu": "hers"}


def test_a_students_own_folder_is_not_taken_for_a_class(course: Course) -> None:
    folder = course.submit("jane", "").folder.parent
    with pytest.raises(UsageError, match="lab3-bulk-copy: this is a lab's name, where a student's folder or archive"):
        find(course, folder)


def test_names_that_would_steer_a_terminal_are_written_out(course: Course) -> None:
    course.submit("jane\x1b[2J", "")
    (course.handed_in / "jane\x1b[2J/\x1b[31m.cu").touch()
    (course.handed_in / "\x1b[31mnotes").touch()
    found = find(course)
    assert [submission.student for submission in found.submissions] == ["jane__2J"]
    assert len(found.ignored) == 2
    assert all(line.isprintable() for line in found.ignored)


@pytest.mark.parametrize(
    "files",
    [
        {"bob/lab3/lab3.cu": "forged"},
        {"lab3/lab3.cu": "her own", "bob/lab3/lab3.cu": "forged", "eve.zip": b"PK"},
        {"handin/lab3.cu": "her own"},
        {
            "submission_metadata.yml": "submission_1:\n  :submitters:\n  - :name: bob\n",
            "submission_1/lab3.cu": "forged",
        },
        {"bob_12_345_lab3.cu": "forged", "eve_13_346_lab3.cu": "forged"},
    ],
    ids=lambda files: next(iter(files)),
)
@pytest.mark.parametrize("layout", [None, Layout.PLAIN])
def test_a_student_who_is_a_class_of_one_is_nobody_else(
    course: Course, files: dict[str, str | bytes], layout: Layout | None
) -> None:
    for name, text in files.items():
        path = course.handed_in / "ada" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        found = find(course, labs=slice(1), layout=layout).submissions
    except UsageError as error:
        assert layout is None and "--layout plain" in str(error)
    else:
        assert [submission.student for submission in found] == ["ada"]


def test_an_archive_of_one_student_names_nobody_either(course: Course, tmp_path: Path) -> None:
    packed = make_zip(tmp_path / "class.zip", {"ada/bob/lab3/lab3.cu": "forged", "ada/eve/lab3/lab3.cu": "forged"})
    with pytest.raises(UsageError, match="--layout plain"):
        find(course, packed)
    assert {one.student for one in find(course, packed, layout=Layout.PLAIN).submissions} == {"ada"}


DOWNLOADS: dict[str, dict[str, str | bytes]] = {
    "canvas": {"doejane_12345_101_lab3.cu": "", "roeben_12346_102_lab3.cu": ""},
    "moodle": {"Ada L_901_assignsubmission_file/lab3.cu": "", "Ben B_902_assignsubmission_file/lab3.cu": ""},
    "gradescope": {"export/submission_metadata.yml": "", "export/submission_1/lab3.cu": ""},
}


@pytest.mark.parametrize("platform", DOWNLOADS)
def test_the_folder_of_all_weeks_downloads_is_no_class(course: Course, platform: str) -> None:
    for lab in ("lab3", "lab4", "lab13"):
        make_zip(course.handed_in / f"{lab}-{platform}.zip", DOWNLOADS[platform])
    with pytest.raises(UsageError, match=f"give the one that is meant: SUBMISSIONS=.*/lab3-{platform}.zip"):
        find(course, labs=slice(1))
    with contextlib.suppress(UsageError):
        find(course, labs=slice(1), layout=Layout.PLAIN)


def test_nor_is_it_where_they_are_unpacked(course: Course) -> None:
    for week in ("week 1", "week 2"):
        for name in DOWNLOADS["moodle"]:
            path = course.handed_in / week / name
            path.parent.mkdir(parents=True)
            path.touch()
    with pytest.raises(UsageError, match="each of a whole class: week 1, week 2; give the one that is meant"):
        find(course)


def test_a_few_students_whose_archives_look_like_downloads_stop_nobodys_grading(course: Course) -> None:
    for student in ("ada", "ben"):
        make_zip(course.handed_in / f"{student}.zip", DOWNLOADS["canvas"])
    for student in ("cy", "eve", "flo"):
        make_zip(course.handed_in / f"{student}.zip", {"lab3/lab3.cu": ""})
    assert {"cy", "eve", "flo"} <= {submission.student for submission in find(course).submissions}


def test_a_lone_students_folder_within_a_folder_is_that_students(course: Course, tmp_path: Path) -> None:
    path = course.handed_in / "ada/handin/lab3.cu"
    path.parent.mkdir(parents=True)
    path.write_text("hers")
    submission = one(course)
    assert submission.student == "ada"
    assert staged(submission, tmp_path) == {"lab3.cu": "hers"}


@pytest.mark.parametrize("layout", [Layout.CANVAS, Layout.GRADESCOPE])
def test_a_layout_that_the_class_has_not_is_an_error(course: Course, layout: Layout) -> None:
    course.submit("ada", "")
    with pytest.raises(UsageError):
        find(course, layout=layout)


def test_a_download_from_canvas_may_be_in_a_folder_where_the_layout_is_given(course: Course) -> None:
    for name in ("doejane_12345_101_lab3.cu", "roeben_12346_102_lab3.cu"):
        path = course.handed_in / "downloads" / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    with pytest.raises(UsageError, match="--layout canvas"):
        find(course)
    assert [name for name, _ in names(find(course, layout=Layout.CANVAS))] == ["doejane_12345", "roeben_12346"]


@pytest.mark.parametrize("name", ["LAB3.CU", "Lab3.CU", "LAB3/KERNEL.CU", "Lab3-Bulk-Copy/lab3.Cu"])
def test_small_and_capital_letters_are_the_same(course: Course, tmp_path: Path, name: str) -> None:
    path = course.handed_in / "jane" / name
    path.parent.mkdir(parents=True)
    path.write_text("hers")
    course.submit("ben", "")
    submission = next(found for found in find(course).submissions if found.student == "jane")
    assert submission.lab.id == "lab3-bulk-copy"
    assert stage(submission.folder, tmp_path / "stage") == [Path(name).name]
