"""Two labs of the sample class graded by Slurm itself, with the emulator, the judges and the sandbox: what their tables
say, as everywhere. `make test-slurm` runs it, as root.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from staff.sample_class.tables import Student, read_class
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs
from tmagrade.machine.backend import Backend

sys.path.insert(0, str(HERE.grader / "tests/python"))

from real_slurm import RealSlurm

LABS = ("lab2-split-barrier", "lab3-bulk-copy")
CLASS = [student for student in read_class(HERE, load_labs(HERE.labs)) if student.lab.id in LABS]


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealSlurm]:
    with RealSlurm.started(tmp_path_factory.mktemp("slurm")) as started:
        yield started


@pytest.fixture(scope="module")
def grades(slurm: RealSlurm, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    state, output = tmp_path_factory.mktemp("state"), tmp_path_factory.mktemp("grades")
    command = [sys.executable, "-m", "tmagrade", "grade", "--class", "all", "--labs", ",".join(LABS), "--seeds", "1"]
    command += ["--executor", "slurm", "--output", str(output)]
    environment = {**os.environ, **slurm.environment, "TMAGRADE_STATE": str(state)}
    graded = subprocess.run(command, cwd=HERE.grader, env=environment, capture_output=True, text=True)
    assert graded.returncode == 0, graded.stdout + graded.stderr
    answer: dict[str, Any] = json.loads((output / "grades.json").read_text())
    return answer


def verdicts(grades: dict[str, Any], name: str, lab: str) -> dict[str, str]:
    labs = next(entry["labs"] for entry in grades["students"] if entry["id"] == name)
    parts = next(entry["parts"] for entry in labs if entry["id"] == lab)
    return {part["id"]: part["verdict"] for part in parts}


@pytest.mark.parametrize("student", CLASS, ids=lambda student: f"{student.name}-{student.lab.id}")
def test_a_students_verdicts_are_those_of_one_machine(grades: dict[str, Any], student: Student) -> None:
    assert verdicts(grades, student.name, student.lab.id) == student.expected(Backend.EMULATOR)


@pytest.mark.parametrize("lab", LABS)
def test_a_reference_solution_passes(grades: dict[str, Any], lab: str) -> None:
    assert set(verdicts(grades, "solutions", lab).values()) <= {"pass", "pending"}


def test_everybody_was_graded_by_a_task_of_one_array(grades: dict[str, Any], slurm: RealSlurm) -> None:
    [job] = slurm.jobs
    assert set(slurm.states(job)) == {"COMPLETED"}
    assert len(slurm.states(job)) == len(CLASS) + len(LABS)
