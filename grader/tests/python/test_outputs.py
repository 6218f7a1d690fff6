"""grades.json, grades.csv, and how they and all others are written."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Course
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from written_grades import grades_json, grades_text

from staff.outputs import folder as folder_module
from staff.outputs.folder import folder_name, write_outputs
from staff.outputs.spreadsheet import grades_csv
from tmagrade.basics.errors import UsageError
from tmagrade.judging.scoring import same_for_all
from tmagrade.outputs.grades import Facts, Grades, Student, read_grades, students_of
from tmagrade.outputs.schema import SCHEMA_FILE, schema_text

SCHEMA = json.loads(SCHEMA_FILE.read_text())
FACTS = Facts("emulator", "13.0.88", "0" * 64, "2026-01-01T12:00:00+00:00", "2026-01-01T12:01:00+00:00")


def grades_of(course: Course, **students: Any) -> Grades:
    """A class whose students handed in lab 3 with the given texts."""
    jobs = course.grade(*(course.submit(name, text) for name, text in students.items()))
    return Grades(FACTS, tuple(course.labs), tuple(Student(job.submission.student, (job.result(),)) for job in jobs))


@pytest.fixture
def grades(course: Course) -> Grades:
    """ada handed in both labs, ben one that does not compile."""
    jobs = course.grade(
        course.submit("ada", "pipeline any fail"),
        course.submit("ada", "", "lab4-single-tile", "lab4.cu"),
        course.submit("ben", "#error"),
    )
    ada3, ada4, ben3 = (job.result() for job in jobs)
    return Grades(FACTS, tuple(course.labs), (Student("ada", (ada3, ada4)), Student("ben", (ben3,))))


@pytest.fixture
def measured(course: Course) -> Grades:
    """cleo was graded on a GPU."""
    [job] = course.grade(course.submit("cleo", ""), gpus=1)
    return Grades(FACTS, tuple(course.labs), (Student("cleo", (job.result(),)),))


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "grades"


def written(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


# grades.json


def test_the_schema_is_that_of_the_rows() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), "run `make schema`"


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("which", ["grades", "measured"])
def test_grades_json_is_as_its_schema_says(which: str, request: pytest.FixtureRequest) -> None:
    Draft202012Validator(SCHEMA).validate(json.loads(grades_text(request.getfixturevalue(which))))


def test_a_fault_of_the_grader_is_as_the_schema_says(course: Course) -> None:
    Draft202012Validator(SCHEMA).validate(grades_json(grades_of(course, ada="judge dies")))


def test_the_schema_knows_every_field_by_name(grades: Grades) -> None:
    value = grades_json(grades)
    value["students"][0]["labs"][0]["parts"][0]["surprise"] = 1
    with pytest.raises(ValidationError, match="surprise"):
        Draft202012Validator(SCHEMA).validate(value)


def test_the_schema_describes_every_field() -> None:
    def undescribed(node: Any, path: str) -> list[str]:
        if isinstance(node, list):
            return [found for item in node for found in undescribed(item, path)]
        if not isinstance(node, dict):
            return []
        fields = node.get("properties", {})
        bare = [f"{path}/{name}" for name, field in fields.items() if not field.get("description")]
        return bare + [found for name, child in node.items() for found in undescribed(child, f"{path}/{name}")]

    assert undescribed(SCHEMA, "") == []


def test_a_part_has_its_verdict_and_points(grades: Grades) -> None:
    value = json.loads(grades_text(grades))
    lab = value["students"][0]["labs"][0]
    assert (lab["id"], lab["score"], lab["max"], lab["pending"]) == ("lab3-bulk-copy", 25, 100, 25)
    assert lab["parts"][1] == {
        "id": "pipeline",
        "verdict": "fail",
        "score": 0,
        "max": 40,
        "pending": 0,
        "message": "small: it is a fail\n(0 of 2 cases pass)",
    }


def test_every_case_under_every_engine_is_kept(grades: Grades) -> None:
    runs = grades_json(grades)["students"][0]["labs"][0]["runs"]
    assert [run["engine"] for run in runs] == ["late", "early"]
    assert [(case["part"], case["case"], case["verdict"]) for case in runs[1]["cases"]] == [
        ("one-tile", "small", "pass"),
        ("one-tile", "large", "pass"),
        ("pipeline", "small", "fail"),
        ("pipeline", "large", "fail"),
    ]


def test_a_run_has_its_device_and_seed(grades: Grades) -> None:
    run = grades_json(grades)["students"][0]["labs"][0]["runs"][1]
    assert (run["device"], run["seed"]) == ("early", "7")


def test_a_case_is_a_line(grades: Grades) -> None:
    lines = grades_text(grades).splitlines()
    case = {"part": "one-tile", "case": "small", "verdict": "pass", "message": "", "bypasses_tma": False}
    assert json.dumps(case) in [line.strip(" ,") for line in lines]


def test_a_measured_bandwidth_is_kept(measured: Grades) -> None:
    lab = grades_json(measured)["students"][0]["labs"][0]
    assert (lab["bandwidth"]["gb_per_s"], lab["bandwidth"]["roofline_gb_per_s"]) == (4047.0, 4260.0)
    assert lab["runs"][0]["engine"] == "gpu"


@pytest.mark.parametrize("which", ["grades", "measured"])
def test_what_is_read_is_what_was_written(which: str, request: pytest.FixtureRequest, output: Path) -> None:
    grades = request.getfixturevalue(which)
    write_outputs(output, grades)
    assert read_grades(output) == grades


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 3}', '{"schema": 4}', '{"schema": 4, "labs": 7}'])
def test_what_is_no_grades_json_is_refused_in_words(output: Path, grades: Grades, text: str) -> None:
    output.mkdir()
    (output / "grades.json").write_text(text)
    with pytest.raises(UsageError, match=r"grade again|cannot be read"):
        read_grades(output)
    write_outputs(output, grades)  # and it is no obstacle to the next grading
    assert read_grades(output) == grades


def test_a_student_is_one_wherever_the_labs_stand(course: Course) -> None:
    lab3, lab4 = (same_for_all(lab, "missing", "") for lab in course.labs)
    assert students_of([("ada", lab3), ("ben", lab3), ("ada", lab4)]) == (
        Student("ada", (lab3, lab4)),
        Student("ben", (lab3,)),
    )


# grades.csv


def test_grades_csv_has_a_row_a_student_and_a_column_a_part(grades: Grades) -> None:
    assert grades_csv(grades).splitlines() == [
        "student,lab3-bulk-copy/one-tile,lab3-bulk-copy/pipeline,lab3-bulk-copy/hygiene,lab3-bulk-copy/bandwidth,"
        "lab4-single-tile/load,lab4-single-tile/hygiene,lab3-bulk-copy,lab4-single-tile,total,max,pending",
        "ada,20,0,5,pending,85,15,25,100,125,200,25",
        "ben,0,0,0,0,,,0,,0,100,0",
    ]


@pytest.mark.parametrize("name", ["=cmd|'/c calc'!A1", "+1", "-1", "@sum", "＝1", " =1", "\t=1", "\r=1"])
def test_no_name_is_a_formula(name: str) -> None:
    table = grades_csv(Grades(FACTS, (), (Student(name, ()),)))
    cell = table.split("\n")[1].removesuffix(",0,0,0").strip('"')
    assert cell[0] == "'" or cell[0] in "␍␉"


def test_an_ordinary_name_is_left_alone() -> None:
    assert (
        grades_csv(Grades(FACTS, (), (Student("Åsa-Lena O'Neil", ()),)))
        == "student,total,max,pending\nÅsa-Lena O'Neil,0,0,0\n"
    )


# The folder


def test_all_outputs_are_written(output: Path, grades: Grades) -> None:
    write_outputs(output, grades)
    assert written(output) == {
        "grades.json",
        "grades.csv",
        "report.html",
        *(f"{student}/{name}" for student in ("ada", "ben") for name in folder_module.STUDENT_FILES),
    }


def test_outputs_that_cannot_be_made_leave_the_older_ones_whole(
    output: Path, course: Course, grades: Grades, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_outputs(output, grades)
    before = {path: (output / path).read_bytes() for path in written(output)}

    def fail(_: Grades) -> str:
        raise RuntimeError

    monkeypatch.setattr(folder_module, "grades_csv", fail)
    with pytest.raises(RuntimeError):
        write_outputs(output, grades_of(course, dan=""))
    assert {path: (output / path).read_bytes() for path in written(output)} == before


def test_a_folder_that_cannot_be_made_leaves_the_older_outputs_whole(
    output: Path, course: Course, grades: Grades
) -> None:
    write_outputs(output, grades)
    (output / "dan").touch()
    before = {path: (output / path).read_bytes() for path in written(output)}
    with pytest.raises(FileExistsError):
        write_outputs(output, grades_of(course, ada="#error", dan=""))
    assert {path: (output / path).read_bytes() for path in written(output)} == before


def test_a_student_who_is_gone_leaves_no_results_and_is_named(output: Path, course: Course, grades: Grades) -> None:
    write_outputs(output, grades)
    assert write_outputs(output, grades_of(course, ada="")) == ["ben"]
    assert not (output / "ben").exists()
    assert (output / "ada/results.json").exists()


def test_what_others_put_beside_results_stays(output: Path, course: Course, grades: Grades) -> None:
    write_outputs(output, grades)
    (output / "ben/notes.txt").touch()
    (output / "elsewhere").mkdir()
    (output / "elsewhere/results.json").touch()
    write_outputs(output, grades_of(course, ada=""))
    assert {"ben/notes.txt", "elsewhere/results.json"} <= written(output)
    assert "ben/results.json" not in written(output)


@pytest.mark.parametrize("name", ["ada", "Åsa-Lena", "ben_2", "a.b@c.org", "éva"])
def test_most_students_have_a_folder_of_their_own_name(name: str) -> None:
    assert folder_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["../up", "..", ".", "", "a/b", "/root", "a\0b", "\u202eada", "grades.json", "Grades.CSV", ".hidden", "x" * 300],
)
def test_no_students_folder_leads_elsewhere(output: Path, name: str) -> None:
    safe = folder_name(name)
    assert safe != name
    assert safe not in ("", ".", "..", "grades.json", "grades.csv") and Path(safe).name == safe
    write_outputs(output, Grades(FACTS, (), (Student(name, ()),)))
    assert f"{safe}/results.json" in written(output)


def test_two_students_never_share_a_folder() -> None:
    assert len({folder_name(name) for name in ("a/b", "a_b", "a\0b", "a\\b")}) == 4


def test_a_name_that_is_no_utf_8_is_written(output: Path) -> None:
    grades = Grades(FACTS, (), (Student("ada\udcff", ()),))
    write_outputs(output, grades)
    assert read_grades(output) == grades
