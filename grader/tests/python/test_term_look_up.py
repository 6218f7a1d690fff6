"""Gradescope's autograder that looks up what was graded here, and Classroom 50's results filled."""

import json
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import Course, Tmagrade
from jsonschema import Draft202012Validator
from test_gradescope import SPECIFICATION
from test_term import ROSTER, begin_term, grade, put, said

from staff.platforms.look_up_autograder import look_up

# schemas/result-v1.schema.json of foundation50/classroom50, as far as points go.
WHOLE = {"type": "integer", "minimum": 0}
CLASSROOM50: dict[str, Any] = {
    "required": ["schema", "owner", "datetime", "graded_at", "score", "max-score", "tests"],
    "properties": {
        "schema": {"const": "classroom50/result/v1"},
        "score": WHOLE,
        "max-score": WHOLE,
        "graded_at": {"pattern": r"^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$"},
        "tests": {
            "items": {
                "required": ["test-name", "passed", "score", "max-score"],
                "properties": {"passed": {"type": "boolean"}, "score": WHOLE, "max-score": WHOLE},
            }
        },
    },
}


@pytest.fixture
def term(course: Course, tmagrade: Tmagrade) -> Path:
    """Lab 4: ada is right, ben is wrong for himself and cy; eve has handed in nothing."""
    roster = ROSTER.replace("canvas,moodle", "github,moodle").replace(",101,", ",ada-l,")
    folder = begin_term(course, roster=roster)
    put(course, "ada/lab4/lab4.cu")
    put(course, "ben/lab4/lab4.cu", "load early fail")
    grade(tmagrade, course, "--labs", "lab4")
    return folder


def autograder(tmagrade: Tmagrade, folder: Path) -> Path:
    """/autograder, as Gradescope has it once the zip is there."""
    to = folder / "autograder.zip"
    said(tmagrade, "publish", "lab4", "--to", "gradescope", "--out", to, "--yes")
    root = folder / "autograder"
    (root / "results").mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(to) as archive:
        archive.extractall(root / "source")
    return root


def submitted_by(root: Path, *emails: str) -> dict[str, Any] | None:
    """results.json of a submission; None where there is none."""
    (root / "submission_metadata.json").write_text(json.dumps({"users": [{"email": one} for one in emails]}))
    results = root / "results/results.json"
    results.unlink(missing_ok=True)
    status = look_up(root)
    assert (status == 0) is results.exists()
    return dict(json.loads(results.read_text())) if results.exists() else None


def test_the_stored_result_is_found_by_the_address(term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    said(tmagrade, "override", "ada", "lab4", "91.5", "--reason", "appeal")
    value = submitted_by(autograder(tmagrade, tmp_path), "ADA@a.edu")
    assert value is not None
    Draft202012Validator(SPECIFICATION).validate(value)
    assert value["score"] == 91.5 and "graded: 100 of 100\noverridden: 91.5" in value["output"]
    assert [test["name"] for test in value["tests"]] == ["lab4-single-tile: load", "lab4-single-tile: hygiene"]


def test_reasons_are_not_for_students(term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    said(tmagrade, "override", "ada", "lab4", "91.5", "--reason", "ill, with a certificate")
    assert "certificate" not in json.dumps(submitted_by(autograder(tmagrade, tmp_path), "ada@a.edu"))


def test_who_has_no_result_gets_none_in_place_of_a_zero(term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    root = autograder(tmagrade, tmp_path)
    assert submitted_by(root, "eve@a.edu") is None
    assert submitted_by(root, "zoe@a.edu") is None
    assert submitted_by(root) is None


def test_a_pair_has_one_score_or_none(term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    value = submitted_by(autograder(tmagrade, tmp_path), "ben@a.edu", "cy@a.edu")
    assert value is not None and value["score"] == 85
    said(tmagrade, "add", "cy", "lab4", "5", "--reason", "found a mistake")
    root = autograder(tmagrade, tmp_path)
    assert submitted_by(root, "ben@a.edu", "cy@a.edu") is None
    assert submitted_by(root, "ben@a.edu", "eve@a.edu") is None


def test_gradescope_starts_it_with_nothing_of_ours(term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    to = tmp_path / "autograder.zip"
    said(tmagrade, "publish", "lab4", "--to", "gradescope", "--out", to)
    with zipfile.ZipFile(to) as archive:
        modes = {entry.filename: stat.S_IMODE(entry.external_attr >> 16) for entry in archive.infolist()}
    assert modes == {"setup.sh": 0o755, "run_autograder": 0o755, "results.json": 0o644}
    assert stat.S_IMODE(to.stat().st_mode) == 0o640
    program = tmp_path / "run_autograder"
    with zipfile.ZipFile(to) as archive:
        program.write_bytes(archive.read(program.name))
    alone = subprocess.run([sys.executable, "-I", "-S", program], capture_output=True, text=True)
    assert alone.stderr.endswith("No such file or directory: '/autograder/submission_metadata.json'\n")


def test_gradescopes_grades_are_compared(term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    autograder(tmagrade, tmp_path)
    book = tmp_path / "Lab_4_scores.csv"
    book.write_text(
        "First Name,Last Name,SID,Email,Sections,Total Score,Max Points,Status\n"
        "Ada,Lovelace,,ada@a.edu,,100.0,100.0,Graded\nBen,Bell,,ben@a.edu,,90.0,100.0,Graded\n"
        "Eve,Ng,,eve@a.edu,,,100.0,Missing\n"
    )
    lines = said(tmagrade, "compare", "lab4", "--to", "gradescope", "--book", book).splitlines()
    assert lines[:2] == [
        "ben: 90.0 there, 85 here: changed there",
        "lab4-single-tile: 2 of 3 students have there what counts here",
    ]


def test_classroom50s_own_result_comes_back_filled(term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    said(tmagrade, "override", "ada", "lab4", "91.5", "--reason", "appeal")
    there = {"schema": "classroom50/result/v1", "owner": "Ada-L", "datetime": "2026-09-25T10:00:00Z", "commit": "c"}
    for name, owner in (("f26-lab4-ada-l", "Ada-L"), ("f26-lab4-zoe", "zoe")):
        (tmp_path / "results" / name).mkdir(parents=True)
        text = json.dumps(there | {"owner": owner, "score": 0, "max-score": 0, "tests": []})
        (tmp_path / "results" / name / "result.json").write_text(text)
    to = tmp_path / "filled.zip"
    printed = said(tmagrade, "publish", "lab4", "--to", "classroom50", "--book", tmp_path / "results", "--out", to)
    assert "rows of nobody on the roster, left as they are: f26-lab4-zoe" in printed
    with zipfile.ZipFile(to) as archive:
        assert archive.namelist() == ["f26-lab4-ada-l/result.json"]
        value = json.loads(archive.read(archive.namelist()[0]))
    Draft202012Validator(CLASSROOM50).validate(value)
    assert (value["score"], value["max-score"], value["tests"][0]["passed"]) == (9150, 10000, False)
    assert {name: value[name] for name in there} == there


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["publish", "lab4", "--to", "canvas", "--out", "x"], "--book is needed for canvas"),
        (["publish", "lab4", "--to", "classroom50", "--book", "none", "--out", "x"], "none has no result.json"),
        (["compare", "lab4", "--to", "gradescope", "--book", __file__], "these are no grades of Gradescope's"),
        (["feedback", "--to", "gradescope", "--download", ".", "--out", "x"], "feedback goes back with what is"),
    ],
)
def test_what_cannot_be_published_is_a_usage_error(
    term: Path, tmagrade: Tmagrade, arguments: list[str], words: str
) -> None:
    status, printed = tmagrade("term", *arguments)
    assert (status, words in printed) == (2, True), printed
