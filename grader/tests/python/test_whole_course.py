"""Who hands in the whole folder of the course, after make, is graded like who hands in the labs alone."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from archive_maker import make_tar, make_zip
from conftest import Course

from staff.platforms.find import Found, find_submissions
from tmagrade.submissions.staging import submitted_files

PACKED = {".zip": make_zip, ".tar.gz": make_tar}

RELEASE = {
    "Makefile": "include grader/setup/student.mk",
    "README.md": "",
    "grader/emulator/isa/wait.cu": "// the course's own",
    "grader/setup/student.mk": "",
    "handout/guide/elsewhere/example.cu": "// the course's own",
    "labs/common/tma-interface.cuh": "// the course's own",
    "labs/lab3-bulk-copy/lab3.cu": "// hers",
    "labs/lab4-single-tile/lab4.cu": "// TODO",
}
MADE = {
    **{f".venv/lib/python3.11/site-packages/package/f{index}.py": "" for index in range(2500)},
    **{f"build/obj/f{index}.o": "x" * 100 for index in range(1500)},
    ".git/objects/pack/pack-1.pack": "x",
    "build/work/stage/lab3.cu": "// an older one",
    "build/lib/emulator/libtmaemu.so": "x",
}


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def find(course: Course, labs: slice = slice(None)) -> Found:
    return find_submissions(course.handed_in, course.labs, course.labs[labs], course.repository.unpacked)


def texts(found: Found) -> dict[tuple[str, str], str]:
    return {
        (one.student, one.lab.id): (one.folder / one.lab.source).read_text() if not one.problem else one.problem
        for one in found.submissions
    }


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize("top", ["", "tma-labs/", "home/tma-labs/"])
def test_the_whole_folder_packed_after_make_is_its_labs(course: Course, suffix: str, top: str) -> None:
    PACKED[suffix](course.handed_in / f"ada{suffix}", {top + name: text for name, text in (RELEASE | MADE).items()})
    found = find(course)
    assert texts(found) == {("ada", "lab3-bulk-copy"): "// hers", ("ada", "lab4-single-tile"): "// TODO"}


@pytest.mark.parametrize("suffix", [*PACKED, ""])
def test_the_releases_own_files_are_not_news(course: Course, suffix: str) -> None:
    files = {f"tma-labs/{name}": text for name, text in RELEASE.items()}
    if suffix:
        PACKED[suffix](course.handed_in / f"ada{suffix}", files)
    else:
        write(course.handed_in / "ada", files)
    found = find(course)
    assert found.ignored == []
    assert [one.ignored for one in found.submissions] == [(), ()]


@pytest.mark.parametrize("suffix", [*PACKED, ""])
@pytest.mark.parametrize("lab", ["lab3-bulk-copy/", ""])
def test_a_labs_folder_with_what_make_has_built_is_its_sources(course: Course, suffix: str, lab: str) -> None:
    built = bytes((16 << 20) + 1)
    files = {f"{lab}lab3.cu": b"// hers", f"{lab}build/precompiled.h.gch": built, f"{lab}build/program": built}
    if suffix:
        PACKED[suffix](course.handed_in / f"ada{suffix}", files)
    else:
        for name, content in files.items():
            path = course.handed_in / "ada" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    [found] = find(course, slice(1)).submissions
    assert not found.problem
    assert [path.name for path in submitted_files(found.folder)] == ["lab3.cu"]


def test_more_files_than_anybody_hands_in_are_still_refused(course: Course) -> None:
    make_zip(course.handed_in / "ada.zip", {f"lab3/f{index}.h": "" for index in range(2001)})
    assert "more than 2000 entries" in texts(find(course, slice(1)))["ada", "lab3-bulk-copy"]


def test_more_that_is_passed_over_than_anybody_has_is_refused(course: Course) -> None:
    make_zip(course.handed_in / "ada.zip", {f".venv/f{index}": "" for index in range(20_001)} | {"lab3.cu": ""})
    assert "more than 20000 entries of no lab's" in texts(find(course, slice(1)))["ada", "lab3-bulk-copy"]


@pytest.mark.parametrize("folder", ["build", "grader", "handout"])
def test_a_students_own_folder_of_such_a_name_counts(course: Course, folder: str) -> None:
    make_zip(course.handed_in / "ada.zip", {f"{folder}/lab3.cu": "// hers"})
    assert texts(find(course)) == {("ada", "lab3-bulk-copy"): "// hers"}


def test_a_file_beside_the_labs_of_a_copy_counts(course: Course) -> None:
    files = {name: text for name, text in RELEASE.items() if not name.startswith("labs/lab3")} | {"lab3.cu": "// hers"}
    make_zip(course.handed_in / "ada.zip", files)
    assert texts(find(course))["ada", "lab3-bulk-copy"] == "// hers"


# A hand-in for another lab


def test_a_file_for_another_lab_gets_a_row_and_a_word(course: Course) -> None:
    make_zip(course.handed_in / "ada.zip", {"lab4.cu": ""})
    make_zip(course.handed_in / "ben.zip", {"lab3.cu": "// his"})
    assert texts(find(course, slice(1))) == {
        ("ada", "lab3-bulk-copy"): "lab4.cu was handed in for lab4-single-tile, not for lab3-bulk-copy",
        ("ben", "lab3-bulk-copy"): "// his",
    }


def test_a_folder_of_another_lab_in_a_students_own_is_no_answer_to_this_one(course: Course) -> None:
    course.submit("ada", "", "lab4-single-tile", "lab4.cu")
    course.submit("ben", "")
    assert set(texts(find(course, slice(1)))) == {("ben", "lab3-bulk-copy")}


def test_what_a_platform_has_for_an_assignment_gets_a_row_whatever_it_is(course: Course) -> None:
    make_zip(course.handed_in / "doeada_1_11_lab4.zip", {"lab4-single-tile/lab4.cu": ""})
    make_zip(course.handed_in / "doeben_2_12_lab3.zip", {"lab3.cu": ""})
    found = texts(find(course, slice(1)))
    assert found["doeada_1", "lab3-bulk-copy"].endswith("was handed in for lab4-single-tile, not for lab3-bulk-copy")
