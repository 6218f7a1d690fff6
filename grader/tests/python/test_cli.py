"""The command line: what it says and its exit status."""

import errno
import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from conftest import Course, Tmagrade, write_program
from rich.console import Console

from tmagrade.__main__ import STUDENTS
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands import student_commands
from tmagrade.commands.cli import app


def grade(tmagrade: Tmagrade, course: Course, *more: object) -> tuple[int, str]:
    return tmagrade("grade", "--submissions", course.handed_in, "--output", course.repository.grades, *more)


def test_grading_exits_0_whatever_the_scores(tmagrade: Tmagrade, course: Course) -> None:
    course.submit("ada", "#error")
    status, printed = grade(tmagrade, course)
    assert status == 0
    assert "build error: lab3.cu(1): error: told to" in printed


def test_a_log_gets_a_line_a_submission_and_a_plain_table(tmagrade: Tmagrade, course: Course) -> None:
    course.submit("ada", "")
    _, printed = grade(tmagrade, course)
    assert "built 1/1  ada lab3-bulk-copy\n" in printed
    assert "emulated 1/1  ada lab3-bulk-copy\n" in printed
    row = next(line for line in printed.splitlines() if line.startswith("ada "))
    assert row.split() == ["ada", "lab3-bulk-copy", "60", "15", "pending", "75/75", "+25", "pending"]
    assert "\x1b" not in printed


def test_the_instructor_is_told_of_identical_submissions(tmagrade: Tmagrade, course: Course) -> None:
    for student, text in {"ada": "same", "ben": "same", "eve": "of her own"}.items():
        course.submit(student, text)
    _, printed = grade(tmagrade, course)
    assert "identical submissions of lab3-bulk-copy: ada, ben\n" in printed


def test_folders_without_a_source_are_not_called_identical(tmagrade: Tmagrade, course: Course) -> None:
    for student in ("ada", "ben"):
        course.submit(student, "", name="README")
    _, printed = grade(tmagrade, course)
    assert "identical" not in printed


@pytest.mark.parametrize("text", ["", "\n \n", "// TODO: begin\n", "\ufeff/* my\nlab */ // 3", "/* no end"])
def test_files_without_code_are_not_called_identical(tmagrade: Tmagrade, course: Course, text: str) -> None:
    for student in ("ada", "ben"):
        course.submit(student, text)
    _, printed = grade(tmagrade, course)
    assert "identical" not in printed


def test_skeletons_handed_in_as_they_were_given_are_no_news(tmagrade: Tmagrade, course: Course) -> None:
    for student in ("ada", "ben"):
        course.submit(student, "// TODO")
    (course.repository.labs / "lab3-bulk-copy/lab3.cu").write_text("// TODO")
    _, printed = grade(tmagrade, course)
    assert "identical" not in printed


def test_only_the_labs_asked_for_are_graded(tmagrade: Tmagrade, course: Course) -> None:
    course.submit("ada", "")
    course.submit("ada", "", "lab4-single-tile", "lab4.cu")
    _, printed = grade(tmagrade, course, "--labs", "lab4")
    assert "lab4-single-tile" in printed and "lab3-bulk-copy" not in printed


def test_a_lab_that_does_not_exist_is_a_usage_error(tmagrade: Tmagrade, course: Course) -> None:
    course.submit("ada", "")
    status, printed = grade(tmagrade, course, "--labs", "lab77")
    assert (status, printed) == (
        2,
        "tmagrade: there is no lab 'lab77'; there are lab3-bulk-copy, lab4-single-tile\n",
    )


def test_an_empty_folder_is_a_usage_error(tmagrade: Tmagrade, course: Course) -> None:
    status, printed = grade(tmagrade, course)
    assert status == 2
    assert "holds no submission" in printed


def test_a_gpu_that_is_not_there_is_a_usage_error(tmagrade: Tmagrade, course: Course) -> None:
    course.submit("ada", "")
    status, printed = grade(tmagrade, course, "--backend", "gpu")
    assert status == 2
    assert "GPUs here: none" in printed


def test_a_fault_of_the_grader_is_reported_and_exits_3_after_all_others_are_graded(
    tmagrade: Tmagrade, course: Course
) -> None:
    course.submit("ada", "judge dies")
    course.submit("ben", "")
    status, printed = grade(tmagrade, course)
    assert status == 3
    assert "grader fault: ada/lab3-bulk-copy: the judge failed with status 3" in printed
    assert any(line.startswith("ben ") and "75/75" in line for line in printed.splitlines())


def test_a_grader_that_is_not_built_says_what_to_type(tmagrade: Tmagrade, course: Course) -> None:
    course.submit("ada", "")
    course.repository.judge("lab3-bulk-copy").unlink()
    status, printed = grade(tmagrade, course)
    assert (status, printed) == (3, "tmagrade: grader fault: not built: bin/judges/lab3-bulk-copy; run `make build`\n")


@pytest.fixture
def graded_beside(
    tmagrade: Tmagrade, course: Course, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], tuple[int, str]]:
    """While another one is at work, which says this of itself, and ends when the second has said that it waits."""

    def graded(says: str) -> tuple[int, str]:
        with open(course.repository.lock, "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write(says)
            lock.flush()

            def print_and_end(console: Console, text: str, style: str = "") -> None:
                print_line(console, text, style)
                fcntl.flock(lock, fcntl.LOCK_UN)

            monkeypatch.setattr("tmagrade.commands.command_line.print_line", print_and_end)
            return grade(tmagrade, course)

    return graded


def test_of_two_gradings_at_once_the_second_waits(
    graded_beside: Callable[[str], tuple[int, str]], course: Course
) -> None:
    course.submit("ada", "")
    status, printed = graded_beside("")
    assert status == 0
    assert "another tmagrade is at work in this repository: this one waits until it has ended" in printed


def test_who_is_at_work_is_said(graded_beside: Callable[[str], tuple[int, str]], course: Course) -> None:
    course.submit("ada", "")
    _, printed = graded_beside("process 77 on a node, since 10:30")
    assert "at work in this repository (process 77 on a node, since 10:30): this one waits" in printed


def test_what_is_at_work_writes_who_it_is(tmagrade: Tmagrade, course: Course) -> None:
    course.submit("ada", "")
    grade(tmagrade, course)
    assert re.fullmatch(rf"process {os.getpid()} on \S+, since \d\d:\d\d", course.repository.lock.read_text())


def test_grades_that_could_not_be_written_are_not_begun(tmagrade: Tmagrade, course: Course) -> None:
    course.submit("ada", "")
    status, printed = grade(tmagrade, course, "--output", "/proc/nowhere")
    assert status == 2
    assert "grades cannot be written to /proc/nowhere" in printed
    assert "--output names another folder" in printed
    assert course.calls == []


def test_a_disk_without_locks_is_said_in_words(
    tmagrade: Tmagrade, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("tmagrade.commands.command_line.fcntl.flock", refuse)
    course.submit("ada", "")
    status, printed = grade(tmagrade, course)
    assert status == 2
    assert "cannot be locked: No locks available; set TMAGRADE_STATE" in printed


def test_grading_writes_nothing_into_a_repository_whose_state_is_elsewhere(
    tmagrade: Tmagrade, course: Course, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMAGRADE_STATE", str(tmp_path / "state"))
    course.submit("ada", "")
    before = sorted(course.repository.build.rglob("*"))
    status, _ = grade(tmagrade, course)
    assert status == 0
    assert (tmp_path / "state/grades/grades.json").exists()
    assert sorted(course.repository.build.rglob("*")) == before


def test_ctrl_c_exits_130_and_says_how_to_go_on(
    tmagrade: Tmagrade, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tmagrade.grading.grading.Grading.run", interrupt)
    course.submit("ada", "")
    status, printed = grade(tmagrade, course)
    assert status == 130
    assert "the same command goes on from there" in printed


def test_a_disk_that_is_full_while_the_grades_are_written_is_said_in_words(
    tmagrade: Tmagrade, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "grades.json")

    monkeypatch.setattr("staff.outputs.keeping.write_outputs", full)
    course.submit("ada", "")
    status, printed = grade(tmagrade, course)
    assert status == 3
    assert "tmagrade: cannot write grades.json: No space left on device. What was written before is kept" in printed


def test_a_full_disk_is_named_by_the_folder_where_the_grades_go(
    tmagrade: Tmagrade, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("staff.outputs.folder._write", full)
    course.submit("ada", "")
    status, printed = grade(tmagrade, course)
    assert status == 3
    assert f"tmagrade: cannot write {course.repository.grades}: No space left on device." in printed


def test_a_student_sees_every_part_and_the_score(tmagrade: Tmagrade, course: Course) -> None:
    folder = course.submit("ada", "pipeline any fail").folder
    status, printed = tmagrade("test", folder)
    assert status == 1
    assert "pipeline     FAIL        0/40\n    small: it is a fail\n" in printed
    assert "Score: 25/75 +25 pending\n" in printed


def test_a_wrong_labs_last_line_repeats_its_first_wrong_case(tmagrade: Tmagrade, course: Course) -> None:
    _, printed = tmagrade("test", course.submit("ada", "pipeline any fail").folder)
    assert printed.endswith("Run this case alone: make PART=pipeline CASE=small POLICY=late SEED=7\n")


def test_a_case_that_is_wrong_under_one_policy_is_repeated_under_that(tmagrade: Tmagrade, course: Course) -> None:
    _, printed = tmagrade("check", course.submit("ada", "pipeline random:7 hazard").folder)
    assert printed.endswith("Run this case alone: make PART=pipeline CASE=small POLICY=random:7 SEED=7\n")


def test_a_right_labs_last_line_is_its_score(tmagrade: Tmagrade, course: Course) -> None:
    _, printed = tmagrade("test", course.submit("ada", "").folder)
    assert printed.splitlines()[-1].startswith("Score: ")


def test_a_students_right_lab_exits_0(tmagrade: Tmagrade, course: Course) -> None:
    assert tmagrade("test", course.submit("ada", "").folder)[0] == 0


def test_a_lab_is_named_where_the_folder_is_not(tmagrade: Tmagrade, course: Course, tmp_path: Path) -> None:
    folder = tmp_path / "my homework"
    folder.mkdir()
    (folder / "lab3.cu").touch()
    assert tmagrade("test", folder)[0] == 2
    assert tmagrade("test", folder, "--lab", "lab3")[0] == 0


def test_check_shows_hygiene_alone_where_the_parts_are_right(tmagrade: Tmagrade, course: Course) -> None:
    status, printed = tmagrade("check", course.submit("ada", "pipeline random:7 hazard").folder)
    assert status == 1
    assert "under the timing policy random:7: pipeline, small: it is a hazard" in printed
    assert "the kernel executed a trap instruction [trap]" in printed
    assert "one-tile  " not in printed


def test_check_shows_what_is_found_in_a_part_that_is_wrong(tmagrade: Tmagrade, course: Course) -> None:
    status, printed = tmagrade("check", course.submit("ada", "pipeline any hazard").folder)
    assert status == 1
    assert "not to be had before these are right: pipeline" in printed
    assert "the kernel executed a trap instruction [trap]" in printed
    assert "one-tile  " not in printed


def test_bench_needs_a_lab_with_a_bandwidth_part(tmagrade: Tmagrade, course: Course) -> None:
    folder = course.submit("ada", "", "lab4-single-tile", "lab4.cu").folder
    status, printed = tmagrade("bench", folder)
    assert (status, printed) == (2, "tmagrade: this lab has no bandwidth part\n")


def test_a_state_that_cannot_be_written_is_said_in_words(
    tmagrade: Tmagrade, course: Course, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TMAGRADE_STATE", str(tmp_path / "file/state"))
    course.submit("ada", "")
    status, printed = grade(tmagrade, course)
    assert status == 3
    assert f"{tmp_path}/file/state is where grading writes, and cannot be written: Not a directory" in printed
    assert "set TMAGRADE_STATE to a folder of your own" in printed


@pytest.fixture
def typed(tmp_path: Path) -> Callable[..., str]:
    """Types `tmagrade`, as the set-up makes it, in the folder of a class; answers what it says is wrong."""
    setup = (HERE.grader / "setup/python.sh").read_text()
    [launcher] = re.findall(r"<<'EOF'\n(.*?)^EOF$", setup, re.DOTALL | re.MULTILINE)
    write_program(tmp_path / "bin/tmagrade", launcher)
    write_program(tmp_path / "bin/python", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    folder = tmp_path / "class"
    folder.mkdir()

    def run(*arguments: str, **variables: str) -> str:
        command: list[str | Path] = [tmp_path / "bin/tmagrade", *arguments]
        done = subprocess.run(command, cwd=folder, env=os.environ | variables, stderr=subprocess.PIPE, encoding="utf-8")
        return done.stderr

    return run


def test_the_command_takes_no_module_from_the_folder_that_it_is_typed_in(
    typed: Callable[..., str], tmp_path: Path
) -> None:
    """With a student called rich in the class."""
    for student in ("rich", "tmagrade"):
        for module in ("__init__.py", "__main__.py"):
            (tmp_path / "class" / student).mkdir(exist_ok=True)
            (tmp_path / "class" / student / module).write_text("raise SystemExit('a student is at work')")
    assert "a student is at work" not in typed("--help", PYTHONPATH=":/nowhere")


@pytest.mark.parametrize("command", ["grade", "test", "check", "bench", "run", "explain", "doctor"])
def test_every_command_has_help(tmagrade: Tmagrade, command: str) -> None:
    status, printed = tmagrade(command, "--help")
    assert status == 0
    assert command == "doctor" or "Example" in printed


def helps() -> list[tuple[str, str]]:
    """Each text about an option or an argument, with its command."""
    program = typer.main.get_command(app)
    assert isinstance(program, typer.core.TyperGroup)
    parameters = [(name, parameter) for name, command in program.commands.items() for parameter in command.params]
    return [(name, help_) for name, parameter in parameters if (help_ := getattr(parameter, "help", None))]


def test_help_swallows_no_word(tmagrade: Tmagrade, monkeypatch: pytest.MonkeyPatch) -> None:
    """Markdown takes `<student>` for HTML where it is not between backquotes."""
    monkeypatch.setenv("COLUMNS", "400")
    printed = {command: tmagrade(command, "--help")[1] for command, _ in helps()}
    assert [text for command, text in helps() if text.replace("`", "") not in printed[command]] == []
    assert "<student>/<lab>/*.cu" in printed["grade"]


LISTS_COMMANDS = """
import atexit, runpy, sys
atexit.register(lambda: print(*[name for name in sys.modules if ".commands." in name]))
sys.argv[1:] = ["COMMAND", "--help"]
runpy.run_module("tmagrade", run_name="__main__")
"""


def test_a_students_commands_start_without_the_imports_of_others() -> None:
    def loaded(command: str) -> str:
        started = [sys.executable, "-c", LISTS_COMMANDS.replace("COMMAND", command)]
        told = subprocess.run(started, cwd=HERE.grader, capture_output=True, text=True, check=True).stdout
        return told.splitlines()[-1]

    assert "tmagrade.commands.student_commands" in loaded("test")
    assert "staff.commands.class_commands" not in loaded("test")
    assert "staff.commands.class_commands" in loaded("explain")


def test_the_commands_that_start_so_are_all_of_the_students() -> None:
    calls = [command.callback for command in app.registered_commands if command.callback is not None]
    assert {call.__name__ for call in calls if call.__module__ == student_commands.__name__} == set(STUDENTS)
