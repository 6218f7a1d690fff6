"""The sample class and the reference solutions, graded for real by what executes on this machine.

Of the class those whom `make grade` grades, about one a lab; all with SAMPLE_CLASS=all (`make test-class`), or where
the grades are given.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs
from tmagrade.findings.finding import findings_of
from tmagrade.judging.scoring import PENDING
from tmagrade.machine.backend import DECIDING_POLICY, Backend
from tmagrade.outputs.wording import told
from tmagrade.sample_class.tables import Student, few_of_class, read_class

pytestmark = pytest.mark.whole_machine

# Grades that an image has written, or `make grade CLASS=all`, in place of those of `tmagrade grade`.
GIVEN = os.environ.get("GRADES_JSON")
WANTED = os.environ.get("SAMPLE_CLASS", "few" if GIVEN is None else "all")

EVERYBODY = read_class(HERE, load_labs(HERE.labs))
CLASS = EVERYBODY if WANTED == "all" else few_of_class(EVERYBODY)


def name_of(student: Student) -> str:
    return f"{student.name}-{student.lab.id}"


@pytest.fixture(scope="module")
def grades(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """grades.json."""
    if GIVEN is not None:
        written: dict[str, Any] = json.loads(Path(GIVEN).read_text())
        return written
    folder = tmp_path_factory.mktemp("grades")
    # Under the second random policy the mistake of one student of the whole class is luck; the third one says nothing
    # new of anybody.
    seeds = "2" if WANTED == "all" else "1"
    command = [sys.executable, "-m", "tmagrade", "grade", "--class", WANTED, "--seeds", seeds, "--output", str(folder)]
    graded = subprocess.run(command, cwd=HERE.grader, capture_output=True, text=True)
    assert graded.returncode == 0, graded.stdout + graded.stderr
    answer: dict[str, Any] = json.loads((folder / "grades.json").read_text())
    return answer


def lab_of(grades: dict[str, Any], student: str, lab: str) -> dict[str, Any]:
    labs = next(entry["labs"] for entry in grades["students"] if entry["id"] == student)
    found: dict[str, Any] = next(entry for entry in labs if entry["id"] == lab)
    return found


# Of these the seed of a random policy, which hygiene asks as well, decides whether they end wrong or never.
SEED_DECIDES = {"own-empty-barrier"}


def certain(student: Student, verdicts: dict[str, str]) -> dict[str, str]:
    """Without what is left to a seed."""
    is_wrong = student.name in SEED_DECIDES and verdicts["hygiene"] not in ("pass", PENDING)
    return verdicts | ({"hygiene": "wrong"} if is_wrong else {})


@pytest.mark.parametrize("student", CLASS, ids=name_of)
def test_a_students_verdicts_are_as_expected(grades: dict[str, Any], student: Student) -> None:
    parts = lab_of(grades, student.name, student.lab.id)["parts"]
    verdicts = {part["id"]: part["verdict"] for part in parts}
    assert certain(student, verdicts) == certain(student, student.expected(Backend(grades["backend"])))


@pytest.mark.parametrize("student", [student for student in CLASS if student.says], ids=name_of)
def test_a_student_is_told_what_went_wrong(grades: dict[str, Any], student: Student) -> None:
    parts = lab_of(grades, student.name, student.lab.id)["parts"]
    wrong = [part for part in parts if part["verdict"] not in ("pass", "pending")]
    messages = [told(part["message"], findings_of(part)) for part in wrong]
    assert any(re.search(student.says or "", message) for message in messages), messages


@pytest.mark.parametrize("lab", sorted(path.name for path in HERE.solutions.glob("lab*")))
def test_a_reference_solution_has_full_marks_for_all_but_bandwidth(grades: dict[str, Any], lab: str) -> None:
    parts = lab_of(grades, "solutions", lab)["parts"]
    lost = {part["id"]: part["message"] for part in parts if part["id"] != "bandwidth" and part["score"] != part["max"]}
    assert lost == {}


@pytest.mark.parametrize("lab", [lab.id for lab in load_labs(HERE.labs) if lab.bandwidth])
def test_a_reference_solution_does_at_its_timed_size_what_was_judged(grades: dict[str, Any], lab: str) -> None:
    runs = [run for run in lab_of(grades, "solutions", lab)["runs"] if run["engine"] != "gpu"]
    rehearsals = {run["engine"]: run["rehearsal"] for run in runs if run["rehearsal"] is not None}
    assert {engine: said["verdict"] for engine, said in rehearsals.items()} == {DECIDING_POLICY: "pass"}, rehearsals


def test_the_solutions_do_what_their_parts_are_about_in_these_numbers(grades: dict[str, Any]) -> None:
    runs = {
        lab.id: next(run for run in lab_of(grades, "solutions", lab.id)["runs"] if run["engine"] == DECIDING_POLICY)
        for lab in load_labs(HERE.labs)
    }
    counted = {
        lab.id: {
            part.id: {
                measure: runs[lab.id]["ways"][part.id]["measured"].get(measure, 0)
                for demand in part.about
                for measure in demand.all_measures()
            }
            for part in lab.parts
            if part.about
        }
        for lab in load_labs(HERE.labs)
    }
    known = json.loads((HERE.grader / "tests/python/solution_ways.json").read_text())
    assert {lab: parts for lab, parts in counted.items() if parts} == known
