"""What becomes of a submission over which the judge itself came to an end, with a pretended judge."""

import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import Course
from test_grading import judged_under

from tmagrade.basics.errors import JudgeDied
from tmagrade.judging import judge
from tmagrade.judging.judge import Judge
from tmagrade.judging.verdicts import Judged
from tmagrade.machine.backend import Engine


def deaths(course: Course) -> list[Path]:
    return list(course.repository.records.rglob("*.died.json"))


@pytest.mark.parametrize("text", ["judge crashes", "judge wants memory"])
def test_a_judge_that_died_over_a_submission_does_not_die_of_it_again(course: Course, text: str) -> None:
    submission = course.submit("ada", text)
    [first] = course.grade(submission)
    assert judged_under(course.calls) == ["late", "late"]  # tried again, in case it was the machine
    [second] = course.grade(submission)
    assert course.calls == []
    assert first.fault is not None and second.fault is not None and second.fault.startswith(first.fault)
    assert (second.result().score, second.result().pending) == (0, 100)


def test_a_judge_that_died_once_and_not_when_tried_again_costs_nobody_anything(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "judge crashes once"))
    assert (job.fault, job.result().score) == (None, 75)
    assert deaths(course) == []


def test_a_judge_that_died_is_tried_again_when_nothing_else_is_at_work(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben is at work until ada's judge has died, and for a while after that."""
    beside: list[str] = []
    now: set[str] = set()
    real = Judge.judge

    def judge(self: Judge, lab: str, library: Path, engine: Engine, **asked: Any) -> Judged:
        name = library.read_text()
        if "judge crashes once" in name and (course.repository.root / "crashed").exists():
            beside.extend(now)
        now.add(name)
        try:
            return real(self, lab, library, engine, **asked)
        except JudgeDied:
            threading.Timer(0.5, (course.repository.root / "go").touch).start()
            raise
        finally:
            now.remove(name)

    monkeypatch.setattr(Judge, "judge", judge)
    jobs = course.grade(
        course.submit("ada", "judge crashes once"), course.submit("ben", "waits for a file"), engines=("late",)
    )
    assert [job.result().score for job in jobs] == [75, 75]
    assert beside == []


def test_a_judge_that_dies_of_the_known_program_too_is_remembered_of_no_submission(course: Course) -> None:
    submission = course.submit("ada", "judge crashes, and so does the canary's")
    [job] = course.grade(submission)
    assert job.fault is not None and "does not run a program that is known to be right" in job.fault
    assert deaths(course) == []


def test_another_judge_tries_what_one_has_died_of(course: Course) -> None:
    submission = course.submit("ada", "judge crashes")
    course.grade(submission)
    assert course.calls
    with open(course.repository.judge("lab3-bulk-copy"), "a") as binary:
        binary.write("# changed\n")
    course.grade(submission)
    assert judged_under(course.calls) == ["late", "late"]


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_judge_that_somebody_killed_is_started_again_however_often(course: Course, by: signal.Signals) -> None:
    submission = course.submit("ada", f"judge is killed by signal {by:d}")
    for _ in range(3):
        [job] = course.grade(submission)
        assert job.fault is not None and f"ended from outside by {by.name} (late)" in job.fault
        assert judged_under(course.calls) == ["late"]
    assert deaths(course) == []


def test_verdicts_are_no_reason_why_a_judge_was_killed(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "judge is killed by signal 9"))
    assert job.fault is not None and "8199 ints" not in job.fault
    assert job.fault.endswith("grade again, with fewer --jobs")


def test_a_judge_that_somebody_killed_after_it_had_died_is_started_again(course: Course) -> None:
    submission = course.submit("ada", "judge crashes once and then judge is killed by signal 9")
    [job] = course.grade(submission)
    assert (
        job.fault is not None
        and "ended from outside by SIGKILL (late), as the kernel does where memory is short" in job.fault
    )
    assert deaths(course) == []


def test_a_judge_that_takes_too_long_when_alone_too_is_not_waited_for_again(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "JUDGE_TIMEOUT_SECONDS", 3.0)
    submission = course.submit("ada", "judge hangs")
    course.grade(submission)
    assert judged_under(course.calls) == ["late", "late"]
    course.grade(submission)
    assert course.calls == []


def test_a_judge_that_dies_with_the_machine_is_started_again(course: Course) -> None:
    submission = course.submit("ada", "judge crashes and breaks the machine")
    [job] = course.grade(submission)
    assert job.fault is not None and "known to be right" in job.fault
    (course.repository.root / "machine is broken").unlink()
    assert course.calls
    course.grade(submission)
    assert judged_under(course.calls) == ["late"]
