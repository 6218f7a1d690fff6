"""What was written before may be damaged: it is made anew, or a message says where, and nobody sees a traceback."""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from conftest import LAB_TOML, Course, Tmagrade, write_lab

from staff.collecting.unpacked import LEFT_OUT
from tmagrade.basics.errors import GraderFault
from tmagrade.course.labs import load_lab

DAMAGE = [
    b"",
    b"null",
    b"[]",
    b"{",
    b"\xff\xfe{}",
    "{}".encode("utf-16"),
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"NaN",
    b"9" * 400,
    b"9" * 10_000,
    b"1e400",
    b'"a text"',
]

# Instead of any value within a record.
VALUES: list[Any] = [None, {}, "a text", float("nan"), 10**400, [[1]]]


def shown(damage: bytes) -> str:
    return repr(damage[:12])


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value, the outermost first."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(place for key, child in inner for place in places(child, (*at, key)))]


def some(found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The whole, and as many of the others as there is time for; others each time."""
    return [(), *random.sample(found, min(12, len(found)))]


def replaced(value: Any, at: tuple[Any, ...], by: Any) -> Any:
    if not at:
        return by
    copy = value.copy()
    copy[at[0]] = replaced(value[at[0]], at[1:], by)
    return copy


@pytest.mark.parametrize("name", ["build.json", "late.json"])
def test_a_damaged_record_is_made_anew(course: Course, name: str) -> None:
    submission = course.submit("ada", "pipeline any fail")
    [before] = course.grade(submission)
    for damage in DAMAGE:
        for record in course.repository.records.rglob(name):
            record.write_bytes(damage)
        [after] = course.grade(submission)
        assert after.result().parts == before.result().parts, damage[:12]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: str(value)[:12])
def test_a_record_with_another_value_somewhere_never_ends_the_grading(course: Course, value: Any) -> None:
    submission = course.submit("ada", "pipeline any hazard")
    [before] = course.grade(submission, engines=("late",))
    [path] = course.repository.records.rglob("late.json")
    record = json.loads(path.read_text())
    grading = course.grading(engines=("late",))
    for place in some(places(record["value"]["judged"])):
        path.write_text(json.dumps(replaced(record, ("value", "judged", *place), value)))
        before.work.emulated.clear()
        grading._recall(before.work)
        if before.work.emulated:  # as a part that is called otherwise
            assert before.result().max == 100


def test_a_record_of_a_version_whose_findings_had_no_text_is_made_anew(course: Course) -> None:
    submission = course.submit("ada", "pipeline any hazard")
    [before] = course.grade(submission, engines=("late",))
    [path] = course.repository.records.rglob("late.json")
    record = json.loads(path.read_text())
    findings = [finding for case in record["value"]["judged"]["cases"] for finding in case.get("findings", [])]
    for finding in findings:
        del finding["text"]
    path.write_text(json.dumps(record))
    [after] = course.grade(submission, engines=("late",))
    assert findings and after.result().parts == before.result().parts
    assert "text" in path.read_text()


@pytest.fixture
def graded(course: Course, tmagrade: Tmagrade) -> Path:
    course.submit("ada", "pipeline any hazard")
    tmagrade("grade", "--submissions", course.handed_in, "--output", course.repository.grades, "--seeds", 0)
    return course.repository.grades / "grades.json"


def test_damaged_grades_are_an_error_with_the_place(tmagrade: Tmagrade, graded: Path) -> None:
    for damage in DAMAGE:
        graded.write_bytes(damage)
        status, printed = tmagrade("explain", "ada", "lab3", "--grades", graded.parent)
        assert status == 2 and str(graded) in printed, damage[:12]


def test_grades_with_another_value_somewhere_are_shown_or_refused(tmagrade: Tmagrade, graded: Path) -> None:
    grades = json.loads(graded.read_text())
    for value in VALUES:
        for place in some(places(grades)):
            graded.write_text(json.dumps(replaced(grades, place, value)))
            status, printed = tmagrade("explain", "ada", "lab3", "--grades", graded.parent)
            assert status in (0, 2), (place, value, printed)


def test_damaged_grades_are_refused_with_student_lab_and_field(tmagrade: Tmagrade, graded: Path) -> None:
    grades = json.loads(graded.read_text())
    cases: list[tuple[tuple[Any, ...], Any, str]] = [
        (("students", 0, "labs", 0, "score"), float("nan"), "ada, lab3-bulk-copy: score is nan"),
        (("students", 0, "labs", 0, "max"), 10**400, "ada, lab3-bulk-copy: max is 1000"),
        (("students", 0, "pending"), "none", "ada: pending is 'none'"),
        (("students", 0, "labs", 0, "parts", 1, "score"), None, "ada, lab3-bulk-copy: parts[1].score is None"),
        (("students", 0, "labs", 0, "parts", 1), {}, "ada, lab3-bulk-copy: parts[1]: 'id' is missing"),
        (("students", 0), {"id": "ada"}, "ada: 'score' is missing"),
        (("students", 0), {}, "students[0]: 'id' is missing"),
        (("labs", 0), {}, "labs[0]: 'id' is missing"),
        (("labs", 0, "points", "hygiene"), None, "labs[0].points.hygiene is None"),
        ((), {"schema": 4}, "the whole: 'backend' is missing"),
    ]
    for place, value, said in cases:
        graded.write_text(json.dumps(replaced(grades, place, value)))
        status, printed = tmagrade("explain", "ada", "lab3", "--grades", graded.parent)
        assert status == 2
        assert said in " ".join(printed.split())


def test_damaged_grades_do_not_keep_a_class_from_being_graded(course: Course, tmagrade: Tmagrade, graded: Path) -> None:
    for damage in DAMAGE:
        graded.write_bytes(damage)
        status, _ = tmagrade("grade", "--submissions", course.handed_in, "--output", graded.parent, "--seeds", 0)
        assert status == 0, damage[:12]
        assert json.loads(graded.read_text())["students"]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e400", "9" * 400, "9" * 10_000, "true", '"60"'])
def test_a_number_in_lab_toml_that_is_none_is_a_fault_with_the_place(tmp_path: Path, number: str) -> None:
    path = write_lab(tmp_path, LAB_TOML.replace("hygiene = 15", f"hygiene = {number}"))
    with pytest.raises(GraderFault) as fault:
        load_lab(path)
    assert str(path) in str(fault.value) and len(str(fault.value)) < 500


@pytest.mark.parametrize(
    "text",
    ["x = " + "[" * 100_000, "[a" + ".a" * 2_000 + "]", "\udcff", "\ufeffid = 1"],
    ids=lambda text: repr(text[:9]),
)
def test_a_lab_toml_that_is_none_is_a_fault_with_the_place(tmp_path: Path, text: str) -> None:
    path = write_lab(tmp_path, LAB_TOML)
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(GraderFault) as fault:
        load_lab(path)
    assert str(path) in str(fault.value)


@pytest.mark.parametrize("kind", ["fifo", "zero", "large"])
def test_a_lab_toml_that_has_no_end_is_a_fault_with_the_place(tmp_path: Path, kind: str) -> None:
    path = write_lab(tmp_path, LAB_TOML)
    path.unlink()
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "zero":
        path.symlink_to("/dev/zero")
    else:
        path.write_bytes(b"#" * (1 << 21))
    with pytest.raises(GraderFault, match=r"no regular file|more than 1 MiB") as fault:
        load_lab(path)
    assert str(path) in str(fault.value)


@pytest.mark.parametrize("damage", DAMAGE[1:5], ids=shown)
def test_a_damaged_note_of_what_was_unpacked_unpacks_again(
    course: Course, tmagrade: Tmagrade, damage: bytes, tmp_path: Path
) -> None:
    from archive_maker import make_zip

    make_zip(course.handed_in / "ada.zip", {"lab3.cu": ""})
    arguments = ("grade", "--submissions", course.handed_in, "--output", course.repository.grades)
    assert tmagrade(*arguments)[0] == 0
    for note in course.repository.unpacked.rglob(LEFT_OUT):
        note.write_bytes(damage)
    assert tmagrade(*arguments)[0] == 0
