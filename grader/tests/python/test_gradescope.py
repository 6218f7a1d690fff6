"""results.json, as Gradescope's documentation describes it."""

import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import Course
from jsonschema import Draft202012Validator
from test_outputs import FACTS

from staff.platforms.gradescope import gradescope_json
from tmagrade.basics.paths import HERE
from tmagrade.outputs.grades import Student

VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}

# https://gradescope-autograders.readthedocs.io/en/latest/specs/, "Output format"
SPECIFICATION: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "anyOf": [{"required": ["score"]}, {"required": ["tests"]}],
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "name_format": FORMAT,
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": FORMAT,
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "visibility": VISIBILITY,
                    "extra_data": {"type": "object"},
                },
            },
        },
        "leaderboard": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "value"],
                "properties": {
                    "name": {"type": "string"},
                    "value": {"type": ["number", "string"]},
                    "order": {"enum": ["asc", "desc"]},
                },
            },
        },
    },
}


def results(course: Course, text: str, gpus: int = 0) -> dict[str, Any]:
    """results.json of a student who handed in lab 3."""
    [job] = course.grade(course.submit("ada", text), gpus=gpus)
    value: dict[str, Any] = json.loads(json.dumps(gradescope_json(Student("ada", (job.result(),)), FACTS)))
    return value


@pytest.mark.parametrize(("text", "gpus"), [("pipeline any fail", 0), ("", 1), ("#error", 0), ("judge dies", 0)])
def test_results_are_as_gradescope_reads_them(course: Course, text: str, gpus: int) -> None:
    Draft202012Validator(SPECIFICATION).validate(results(course, text, gpus))


def test_a_part_is_a_test(course: Course) -> None:
    value = results(course, "pipeline any fail")
    assert value["score"] == 25
    assert value["tests"][0] == {
        "name": "lab3-bulk-copy: one-tile",
        "output": "pass",
        "visibility": "visible",
        "score": 20,
        "max_score": 20,
        "status": "passed",
    }
    assert value["tests"][1]["status"] == "failed"


def test_what_is_pending_has_no_points(course: Course) -> None:
    value = results(course, "")
    assert value["output"] == "75 of 75 points; 25 more are pending: neither lost nor given"
    assert value["tests"][3] == {
        "name": "lab3-bulk-copy: bandwidth",
        "output": "pending: measured on an sm_90 GPU only",
        "visibility": "visible",
    }


def test_a_measured_bandwidth_is_on_the_leaderboard(course: Course) -> None:
    assert results(course, "", gpus=1)["leaderboard"] == [
        {"name": "lab3-bulk-copy: GB/s", "value": 4047.0, "order": "desc"},
        {"name": "lab3-bulk-copy: fraction of the copy roofline", "value": 0.95, "order": "desc"},
    ]


def test_the_bandwidth_of_a_wrong_answer_is_on_no_leaderboard(course: Course) -> None:
    assert results(course, "pipeline gpu fail", gpus=1)["leaderboard"] == []


def test_what_the_grader_says_of_its_own_fault_is_not_for_students(course: Course) -> None:
    text = json.dumps(results(course, "judge dies"))
    assert "last words" not in text
    assert "no points are lost" in text


def test_no_escape_of_a_message_reaches_the_page(course: Course) -> None:
    nvcc = course.toolkit.nvcc
    nvcc.write_text(nvcc.read_text().replace("error: told to", "error: \x1b[31mred"))
    assert "␛[31mred" in results(course, "#error")["tests"][0]["output"]


def test_the_autograder_that_grades_on_their_machines_holds_no_answers(tmp_path: Path) -> None:
    pack = HERE.root / "docker/gradescope/pack.sh"
    subprocess.run([pack, "lab3-bulk-copy", tmp_path / "autograder.zip"], check=True, capture_output=True)
    with zipfile.ZipFile(tmp_path / "autograder.zip") as archive:
        names = archive.namelist()
        assert archive.read("lab") == b"lab3-bulk-copy\n"
    assert {"setup.sh", "run_autograder", "Makefile", "grader/Makefile", "labs/lab3-bulk-copy/lab.toml"} <= set(names)
    assert [name for name in names if name.startswith(("solutions/", "grader/tests/"))] == []
