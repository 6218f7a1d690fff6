"""What a hand-in costs before anything is compiled grows as it does, and no faster, whatever is in it."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from work_counter import LINEAR, memory_of, work_of

from staff.collecting.archives import STUDENT, BadArchive, unpack
from staff.collecting.unpacked import Store
from staff.platforms.canvas import read_canvas
from staff.platforms.find import find_submissions
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs
from tmagrade.submissions.staging import write_includes

LABS = load_labs(HERE.labs)

Write = Callable[[Path, int], None]


def text_with_includes(folder: Path, lines: int) -> None:
    folder.mkdir()
    many = "".join(f'#include "x{number}"\n' for number in range(lines))
    (folder / "lab3.cu").write_text(f"#if 0\n{many}#endif\n")


def texts_in_a_circle(folder: Path, count: int) -> None:
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:03}.cu").write_text(f'#include "{(number + 1) % count:03}.cu"\n')


def a_chain_of_texts(folder: Path, count: int) -> None:
    """The last is included by nobody, and is the last that is looked at."""
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:03}.cu").write_text(f'#include "{number - 1:03}.cu"\n' if number else "")


@pytest.mark.parametrize("write", [text_with_includes, texts_in_a_circle, a_chain_of_texts])
def test_reading_what_texts_include_is_linear(write: Write, tmp_path: Path) -> None:
    write(tmp_path / "once", 60)
    write(tmp_path / "twice", 120)
    once, twice = (work_of(partial(write_includes, tmp_path / name)) for name in ("once", "twice"))
    assert twice <= LINEAR * once


def test_of_lines_that_include_nothing_no_memory_is_kept(tmp_path: Path) -> None:
    text_with_includes(tmp_path / "text", 20_000)
    size = (tmp_path / "text/lab3.cu").stat().st_size
    assert memory_of(lambda: write_includes(tmp_path / "text")) < 2 * size


def folders_of_one_lab(student: Path, count: int) -> None:
    for number in range(count):
        folder = student / f"lab3 ({number})"
        folder.mkdir(parents=True)
        (folder / "lab3.cu").touch()


def files_of_one_lab(student: Path, count: int) -> None:
    student.mkdir(parents=True)
    for number in range(count):
        (student / f"lab3 ({number}).cu").touch()
        (student / f"{number}.cuh").touch()


def folders_of_no_lab(student: Path, count: int) -> None:
    for number in range(count):
        (student / f"homework {number}").mkdir(parents=True)
        (student / f"homework {number}/x.cu").touch()
    (student / "lab3").mkdir()
    (student / "lab3/lab3.cu").touch()


def archives_within_an_archive(student: Path, count: int) -> None:
    student.mkdir(parents=True)
    with zipfile.ZipFile(student / "all.zip", "w") as packed:
        packed.writestr("lab3/lab3.cu", "")
        for number in range(count):
            packed.writestr(f"lab4/{number}.zip", "")


SHAPES = [folders_of_one_lab, files_of_one_lab, folders_of_no_lab, archives_within_an_archive]


@pytest.mark.parametrize("write", SHAPES)
def test_finding_labs_is_linear_in_the_entries(write: Write, tmp_path: Path) -> None:
    def work(count: int) -> int:
        write(tmp_path / str(count) / "student", count)
        return work_of(
            lambda: find_submissions(tmp_path / str(count), LABS, LABS, tmp_path / f"unpacked-{count}"),
        )

    work(5)  # what is done once only
    assert work(100) <= LINEAR * work(50)


def test_files_from_canvas_are_told_apart_in_linear_work(tmp_path: Path) -> None:
    def work(count: int) -> int:
        folder = tmp_path / str(count)
        folder.mkdir()
        for number in range(count):
            (folder / f"ada_77_{number}_12_{number}_lab3.cu").touch()
        return work_of(lambda: read_canvas(folder, Store(tmp_path / "unpacked")))

    work(5)
    assert work(100) <= LINEAR * work(50)


def test_an_archive_of_few_entries_makes_no_more_folders_than_it_may_have_entries(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "deep.tar", "w") as packed:
        for number in range(10):
            about = tarfile.TarInfo("/".join([str(number), *["d"] * 300, "lab3.cu"]))
            packed.addfile(about, io.BytesIO())
    (tmp_path / "unpacked").mkdir()
    with pytest.raises(BadArchive, match="more than 2000 folders"):
        unpack(tmp_path / "deep.tar", tmp_path / "unpacked", STUDENT, strict=True)
