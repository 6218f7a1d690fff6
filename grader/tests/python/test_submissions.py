"""Which folders are submissions, and what reaches the compiler."""

import os
import re
from pathlib import Path

import pytest
from conftest import Course

from staff.platforms.find import find_submissions
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.submissions.staging import MAX_FILES, open_submitted, stage, submitted_files, write_includes


def found(course: Course, labs: slice = slice(None)) -> list[tuple[str, str]]:
    result = find_submissions(course.handed_in, course.labs, course.labs[labs], course.repository.unpacked)
    return [(submission.student, submission.lab.id) for submission in result.submissions]


def test_students_and_labs_are_the_two_levels_of_folders(course: Course) -> None:
    course.submit("ben", "")
    course.submit("ada", "", "lab4-single-tile")
    course.submit("ada", "")
    assert found(course) == [("ada", "lab3-bulk-copy"), ("ada", "lab4-single-tile"), ("ben", "lab3-bulk-copy")]


def test_a_labs_folder_may_have_the_beginning_of_its_name(course: Course) -> None:
    (course.handed_in / "ada" / "lab4").mkdir(parents=True)
    assert found(course) == [("ada", "lab4-single-tile")]


def test_labs_that_were_not_asked_for_are_left_out(course: Course) -> None:
    course.submit("ada", "")
    course.submit("ada", "", "lab4-single-tile")
    assert found(course, slice(1, 2)) == [("ada", "lab4-single-tile")]


def test_a_folder_that_names_no_lab_is_reported(course: Course) -> None:
    course.submit("ada", "")
    (course.handed_in / "ada" / "homework").mkdir()
    result = find_submissions(course.handed_in, course.labs, course.labs, course.repository.unpacked)
    assert result.ignored == ["ada/homework: no lab has this name"]


def test_a_student_is_told_by_name_what_of_the_hand_in_does_not_count(course: Course) -> None:
    folder = course.submit("ada", "").folder
    (folder / "more").mkdir()
    for name in ("kernel.cpp", "more/other.cu", "notes.txt", "tile.cuh"):
        (folder / name).write_text("")
    (course.handed_in / "ada" / "homework").mkdir()
    [submission] = find_submissions(course.handed_in, course.labs, course.labs, course.repository.unpacked).submissions
    compiled = "only .cu files right in the lab's folder are compiled, and what they include"
    assert submission.ignored == (
        "homework: no lab has this name",
        f"kernel.cpp: {compiled}",
        f"more/other.cu: {compiled}",
    )


def test_the_same_lab_twice_is_graded_once_and_reported(course: Course) -> None:
    course.submit("ada", "")
    (course.handed_in / "ada" / "lab3").mkdir()
    result = find_submissions(course.handed_in, course.labs, course.labs, course.repository.unpacked)
    assert len(result.submissions) == 1
    assert "lab3-bulk-copy is there under another name too" in result.ignored[0]


def test_an_empty_folder_is_an_error_that_says_what_was_expected(course: Course) -> None:
    with pytest.raises(UsageError, match="holds no submission; expected folder/<student>/<lab>"):
        find_submissions(course.handed_in, course.labs, course.labs, course.repository.unpacked)


def test_a_folder_that_is_not_there_is_an_error(course: Course) -> None:
    with pytest.raises(UsageError, match="is not a folder or an archive"):
        find_submissions(course.handed_in / "nobody", course.labs, course.labs, course.repository.unpacked)


def test_the_stage_holds_the_files_and_includes_each_cu_file_once(tmp_path: Path) -> None:
    folder = tmp_path / "handed in"
    (folder / "lib").mkdir(parents=True)
    for name in ("b.cu", "a.cu", "helper.cuh", "lib/other.cu"):
        (folder / name).write_text(name)
    assert stage(folder, tmp_path / "stage") == ["a.cu", "b.cu"]
    assert (tmp_path / "stage/submission.cuh").read_text() == '#include "a.cu"\n#include "b.cu"\n'
    assert (tmp_path / "stage/lib/other.cu").read_text() == "lib/other.cu"


def test_a_lone_folder_of_sources_is_compiled_with_the_headers_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "handed in"
    for name in ("src/lab3.cu", "src/more.cu", "include/helper.cuh"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    assert stage(folder, tmp_path / "stage") == ["src/lab3.cu", "src/more.cu"]
    assert (tmp_path / "stage/submission.cuh").read_text() == '#include "src/lab3.cu"\n#include "src/more.cu"\n'
    assert (tmp_path / "stage/include/helper.cuh").exists()


def test_of_several_folders_of_sources_none_is_guessed(tmp_path: Path) -> None:
    folder = tmp_path / "handed in"
    for name in ("old/lab3.cu", "new/lab3.cu"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(name)
    assert stage(folder, tmp_path / "stage") == []


def test_staging_again_leaves_nothing_of_the_last_time(tmp_path: Path) -> None:
    folder = tmp_path / "handed in"
    folder.mkdir()
    (folder / "old.cu").write_text("")
    stage(folder, tmp_path / "stage")
    (folder / "old.cu").rename(folder / "new.cu")
    assert stage(folder, tmp_path / "stage") == ["new.cu"]
    assert not (tmp_path / "stage/old.cu").exists()


def test_a_students_own_submission_cuh_does_not_take_the_place_of_ours(tmp_path: Path) -> None:
    folder = tmp_path / "handed in"
    folder.mkdir()
    (folder / "lab3.cu").write_text("")
    (folder / "submission.cuh").write_text("mine")
    stage(folder, tmp_path / "stage")
    assert (tmp_path / "stage/submission.cuh").read_text() == '#include "lab3.cu"\n'


@pytest.mark.parametrize("name", ["Screenshot at 9.41\u202fAM.png", "a\u00a0b.txt", 'so-called "notes".pdf'])
def test_what_no_compiler_reads_may_have_any_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "lab3.cu").write_text("")
    (tmp_path / name).write_text("")
    assert submitted_files(tmp_path) == [tmp_path / "lab3.cu"]


@pytest.mark.parametrize(("name", "better"), [("lab3\u202f.cu", "lab3_.cu"), ('a"b.cuh', "a_b.cuh")])
def test_what_is_to_be_compiled_has_a_plain_name(tmp_path: Path, name: str, better: str) -> None:
    (tmp_path / name).write_text("")
    with pytest.raises(UsageError, match=f"characters that are not allowed: .*; rename it to {better}$"):
        submitted_files(tmp_path)


@pytest.mark.parametrize("name", ["submission.cuh", "submission.so"])
def test_a_folder_with_the_name_of_a_file_of_ours_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(UsageError, match=f"a name that the grader needs: {name}"):
        submitted_files(tmp_path)


def test_what_another_file_includes_is_not_compiled_by_itself(tmp_path: Path) -> None:
    (tmp_path / "kernels.cu").write_text('#include "helpers.cu"\n')
    (tmp_path / "lab3.cu").write_text('  # include "kernels.cu"\n')
    (tmp_path / "helpers.cu").write_text("")
    assert write_includes(tmp_path) == ["lab3.cu"]


def test_of_files_that_include_each_other_one_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text('#include "b.cu"\n')
    (tmp_path / "b.cu").write_text('#include "a.cu"\n')
    assert write_includes(tmp_path) == ["a.cu"]


def test_of_files_that_are_the_same_the_shortest_name_is_compiled(tmp_path: Path) -> None:
    for name in ("lab3 (1).cu", "lab3.cu", "copy of lab3.cu"):
        (tmp_path / name).write_text("int a;\n")
    (tmp_path / "other.cu").write_text("int b;\n")
    assert write_includes(tmp_path) == ["lab3.cu", "other.cu"]


@pytest.mark.parametrize("link", ["file", "folder"])
def test_links_do_not_reach_the_stage(tmp_path: Path, link: str) -> None:
    secret = tmp_path / "solutions" / "lab3.cu"
    secret.parent.mkdir()
    secret.write_text("the solution")
    folder = tmp_path / "handed in"
    folder.mkdir()
    (folder / "linked").symlink_to(secret if link == "file" else secret.parent)
    assert submitted_files(folder) == []


@pytest.mark.parametrize("what", ["lab3.cu", "inc", "."])
def test_what_became_a_link_since_it_was_looked_at_is_not_opened(tmp_path: Path, what: str) -> None:
    """A student may be at work in the folder meanwhile, and put the solution in the place of her file for a moment."""
    folder, solution = tmp_path / "handed in", tmp_path / "solution"
    for place in (folder, solution):
        (place / "inc").mkdir(parents=True)
        for name in ("lab3.cu", "inc/add.cuh"):
            (place / name).write_text(str(place))
    with open_submitted(folder, folder / "inc/add.cuh") as file:
        assert file.read().decode() == str(folder)
    (folder / what).rename(tmp_path / "hers")
    (folder / what).symlink_to(solution / what)
    file_behind = folder / ("lab3.cu" if what == "lab3.cu" else "inc/add.cuh")
    assert file_behind.read_text() == str(solution)
    with pytest.raises(OSError, match=re.escape(str(file_behind))):
        open_submitted(folder, file_behind)


def test_what_became_a_pipe_since_it_was_looked_at_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "lab3.cu")
    with pytest.raises(GraderFault, match=r"lab3\.cu is no file any more"):
        open_submitted(tmp_path, tmp_path / "lab3.cu")


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    for index in range(MAX_FILES + 1):
        (tmp_path / f"{index}.cu").touch()
    with pytest.raises(UsageError, match="more than 200 files"):
        submitted_files(tmp_path)


@pytest.mark.parametrize(("count", "size"), [(1, 20 << 20), (MAX_FILES + 1, 0), (17, 1 << 20)])
def test_what_no_compiler_reads_counts_for_nothing(tmp_path: Path, count: int, size: int) -> None:
    (tmp_path / "lab3.cu").touch()
    (tmp_path / "build").mkdir()
    for index in range(count):
        (tmp_path / f"build/{index}.gch").touch()
        os.truncate(tmp_path / f"build/{index}.gch", size)
    assert submitted_files(tmp_path) == [tmp_path / "lab3.cu"]
