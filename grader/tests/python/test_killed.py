"""A grader that is killed with SIGKILL, at any moment, goes on to the same grades."""

import os
import random
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import put_in_commands
from conftest import Course

from staff.commands import cli
from tmagrade.machine import backend

TRIES = 8

# What is not the same from one grading to the next, killed or not.
CHANGING = re.compile(rb'"(started|finished|seconds|execution_time)": [^,\n]*')

CLASS = {
    "ada": "",
    "ben": "pipeline any fail",
    "eve": "#error",
    "max": "one-tile early hazard",
    "zoe": "one-tile any crash\npipeline any crash",
}


@pytest.fixture
def grade_in(course: Course, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], int]:
    """Starts `tmagrade grade` as a process of its own that writes to the folder given; answers its number."""
    put_in_commands("HERE", course.repository, monkeypatch.setattr)
    put_in_commands("find_toolkit", lambda repository: course.toolkit, monkeypatch.setattr)
    monkeypatch.setattr(backend, "list_gpus", lambda: ())
    for student, text in CLASS.items():
        course.submit(student, text)
    arguments = ["grade", "--no-sandbox", "--seeds", "0", "--jobs", "2", "--submissions", str(course.handed_in)]

    def start(state: Path) -> int:
        # A fork has everything imported: that is most of the time of so small a grading.
        pid = os.fork()
        if pid == 0:
            status = 70
            try:
                os.setpgid(0, 0)
                os.environ["TMAGRADE_STATE"] = str(state)
                null = os.open(os.devnull, os.O_RDWR)
                for descriptor in (0, 1, 2):
                    os.dup2(null, descriptor)
                cli.app([*arguments, "--output", str(state / "grades")], standalone_mode=False)
                status = 0
            finally:
                os._exit(status)
        return pid

    return start


def finish(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def grades(state: Path) -> dict[str, bytes]:
    """What a grading has left for people, by the file's name."""
    folder = state / "grades"
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in (".json", ".csv", ".md"))
    return {str(path.relative_to(folder)): CHANGING.sub(rb'"\1": 0', path.read_bytes()) for path in files}


def test_a_grader_killed_at_random_moments_goes_on_to_the_same_grades(
    grade_in: Callable[[Path], int], tmp_path: Path
) -> None:
    began = time.monotonic()
    assert finish(grade_in(tmp_path / "undisturbed")) == 0
    took = time.monotonic() - began
    undisturbed = grades(tmp_path / "undisturbed")
    assert {"grades.json", "grades.csv", "ada/results.json", "zoe/feedback.md"} <= set(undisturbed)

    killed = 0
    for number in range(TRIES):
        state = tmp_path / f"try {number}"
        moment = random.uniform(0, took)
        pid = grade_in(state)
        time.sleep(moment)
        os.kill(pid, signal.SIGKILL)
        killed += finish(pid) == -signal.SIGKILL
        if (state / "grades/grades.json").exists():
            assert grades(state)["grades.json"] == undisturbed["grades.json"], f"after {moment} s"
        assert finish(grade_in(state)) == 0, f"killed after {moment} s"
        assert grades(state) == undisturbed, f"killed after {moment} s"
    assert killed > TRIES // 2, "most gradings had ended before they were killed"
