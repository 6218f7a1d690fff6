"""Gradings in a process of their own, on a pretended machine: how each ended, what it said and took, and the grades."""

import json
import os
import resource
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import put_in_commands
from conftest import Course, make_course
from pretended_machine import Fault, PretendedMachine
from typer.testing import CliRunner

from staff.commands import cli
from staff.outputs import report
from tmagrade.building import builder
from tmagrade.grading import grading
from tmagrade.machine import backend

# What each of a student's labs came to: points, points that are pending, and the verdicts of its parts.
Marks = dict[tuple[str, str], tuple[float, float, tuple[str, ...]]]

# Of a class as small as those here. A grading that has not ended then has lost its way, and the kernel ends it.
MOST_PROCESSOR_SECONDS = 60


@dataclass(frozen=True)
class Graded:
    """How one grading ended."""

    status: int  # as subprocess has it: negative for a signal
    said: str
    marks: Marks | None  # of grades.json; none where there is none
    peak_bytes: int  # of memory
    disk_bytes: int  # that it has left
    programs: int  # that it has started; of one that was killed nobody knows
    longest_wait: float  # for a program, in seconds, at most


@contextmanager
def temporary_course() -> Iterator[Course]:
    # In memory where there is some: a class is thousands of small files.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    root = Path(tempfile.mkdtemp(prefix="course-", dir=place))
    _warm_up()
    try:
        course = make_course(root)
        assert course.toolkit.version  # asked for once, and not by every grading
        yield course
    finally:
        shutil.rmtree(root)


@cache
def _warm_up() -> None:
    """Has this process do once what each of its children would do for itself, and what takes most of their time."""
    CliRunner().invoke(cli.app, ["grade", "--layout", "none"])  # imports what reads arguments
    report.template()


def grade_apart(
    course: Course,
    handed_in: Path,
    state: str,
    *arguments: str,
    faults: Sequence[Fault] = (),
    limits: Mapping[int, int] | None = None,
    most_processor_seconds: int = MOST_PROCESSOR_SECONDS,
) -> Graded:
    """Grades the class in `handed_in`, with what is kept in the folder `state` of the course."""
    folder = course.repository.root / state
    folder.mkdir(exist_ok=True)
    said, asked = folder / "said.txt", folder / "asked.json"
    options = ["--no-sandbox", "--seeds", "0", "--jobs", "1", "--output", str(folder / "grades")]

    def grade() -> None:
        machine = PretendedMachine(faults, course.repository.root)
        put_in_commands("HERE", course.repository)
        put_in_commands("find_toolkit", lambda repository: course.toolkit)
        patch = pytest.MonkeyPatch()  # never undone: this process ends
        patch.setattr(backend, "list_gpus", lambda: ())
        patch.setattr(grading, "Processes", lambda: machine)
        patch.setattr(builder, "time", SimpleNamespace(monotonic=machine.monotonic))
        os.environ |= {"TMAGRADE_STATE": str(folder), "TMPDIR": str(course.repository.root), "COLUMNS": "500"}
        tempfile.tempdir = None
        resource.setrlimit(resource.RLIMIT_CPU, (most_processor_seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        for kind, value in (limits or {}).items():
            resource.setrlimit(kind, (value, value))
        machine.watch_files()
        try:
            cli.app(["grade", "--submissions", str(handed_in), *options, *arguments], prog_name="tmagrade")
        finally:
            machine.faults = ()
            asked.write_text(json.dumps([machine.programs, machine.longest_wait]))

    status, peak = _in_a_child(grade, said)
    disk = sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())
    programs, longest_wait = json.loads(asked.read_text()) if asked.exists() else (0, 0.0)
    marks = _marks(folder / "grades/grades.json")
    return Graded(status, said.read_text(errors="replace"), marks, peak, disk, programs, longest_wait)


def _in_a_child(do: Callable[[], None], said: Path) -> tuple[int, int]:
    """Runs it in a fork, which has everything imported. Its status, and the most memory that it had."""
    with open(said, "w") as output:
        pid = os.fork()
        if pid == 0:
            status = 70
            try:
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
                status = _status_of(do)
            finally:
                os._exit(status)
    _, ended, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(ended), usage.ru_maxrss << 10


def _status_of(do: Callable[[], None]) -> int:
    with open(1, "w", closefd=False) as sys.stdout, open(2, "w", closefd=False) as sys.stderr:
        try:
            do()
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
            return 1
    return 0


def _marks(file: Path) -> Marks | None:
    if not file.exists():
        return None
    grades = json.loads(file.read_text())
    return {
        (student["id"], lab["id"]): (lab["score"], lab["pending"], tuple(part["verdict"] for part in lab["parts"]))
        for student in grades["students"]
        for lab in student["labs"]
    }
