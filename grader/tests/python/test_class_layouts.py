"""The ways in which a class comes to the grader: folders, archives, downloads from Canvas and Gradescope."""

import contextlib
import os
import re
import shutil
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from archive_maker import make_tar, make_zip, tar_entry
from conftest import Course

from staff.collecting.unpacked import Store
from staff.platforms.find import Found, Layout, find_submissions
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.submissions.staging import stage
from tmagrade.submissions.submission import Submission


def find(course: Course, given: Path | None = None, labs: slice = slice(None), layout: Layout | None = None) -> Found:
    unpacked = course.repository.unpacked
    return find_submissions(given or course.handed_in, course.labs, course.labs[labs], unpacked, layout)


def one(course: Course, given: Path | None = None, labs: slice = slice(None)) -> Submission:
    (submission,) = find(course, given, labs).submissions
    return submission


def names(found: Found) -> list[tuple[str, str]]:
    return [(submission.student, submission.lab.id.split("-")[0]) for submission in found.submissions]


def staged(submission: Submission, tmp_path: Path) -> dict[str, str]:
    """What reaches the compiler."""
    assert submission.problem == ""
    stage(submission.folder, tmp_path / "stage")
    files = {
        str(path.relative_to(tmp_path / "stage")): path.read_text()
        for path in (tmp_path / "stage").rglob("*")
        if path.is_file()
    }
    del files["submission.cuh"]
    return files


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


def test_too_many_files_cost_only_their_student(course: Course) -> None:
    course.submit("ben", "")
    for index in range(2100):
        path = course.handed_in / "jane" / "lab3-bulk-copy" / f"{index}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    problems = {submission.student: submission.problem for submission in find(course, labs=slice(1)).submissions}
    assert problems == {"ben": "", "jane": "more than 2000 files and folders were handed in"}


def test_a_folder_that_cannot_be_read_costs_no_points(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    shut = course.submit("jane", "").folder.parent
    scandir = os.scandir

    def refuse(path: Path | int) -> Iterator[os.DirEntry[str]]:
        if path in (shut, str(shut)):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr("os.scandir", refuse)
    (job,) = course.grade(one(course, labs=slice(1)))
    assert job.fault is not None and job.fault.endswith("cannot be read: Permission denied")


def refuse_to_open(monkeypatch: pytest.MonkeyPatch, shut: Path) -> None:
    """As the system does where an archive said that nobody may read a file; the superuser reads it all the same."""
    opened = Path.open

    def refuse(path: Path, *arguments: Any, **options: Any) -> Any:
        if path == shut:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *arguments, **options)

    opened_below = os.open

    def refuse_below(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
        if path == shut.name and "dir_fd" in options:
            raise PermissionError(13, "Permission denied", path)
        return opened_below(path, flags, *arguments, **options)

    monkeypatch.setattr("pathlib.Path.open", refuse)
    monkeypatch.setattr("os.open", refuse_below)


@pytest.mark.parametrize("place", ["lab3-bulk-copy/lab3-2.cu", "lab3-2.cu"])
def test_a_file_that_cannot_be_read_costs_nobody_anything(
    course: Course, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    course.submit("ben", "")
    shut = course.handed_in / "jane" / place
    shut.parent.mkdir(parents=True)
    shut.write_text("kernel")
    refuse_to_open(monkeypatch, shut)
    ben, jane = course.grade(*find(course, labs=slice(1)).submissions)
    assert ben.result().score == 75
    assert jane.fault == f"{shut} cannot be read: Permission denied"


@pytest.mark.parametrize("name", ["lab3.cu", "lab3.zip"])
def test_what_changes_while_it_is_copied_is_nobodys(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Else ben, who hands in the same, would be given what jane had there for a moment."""
    texts = [make_zip(tmp_path / f"{text}.zip", {"lab3.cu": text}).read_bytes() for text in ("hers", "evil")]
    if name == "lab3.cu":
        texts = [b"hers", b"evil"]
    file = course.handed_in / "jane" / name
    file.parent.mkdir()
    file.write_bytes(texts[0])
    made = Store._made

    def made_of_another(store: Store, key: str, make: Any) -> Any:
        file.write_bytes(texts[1])
        return made(store, key, make)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "_made", made_of_another)
        assert one(course, labs=slice(1)).fault == f"{file} cannot be read: it changed meanwhile"
    file.write_bytes(texts[0])
    assert staged(one(course, labs=slice(1)), tmp_path) == {"lab3.cu": "hers"}


def test_a_path_that_cannot_be_copied_costs_only_its_student(course: Course) -> None:
    course.submit("ben", "")
    deep = course.handed_in.joinpath("jane", *(letter * 250 for letter in "abcde"))
    deep.mkdir(parents=True)
    (deep / "deep.cuh").touch()
    (course.handed_in / "jane/lab3.cu").touch()
    problems = {submission.student: submission.problem for submission in find(course, labs=slice(1)).submissions}
    assert problems == {"ben": "", "jane": "a path has more than 1000 bytes"}


def test_folders_so_deep_that_no_path_leads_to_the_innermost_cost_only_their_student(course: Course) -> None:
    jane = course.submit("jane", "").folder
    course.submit("ben", "")
    with contextlib.chdir(jane):
        for _ in range(50):
            Path("d" * 100).mkdir()
            os.chdir("d" * 100)
        Path("x.cuh").touch()
    result = find_submissions(course.handed_in, course.labs, course.labs, course.repository.unpacked)
    problems = {submission.student: submission.problem for submission in result.submissions}
    assert problems == {"ben": "", "jane": "a path has more than 1000 bytes"}
    shutil.rmtree(jane)  # by its own folder's number: no other program would find the way


@pytest.mark.parametrize("place", ["jane/{}", "doejane_12345_{}"])
def test_an_archive_and_a_file_that_would_have_one_name_cost_nobody_anything(
    course: Course, tmp_path: Path, place: str
) -> None:
    for number, name in enumerate(["add.zip", "add", "lab3.cu"], start=101):
        path = course.handed_in / (place.format(name) if "/" in place else place.format(f"{number}_{name}"))
        path.parent.mkdir(exist_ok=True)
        if name == "add.zip":
            make_zip(path, {"add.cuh": "packed"})
        else:
            path.write_text("a file")
    found = find(course, labs=slice(1))
    assert staged(found.submissions[0], tmp_path) == {"lab3.cu": "a file", "add": "a file"}
    assert [line.split("/")[1] for line in found.ignored] == ["add.zip: the file add counts, which is there too"]


@pytest.mark.parametrize("what", ["archives", "links"])
def test_no_number_of_things_that_are_no_files_is_too_much_for_the_disk_or_the_reader(
    course: Course, tmp_path: Path, what: str
) -> None:
    folder = course.submit("jane", "").folder
    packed = make_zip(tmp_path / "packed.zip", {"x": bytes(1 << 20)}).read_bytes()
    for number in range(2100 if what == "links" else 40):
        if what == "links":
            (folder / f"{number}").symlink_to("/")
        else:
            (folder / f"{number}.zip").write_bytes(packed + bytes([number]))
    problem = one(course, labs=slice(1)).problem
    assert re.fullmatch(r"more than (2000 files and folders|32 archives) were handed in", problem)
    assert len(list(course.repository.unpacked.glob("*"))) <= 32


def test_all_archives_of_a_student_together_unpack_to_no_more_than_one_may(course: Course, tmp_path: Path) -> None:
    course.submit("ben", "")
    folder = course.submit("jane", "").folder
    for number in range(8):
        packed = make_zip(tmp_path / "packed.zip", {"x.h": bytes(10 << 20), f"{number}": ""}).read_bytes()
        (folder / f"{number}.zip").write_bytes(packed)
    problems = {submission.student: submission.problem for submission in find(course, labs=slice(1)).submissions}
    assert problems == {"ben": "", "jane": "the archives unpack to more than 64 MiB together"}
    assert sum(path.stat().st_size for path in course.repository.unpacked.rglob("x")) <= 64 << 20


def test_a_class_that_unpacks_to_more_than_there_is_room_for_costs_nobody_points(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("staff.collecting.unpacked.MOST_BYTES", 1 << 20)
    for name in ("ada", "ben", "eve"):
        make_zip(course.handed_in / f"{name}.zip", {"lab3/lab3.cu": name, "lab3/x": bytes(1 << 20)})
    faults = [bool(job.fault) for job in course.grade(*find(course, labs=slice(1)).submissions)]
    assert faults == [False, True, True]


def test_an_almost_full_disk_takes_no_archives(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("staff.collecting.unpacked.FREE_BYTES", 1 << 60)
    make_zip(course.handed_in / "jane.zip", {"lab3/lab3.cu": ""})
    with pytest.raises(GraderFault, match="GiB are free there"):
        find(course)


def test_what_is_ignored_of_one_student_does_not_hide_what_is_of_others(course: Course) -> None:
    folder = course.submit("jane", "").folder
    for number in range(100, 200):
        (folder / f"{number}").symlink_to("/")
    (course.handed_in / "ben").symlink_to("/")
    ignored = find(course).ignored
    assert len(ignored) == 22 and ignored[0] == "ben: a link"
    assert "jane: 80 more" in ignored


def test_a_class_that_cannot_be_read_is_an_error_in_words(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.iterdir", refuse)
    with pytest.raises(UsageError, match="handed-in cannot be read: Permission denied"):
        find(course)


def test_a_disk_that_is_full_is_no_students_mistake(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    make_zip(course.handed_in / "jane.zip", {"lab3/lab3.cu": ""})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("staff.collecting.archives._Unpacking._write", full)
    with pytest.raises(GraderFault, match="No space left on device"):
        find(course)


# Canvas


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


# Gradescope

METADATA = """
submission_1:
  :submitters:
  - :name: Jane Doe
    :sid: '7'
    :email: jane@example.edu
  :created_at: 2026-02-01 10:00:00.000000000 -05:00
  :score: 3.0
submission_2:
  :submitters:
  - :name: Jane Doe
    :email: jane@example.edu
  - :name: Ben Roe
    :sid: '8'
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-02-01 16:00:00.000000000 Z
    zone: !ruby/object:ActiveSupport::TimeZone
      name: America/New_York
submission_3:
  :submitters: []
submission_4:
  :submitters:
  - :name: Ann
"""


@pytest.fixture
def export(tmp_path: Path) -> dict[str, str]:
    top = "assignment_99_export/"
    return {
        f"{top}submission_metadata.yml": METADATA,
        f"{top}submission_1/lab3.cu": "old",
        f"{top}submission_2/lab3-bulk-copy/lab3.cu": "new",
        f"{top}submission_3/lab3.cu": "nobody's",
        f"{top}submission_9/lab3.cu": "nobody's",
    }


def test_an_export_from_gradescope_is_taken_apart_by_student(
    course: Course, tmp_path: Path, export: dict[str, str]
) -> None:
    packed = make_zip(tmp_path / "export.zip", export)
    with pytest.raises(UsageError, match="--layout gradescope"):
        find(course, packed)
    found = find(course, packed, layout=Layout.GRADESCOPE)
    assert names(found) == [("8", "lab3"), ("jane@example.edu", "lab3")]
    assert [staged(submission, tmp_path) for submission in found.submissions] == [{"lab3.cu": "new"}] * 2
    assert found.ignored == [
        "jane@example.edu submission_1: lab3-bulk-copy is taken from jane@example.edu submission_2",
        "submission_3: submission_metadata.yml does not say whose it is",
        "submission_4: submission_metadata.yml speaks of it, but it is not there",
        "submission_9: submission_metadata.yml does not say whose it is",
    ]


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


def alias_bomb(levels: int) -> str:
    lines = ['a0: &a0 ["boom", "boom"]']
    lines += [f"a{level}: &a{level} [*a{level - 1}, *a{level - 1}]" for level in range(1, levels)]
    return "\n".join([*lines, f"submission_1:\n  :submitters:\n  - :email: *a{levels - 1}\n"])


def merge_bomb(levels: int) -> str:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{level}: &a{level} {{<<: [*a{level - 1}, *a{level - 1}]}}" for level in range(1, levels)]
    return "\n".join([*lines, f"submission_1: *a{levels - 1}\n"])


@pytest.mark.parametrize(
    "text",
    [alias_bomb(60), merge_bomb(40), "[" * 100_000, "a: &a [*a]\n", "a: &a {b: *a}\n"],
    ids=["aliases", "merges", "depth", "itself", "itself in a mapping"],
)
def test_metadata_that_says_more_than_it_has_bytes_ends_at_once(course: Course, text: str) -> None:
    (course.handed_in / "submission_metadata.yml").write_text(text)
    (course.handed_in / "submission_1").mkdir()
    began = time.monotonic()
    with pytest.raises(UsageError, match="cannot be read"):
        find(course)
    assert time.monotonic() - began < 5


def test_metadata_may_have_an_alias_here_and_there(course: Course) -> None:
    text = "submission_1:\n  :submitters: &who\n  - :email: jane@example.edu\nsubmission_2:\n  :submitters: *who\n"
    (course.handed_in / "submission_metadata.yml").write_text(text)
    (course.handed_in / "submission_2").mkdir()
    (course.handed_in / "submission_2/lab3.cu").write_text("hers")
    assert one(course).student == "jane@example.edu"


def test_in_gradescope_a_submission_that_is_a_file_stands_alone(course: Course, tmp_path: Path) -> None:
    (course.handed_in / "submission_metadata.yml").write_text("1.cu:\n  :submitters:\n  - :name: Jane\n")
    (course.handed_in / "1.cu").write_text("hers")
    (course.handed_in / "2.cu").write_text("another's")
    assert staged(one(course, labs=slice(1)), tmp_path) == {"1.cu": "hers"}


def test_in_a_class_that_is_no_export_nobody_says_whose_the_hand_ins_are(course: Course) -> None:
    course.submit("ben", "his")
    make_zip(course.handed_in / "jane.zip", {"lab3.cu": "hers"})
    metadata = "".join(f"{name}:\n  :submitters:\n  - :name: eve\n" for name in ("jane.zip", "ben"))
    (course.handed_in / "submission_metadata.yml").write_text(metadata)
    found = find(course)
    assert names(found) == [("ben", "lab3"), ("jane", "lab3")]
    assert found.ignored == ["submission_metadata.yml: a student's folder or archive was expected"]


@pytest.mark.parametrize("text", ["- 1", "a: [", "!!python/object/apply:os.system ['true']", "[" * 5000, "a: *b"])
def test_metadata_that_gradescope_did_not_write_is_refused_in_words(course: Course, text: str) -> None:
    (course.handed_in / "submission_metadata.yml").write_text(text)
    with pytest.raises(UsageError, match=r"submission_metadata\.yml (cannot be read|is not what Gradescope writes)"):
        find(course)


@pytest.mark.parametrize("name", ["..", "../a course", "/tmp", "."])
def test_metadata_cannot_lead_out_of_the_export(course: Course, name: str) -> None:
    (course.handed_in / "submission_metadata.yml").write_text(f"{name}:\n  :submitters:\n  - :name: Eve\n")
    with pytest.raises(UsageError, match=f"ignored {re.escape(name)}: submission_metadata.yml speaks of it, but"):
        find(course)
