"""make at the top of labs/: what is done of the course, and what comes next."""

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Course, Tmagrade

from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs


def own_folder(course: Course, text: str = "") -> Path:
    """The lab's folder as a student has it, below labs/."""
    folder = course.repository.labs / "lab3-bulk-copy"
    (folder / "lab3.cu").write_text(text)
    return folder


def shown(tmagrade: Tmagrade) -> dict[str, str]:
    """What is said of each part."""
    status, printed = tmagrade("labs", "--parts")
    assert status == 0, printed
    listed = printed.partition("\n\n")[2]
    rows = [line.split(maxsplit=1) for line in listed.splitlines() if line.startswith("  ")]
    return {row[0]: row[1] for row in rows}


def bars(tmagrade: Tmagrade) -> dict[str, str]:
    """What is said of each lab."""
    status, printed = tmagrade("labs")
    assert status == 0, printed
    rows = [line.split(maxsplit=1) for line in printed.splitlines() if line.startswith("lab")]
    return {row[0]: row[1] for row in rows}


def test_who_has_done_nothing_is_told_to_begin_with_the_first_part(tmagrade: Tmagrade, course: Course) -> None:
    own_folder(course)
    status, printed = tmagrade("labs")
    assert status == 0
    assert set(shown(tmagrade).values()) == {"-"}
    assert "Next: part one-tile of lab3-bulk-copy" in printed
    assert "PART=one-tile" in printed


def test_a_part_that_was_right_is_done_and_the_next_one_comes_next(tmagrade: Tmagrade, course: Course) -> None:
    folder = own_folder(course)
    assert tmagrade("test", folder, "--part", "one-tile")[0] == 0
    assert shown(tmagrade)["one-tile"] == "done"
    assert "Next: part pipeline" in tmagrade("labs")[1]


def test_a_whole_lab_notes_all_of_its_parts(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", own_folder(course))
    assert {shown(tmagrade)[part] for part in ("one-tile", "pipeline")} == {"done"}
    assert "of lab3-bulk-copy" not in tmagrade("labs")[1]


def test_a_part_stays_done_when_the_file_changes_and_that_is_said(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", own_folder(course), "--part", "one-tile")
    own_folder(course, "// the next part\n")
    assert shown(tmagrade)["one-tile"] == "done; the file has changed since"


def test_some_data_or_one_policy_do_not_make_a_part_done(tmagrade: Tmagrade, course: Course) -> None:
    folder = own_folder(course)
    for choice in (("--data", "ones"), ("--policy", "early"), ("--case", "small")):
        tmagrade("test", folder, "--part", "one-tile", *choice)
    assert shown(tmagrade)["one-tile"] == "-"


def test_what_somebody_else_has_handed_in_is_not_ones_own(tmagrade: Tmagrade, course: Course) -> None:
    own_folder(course)
    tmagrade("test", course.submit("ada", "").folder, "--part", "one-tile")
    assert shown(tmagrade)["one-tile"] == "-"


def test_notes_that_are_damaged_are_none(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", own_folder(course), "--part", "one-tile")
    for file in (course.repository.state / "done").iterdir():
        file.write_text("{")
    assert shown(tmagrade)["one-tile"] == "-"
    shutil.rmtree(course.repository.state / "done")
    assert shown(tmagrade)["one-tile"] == "-"


# How it looks


def test_each_lab_has_a_bar_that_is_full_only_when_all_is_done(tmagrade: Tmagrade, course: Course) -> None:
    folder = own_folder(course)
    assert bars(tmagrade)["lab3-bulk-copy"] == "................   0 of 2"
    tmagrade("test", folder, "--part", "one-tile")
    assert bars(tmagrade)["lab3-bulk-copy"] == "########........   1 of 2"
    tmagrade("test", folder)
    assert bars(tmagrade)["lab3-bulk-copy"] == "################   2 of 2"


def test_a_part_that_went_wrong_is_named_behind_its_lab(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", own_folder(course, "pipeline late fail\n"))
    assert bars(tmagrade)["lab3-bulk-copy"] == "########........   1 of 2  pipeline: fail"


def test_what_comes_next_comes_first_and_the_word_for_each_part_last(tmagrade: Tmagrade, course: Course) -> None:
    own_folder(course)
    lines = tmagrade("labs")[1].splitlines()
    assert lines[0] == "Next: part one-tile of lab3-bulk-copy"
    assert lines[-1].endswith("parts lists each part.")
    assert tmagrade("labs", "--parts")[1].splitlines()[0] == lines[0]


def of_make(*arguments: str, folder: Path = HERE.root) -> str:
    """What make prints into a pipe."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "TMAGRADE"))}
    command = ["make", *arguments, "SETUP=none", f"PYTHON={sys.executable}"]
    environment["PWD"] = str(folder)
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def test_all_labs_of_the_course_fit_a_screen() -> None:
    lines = of_make("-C", "labs").splitlines()
    assert len(load_labs(HERE.labs)) > 10
    assert len(lines) < 24
    assert max(map(len, lines)) <= 80


def test_a_lab_with_the_longest_names_fits_the_width_of_a_screen() -> None:
    labs = load_labs(HERE.labs)
    lab = max(len(lab.id) for lab in labs)
    part = max(len(part.id) for lab in labs for part in lab.parts)
    assert len(f"{'l' * lab}  {'#' * 16}  14 of 14  {'p' * part}: build error") <= 80


@pytest.mark.parametrize(("folder", "leads"), [(HERE.root, "labs/"), (HERE.labs, "")])
def test_the_next_command_can_be_typed_where_the_question_was(folder: Path, leads: str) -> None:
    printed = of_make(*([] if folder == HERE.labs else ["-C", "labs"]), folder=folder)
    command = re.search(r"^  make -C (\S+) PART=", printed, re.MULTILINE)
    assert command is not None, printed
    assert re.fullmatch(rf"{leads}lab\d+-[\w-]+", command[1])
    assert (folder / command[1] / "lab.toml").is_file()


def test_a_pipe_gets_no_colors_and_a_terminal_does() -> None:
    assert "\x1b" not in of_make("-C", "labs")
    ours, its = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(HERE.grader)}
    command = [sys.executable, "-X", "utf8", "-m", "tmagrade", "labs"]
    environment = {name: value for name, value in environment.items() if name != "NO_COLOR"}
    with subprocess.Popen(command, cwd=HERE.root, env=environment, stdout=its):
        os.close(its)
        printed = b""
        while part := read(ours):
            printed += part
    os.close(ours)
    assert "░".encode() in printed
    assert b"\x1b[" in printed


def read(terminal: int) -> bytes:
    """Linux answers with an error where nobody holds the other end any more."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_parts_lists_each_part_of_the_course() -> None:
    printed = of_make("-C", "labs", "parts")
    for lab in load_labs(HERE.labs):
        assert re.search(rf"^{lab.id}  ", printed, re.MULTILINE)
        assert all(re.search(rf"^  {part.id} ", printed, re.MULTILINE) for part in lab.parts)
