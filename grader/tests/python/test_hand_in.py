"""`tmagrade hand-in`: one zip with a receipt, which is graded as the folder was, with nothing ignored."""

import hashlib
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from conftest import Course, Tmagrade

from tmagrade.basics.paths import HERE
from tmagrade.commands.typed_in import VARIABLE, from_where_typed


@pytest.fixture
def packed(course: Course, tmagrade: Tmagrade) -> tuple[Path, str]:
    """A lab's folder as students have it, with one wrong part, handed in; what was written and said."""
    folder = course.submit("me", '#include "inner/mine.cuh"\npipeline any fail').folder
    for name, text in {
        "README.md": "",
        "Makefile": "",
        "lab.toml": "",
        "notes.txt": "",
        "inner/mine.cuh": "// x",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    status, printed = tmagrade("hand-in", folder)
    assert status == 0, printed
    return course.repository.build / "hand-in/lab3-bulk-copy.zip", printed


def test_only_sources_and_a_receipt_are_handed_in(packed: tuple[Path, str]) -> None:
    with zipfile.ZipFile(packed[0]) as archive:
        names = sorted(name.removeprefix("lab3-bulk-copy/") for name in archive.namelist())
    assert names == ["inner/mine.cuh", "lab3.cu", "receipt.txt"]


def test_it_is_graded_as_the_folder_with_nothing_ignored(
    packed: tuple[Path, str], course: Course, tmagrade: Tmagrade
) -> None:
    shutil.rmtree(course.handed_in)
    course.handed_in.mkdir()
    shutil.copy(packed[0], course.handed_in / "ada.zip")
    status, printed = tmagrade("grade", "--submissions", course.handed_in)
    assert (status, "ignored" in printed) == (0, False), printed
    assert re.search(r"ada +lab3-bulk-copy .* 25/75 \+25 pending", printed)
    assert "Not graded" not in (course.repository.grades / "ada/feedback.md").read_text()


def test_the_receipt_says_when_what_and_of_which_text(packed: tuple[Path, str], course: Course) -> None:
    path, printed = packed
    assert f"SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}" in printed
    with zipfile.ZipFile(path) as archive:
        receipt = archive.read("lab3-bulk-copy/receipt.txt").decode()
        source = archive.read("lab3-bulk-copy/lab3.cu")
    assert re.match(r"lab3-bulk-copy, packed \d{4}-\d\d-\d\dT\S+\nin this folder: 25/75 \+25 pending\n", receipt)
    assert f"{hashlib.sha256(source).hexdigest()}  lab3.cu" in receipt.splitlines()


def test_what_does_not_compile_may_be_handed_in_and_is_said(course: Course, tmagrade: Tmagrade) -> None:
    status, printed = tmagrade("hand-in", course.submit("me", "#error").folder)
    assert status == 0 and "BUILD ERROR" in printed and "hand in " in printed


def test_without_a_source_nothing_is_written(course: Course, tmagrade: Tmagrade) -> None:
    folder = course.submit("me", "", name="notes.txt").folder
    status, printed = tmagrade("hand-in", folder)
    assert status == 2 and "no .cu file" in printed
    assert not (course.repository.build / "hand-in").exists()


@pytest.mark.parametrize(("typed_in", "said"), [("", "build/a.zip"), ("labs", "../build/a.zip"), ("..", None)])
def test_the_file_is_named_from_where_make_was_typed(
    monkeypatch: pytest.MonkeyPatch, typed_in: str, said: str | None
) -> None:
    monkeypatch.chdir(HERE.labs / "lab3-bulk-copy")
    monkeypatch.setenv(VARIABLE, str((HERE.root / typed_in).resolve()))
    assert from_where_typed(HERE.root / "build/a.zip") == (said or f"{HERE.root.name}/build/a.zip")


@pytest.mark.parametrize("typed_in", ["/usr/bin", "/nowhere"])
def test_a_folder_that_has_nothing_to_do_with_the_course_is_nobody_s_place(
    monkeypatch: pytest.MonkeyPatch, typed_in: str
) -> None:
    monkeypatch.chdir(HERE.labs)
    monkeypatch.setenv(VARIABLE, typed_in)
    assert from_where_typed(HERE.root / "build/a.zip") == "../build/a.zip"
