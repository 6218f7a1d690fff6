"""What of a class cannot be read, or is too much, costs only whose it is, and a fault of the machine nobody."""

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from archive_maker import make_zip
from conftest import Course
from handed_in_class import find, one, staged

from staff.collecting.unpacked import Store
from staff.platforms.find import find_submissions
from tmagrade.basics.errors import GraderFault, UsageError


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
