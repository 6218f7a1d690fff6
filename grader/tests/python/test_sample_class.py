"""The sample class and the reference solutions, graded for real by what executes on this machine.

Of the class those whom `make grade` grades, about one a lab; all with SAMPLE_CLASS=all (`make test-class`), or where
the grades are given.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from staff.sample_class.tables import Student, few_of_class, read_class
from tmagrade.basics.json_form import from_json
from tmagrade.basics.paths import HERE
from tmagrade.course.about import Demand, Way, objections
from tmagrade.course.labs import Lab, Part, load_labs
from tmagrade.course.measures import BYTE_MEASURES, OTHER_MEASURES
from tmagrade.findings.finding import findings_of
from tmagrade.judging.scoring import PENDING
from tmagrade.machine.backend import DECIDING_POLICY, Backend
from tmagrade.outputs.wording import told

pytestmark = pytest.mark.whole_machine

# Grades that an image has written, or `make grade CLASS=all`, in place of those of `tmagrade grade`.
GIVEN = os.environ.get("GRADES_JSON")
WANTED = os.environ.get("SAMPLE_CLASS", "few" if GIVEN is None else "all")

LABS = load_labs(HERE.labs)
EVERYBODY = read_class(HERE, LABS)
CLASS = EVERYBODY if WANTED == "all" else few_of_class(EVERYBODY)


def id_of(lab: Lab) -> str:
    return lab.id


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
# How these end on a GPU differs from run to run: with wrong results, in an error or never.
GPU_DECIDES = {"parity-flips-once"}


def certain(student: Student, verdicts: dict[str, str], backend: Backend) -> dict[str, str]:
    """Without what is left to a seed, or to the moment."""
    uncertain = {"hygiene"} if student.name in SEED_DECIDES else set()
    if backend is Backend.GPU and student.name in GPU_DECIDES:
        uncertain = set(verdicts)
    wrong = {part for part in uncertain if verdicts[part] not in ("pass", PENDING)}
    return verdicts | dict.fromkeys(wrong, "wrong")


def what_to_add(student: Student, verdicts: dict[str, str], expected: dict[str, str]) -> str | None:
    """A student who is kept as whole files has not got what came into the lab later."""
    new = [part.id for part in student.lab.parts if verdicts[part.id] == "missing" != expected[part.id]]
    place = HERE.class_tables / student.lab.id
    return f"{place / student.name} lacks {', '.join(new)}: add it, or say `missing` in {place}.toml" if new else None


@pytest.mark.parametrize("student", CLASS, ids=name_of)
def test_a_students_verdicts_are_as_expected(grades: dict[str, Any], student: Student) -> None:
    parts = lab_of(grades, student.name, student.lab.id)["parts"]
    verdicts = {part["id"]: part["verdict"] for part in parts}
    backend = Backend(grades["backend"])
    expected = student.expected(backend)
    is_as_expected = certain(student, verdicts, backend) == certain(student, expected, backend)
    assert is_as_expected, what_to_add(student, verdicts, expected) or (verdicts, expected)


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


@pytest.mark.parametrize("lab", [lab.id for lab in LABS if lab.bandwidth])
def test_a_reference_solution_does_at_its_timed_size_what_was_judged(grades: dict[str, Any], lab: str) -> None:
    runs = [run for run in lab_of(grades, "solutions", lab)["runs"] if run["engine"] != "gpu"]
    rehearsals = {run["engine"]: run["rehearsal"] for run in runs if run["rehearsal"] is not None}
    assert {engine: said["verdict"] for engine, said in rehearsals.items()} == {DECIDING_POLICY: "pass"}, rehearsals


def ways_of_solution(grades: dict[str, Any], lab: Lab) -> dict[Part, Way]:
    """Which way the right cases came, of each part that asks for one."""
    runs = lab_of(grades, "solutions", lab.id)["runs"]
    ways = next(run["ways"] for run in runs if run["engine"] == DECIDING_POLICY)
    return {part: from_json(ways[part.id], Way) for part in lab.parts if part.about}


# All is seen to move in blocks of 16 bytes, so the last few of an array may be missing, or be one or two more.
NEARLY_ALL, HARDLY_MORE = 0.99, 1.01


def asking_more(demand: Demand) -> Demand:
    """A quarter more bytes than the part asks for, where there are as many."""
    if demand.measures[0] in OTHER_MEASURES:
        return demand
    amount = 1.25 * demand.amount
    if demand.share_of is not None:
        amount = min(amount, NEARLY_ALL)
    return replace(demand, amount=amount, other=asking_more(demand.other) if demand.other else None)


@pytest.mark.parametrize("lab", LABS, ids=id_of)
def test_a_reference_solution_leaves_room_for_other_right_ways(grades: dict[str, Any], lab: Lab) -> None:
    ways = ways_of_solution(grades, lab).items()
    assert {part.id: said for part, way in ways if (said := objections(list(map(asking_more, part.about)), way))} == {}


@pytest.mark.parametrize("lab", LABS, ids=id_of)
def test_no_byte_of_a_reference_solution_counts_twice(grades: dict[str, Any], lab: Lab) -> None:
    counted = [
        (part.id, measure, way.measured.get(measure, 0), max(way.input_bytes, way.output_bytes))
        for part, way in ways_of_solution(grades, lab).items()
        for demand in part.about
        for measure in demand.all_measures()
        if measure in BYTE_MEASURES
    ]
    assert [row for row in counted if row[2] > HARDLY_MORE * row[3]] == []
