"""Bandwidth measured on top of grades that the emulator gave: nothing else of them changes."""

import json
from typing import Any

import pytest
from conftest import Course, Tmagrade

from tmagrade.machine import backend
from tmagrade.machine.backend import Gpu


@pytest.fixture
def graded(course: Course, tmagrade: Tmagrade, monkeypatch: pytest.MonkeyPatch) -> Course:
    """A class that the emulator has judged, on a machine that has a GPU by now."""
    course.submit("ada", "// right")
    course.submit("ben", "one-tile late hazard")
    course.submit("cy", "pipeline late fail")
    course.submit("dan", "pipeline gpu fail")
    course.submit("eve", "#error")
    assert tmagrade("grade", "--submissions", course.handed_in, "--labs", "lab3")[0] == 0
    assert course.calls
    monkeypatch.setattr(backend, "list_gpus", lambda: (Gpu(0, "NVIDIA H100", "9.0", "580"),))
    return course


def measure(tmagrade: Tmagrade, course: Course, *more: object) -> tuple[int, str]:
    return tmagrade("grade", "--submissions", course.handed_in, "--bandwidth-alone", *more)


def labs(course: Course) -> dict[str, dict[str, Any]]:
    value = json.loads((course.repository.grades / "grades.json").read_text())
    return {student["id"]: student["labs"][0] for student in value["students"]}


def parts(lab: dict[str, Any]) -> dict[str, tuple[str, float]]:
    return {part["id"]: (part["verdict"], part["score"]) for part in lab["parts"]}


def test_only_the_bandwidth_is_another(graded: Course, tmagrade: Tmagrade) -> None:
    before = {who: parts(lab) for who, lab in labs(graded).items()}
    status, printed = measure(tmagrade, graded)
    assert status == 0, printed
    after = {who: parts(lab) for who, lab in labs(graded).items()}
    assert after["ada"] == before["ada"] | {"bandwidth": ("pass", 22.5)}
    assert after["ben"] == before["ben"] | {"bandwidth": ("pass", 22.5)}
    assert list(before["ben"]["one-tile"]) == ["hazard", 0]  # which a GPU, judging alone, would let pass
    assert after["cy"] == before["cy"] | {"bandwidth": ("fail", 0)}
    assert "eve, lab3-bulk-copy: nothing of it could be run" in printed and after["eve"] == before["eve"]


def test_what_is_wrong_on_the_gpu_earns_no_bandwidth(graded: Course, tmagrade: Tmagrade) -> None:
    measure(tmagrade, graded)
    bandwidth = labs(graded)["dan"]["parts"][-1]
    assert (bandwidth["verdict"], bandwidth["score"]) == ("fail", 0)
    assert bandwidth["message"].startswith("wrong on the GPU")


def test_the_emulator_runs_no_more(graded: Course, tmagrade: Tmagrade) -> None:
    measure(tmagrade, graded)
    assert {line.split()[2] for line in graded.calls if line.startswith("judge")} == {"gpu"}


def test_a_text_that_was_not_graded_is_not_measured(graded: Course, tmagrade: Tmagrade) -> None:
    graded.submit("ada", "// faster")
    graded.submit("zoe", "// late")
    status, printed = measure(tmagrade, graded)
    assert status == 0 and parts(labs(graded)["ada"])["bandwidth"] == ("pending", 0)
    assert "not measured: ada, lab3-bulk-copy: another text than was graded: grade it first" in printed
    assert "not measured: zoe, lab3-bulk-copy: not graded yet" in printed


def test_grades_say_it_again_and_explain_it(graded: Course, tmagrade: Tmagrade) -> None:
    measure(tmagrade, graded)
    first = labs(graded)
    assert measure(tmagrade, graded)[0] == 0
    assert labs(graded)["ada"]["parts"] == first["ada"]["parts"]
    status, printed = tmagrade("explain", "ada", "lab3", "--grades", graded.repository.grades)
    assert (status, printed.count("judged by late")) == (0, 1), printed
    assert "sum: 20 + 40 + 15 + 22.5 = 97.5" in printed


def test_a_fault_leaves_the_points_pending(graded: Course, tmagrade: Tmagrade) -> None:
    graded.repository.judge("lab3-bulk-copy").write_text("#!/bin/sh\nexit 3\n")
    status, _ = measure(tmagrade, graded)
    assert status == 3 and parts(labs(graded)["ada"])["bandwidth"] == ("pending", 0)


@pytest.mark.parametrize("only", [(), ("--only", "ada")])
def test_a_grading_on_the_emulator_says_that_bandwidth_is_pending_again(
    graded: Course, tmagrade: Tmagrade, only: tuple[str, ...]
) -> None:
    measure(tmagrade, graded)
    options = ["--submissions", graded.handed_in, "--labs", "lab3", "--backend", "emulator", *only]
    status, printed = tmagrade("grade", *options)
    [line] = [line for line in printed.splitlines() if "BANDWIDTH=alone adds it again" in line]
    assert status == 0 and line.endswith(": ada" if only else ": ada, ben, cy, dan"), printed
    assert "BANDWIDTH=alone" not in tmagrade("grade", *options)[1]
    measure(tmagrade, graded)
    assert parts(labs(graded)["ada"])["bandwidth"] == ("pass", 22.5)


@pytest.mark.parametrize(
    ("more", "words"),
    [(["--executor", "slurm"], "on this machine's GPU"), (["--labs", "lab4"], "holds no submission")],
)
def test_what_cannot_be_measured_is_a_usage_error(
    graded: Course, tmagrade: Tmagrade, more: list[str], words: str
) -> None:
    status, printed = measure(tmagrade, graded, *more)
    assert (status, words in printed) == (2, True), printed
