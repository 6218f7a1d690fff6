"""grades.json, grades.csv and results.json."""

import json

import pytest
from conftest import Course

from tmagrade.backend import Backend
from tmagrade.cache import write_atomically
from tmagrade.outputs import Student, grades_csv, grades_json, gradescope_json, write_outputs


@pytest.fixture
def students(course: Course) -> list[Student]:
    """ada handed in both labs, ben one that does not compile."""
    jobs = course.grade(
        course.submit("ada", "pipeline any fail"),
        course.submit("ada", "", "lab4-single-tile", "lab4.cu"),
        course.submit("ben", "#error"),
    )
    ada3, ada4, ben3 = (job.result() for job in jobs)
    return [Student("ada", (ada3, ada4)), Student("ben", (ben3,))]


def test_grades_json_has_the_documented_shape(students: list[Student]) -> None:
    grades = grades_json(Backend.EMULATOR, students)
    assert list(grades) == ["schema", "backend", "students"]
    assert (grades["schema"], grades["backend"]) == (1, "emulator")
    lab = grades["students"][0]["labs"][0]
    assert list(lab) == ["id", "score", "max", "pending", "parts"]
    assert (lab["id"], lab["score"], lab["max"], lab["pending"]) == ("lab3-bulk-copy", 25, 100, 25)
    assert lab["parts"][1] == {
        "id": "pipeline",
        "verdict": "fail",
        "score": 0,
        "max": 40,
        "message": "small: it is a fail\n(0 of 2 cases pass)",
    }


def test_grades_csv_has_a_row_a_student_and_a_column_a_part(course: Course, students: list[Student]) -> None:
    assert grades_csv(course.labs, students).splitlines() == [
        "student,lab3-bulk-copy/one-tile,lab3-bulk-copy/pipeline,lab3-bulk-copy/hygiene,lab3-bulk-copy/bandwidth,"
        "lab4-single-tile/load,lab4-single-tile/hygiene,lab3-bulk-copy,lab4-single-tile,total",
        "ada,20,0,5,pending,85,15,25,100,125",
        "ben,0,0,0,0,,,0,,0",
    ]


def test_gradescope_gets_a_test_a_part(students: list[Student]) -> None:
    results = gradescope_json(students[0])
    assert results["score"] == 125
    assert results["tests"][0] == {
        "name": "lab3-bulk-copy: one-tile",
        "output": "pass",
        "score": 20,
        "max_score": 20,
        "status": "passed",
    }
    assert results["tests"][1]["status"] == "failed"


def test_gradescope_gets_no_points_for_what_is_pending(students: list[Student]) -> None:
    bandwidth = gradescope_json(students[0])["tests"][3]
    assert bandwidth == {"name": "lab3-bulk-copy: bandwidth", "output": "pending: measured on an sm_90 GPU only"}


def test_a_measured_bandwidth_is_on_gradescopes_leaderboard(course: Course) -> None:
    [job] = course.grade(course.submit("ada", ""), gpus=1)
    board = gradescope_json(Student("ada", (job.result(),)))["leaderboard"]
    assert board == [{"name": "lab3-bulk-copy GB/s", "value": 4047, "order": "desc"}]


def test_all_outputs_are_written(course: Course, students: list[Student]) -> None:
    folder = course.repository.grades
    write_outputs(folder, Backend.EMULATOR, course.labs, students)
    assert json.loads((folder / "grades.json").read_text()) == grades_json(Backend.EMULATOR, students)
    assert (folder / "grades.csv").read_text() == grades_csv(course.labs, students)
    assert json.loads((folder / "ben/results.json").read_text()) == gradescope_json(students[1])


def test_a_failed_write_leaves_the_old_file(course: Course) -> None:
    path = course.repository.build / "grades.json"
    write_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "\ud800")
    assert path.read_text() == "old"
    assert [entry.name for entry in path.parent.iterdir() if "grades" in entry.name] == ["grades.json"]
