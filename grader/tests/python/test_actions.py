"""What GitHub Actions shows of a push: annotations, and the job's summary."""

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Course, Tmagrade
from test_feedback import result_with
from test_outputs import FACTS

from tmagrade.commands.actions_command import begun
from tmagrade.course.labs import Lab
from tmagrade.findings.finding import Finding, SourcePlace, Span
from tmagrade.judging.scoring import LabResult, PartResult
from tmagrade.outputs.actions import MOST_ANNOTATIONS, MOST_SUMMARY_BYTES, annotations, summary_text
from tmagrade.outputs.feedback import feedback_text
from tmagrade.outputs.grades import Student

FINDING = Finding(
    code="missing-proxy-fence",
    message="the tile is stored before the fence",
    place=SourcePlace("lab3.cu", 12, 5),
    text=((Span("plain", "lab3.cu:12:5: error: the tile is stored before the fence"),),),
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "labs/lab3-bulk-copy").mkdir(parents=True)
    (tmp_path / "labs/lab3-bulk-copy/lab3.cu").touch()
    return tmp_path


def annotation(result: LabResult, root: Path) -> tuple[dict[str, str], str]:
    [line] = annotations([result], root)
    found = re.fullmatch(r"::error ([^:]*)::(.*)", line)
    assert found is not None, line
    return dict(pair.split("=", 1) for pair in found[1].split(",")), found[2]


def test_a_finding_stands_beside_its_line(lab3: Lab, root: Path) -> None:
    part = PartResult("one-tile", "hazard", 5, 20, "", (FINDING,))
    properties, said = annotation(LabResult(lab3, (part,)), root)
    assert properties == {
        "file": "labs/lab3-bulk-copy/lab3.cu",
        "line": "12",
        "col": "5",
        "title": "lab3 one-tile%3A 15 points missing",
    }
    assert said.startswith("Hazard: right by luck alone.%0Alab3.cu:12:5: error: the tile is stored before the fence%0A")


def test_what_the_compiler_refuses_stands_beside_its_line_once(lab3: Lab, root: Path) -> None:
    message = "lab3.cu:7:3: error: no"
    parts = tuple(PartResult(name, "build error", 0, 20, message) for name in ("one-tile", "pipeline"))
    properties, _ = annotation(LabResult(lab3, parts), root)
    assert (properties["line"], properties["title"]) == ("7", "lab3 one-tile%2C pipeline%3A 40 points missing")


@pytest.mark.parametrize("message", ["4 of 4 elements are wrong", "/etc/passwd:1:1: error", "../../x.cu:1:1: error"])
def test_what_has_no_line_in_the_repository_stands_at_the_labs_source(lab3: Lab, root: Path, message: str) -> None:
    properties, _ = annotation(result_with(lab3, message), root)
    assert properties == {"file": "labs/lab3-bulk-copy/lab3.cu", "title": "lab3 one-tile%3A 20 points missing"}


def test_no_message_ends_its_command_or_begins_another(lab3: Lab, root: Path) -> None:
    [line] = annotations([result_with(lab3, "100%\n::set-env name=PATH::evil\r\n::error::x")], root)
    assert "\n" not in line and "\r" not in line
    assert "100%25%0A::set-env" in line  # a command is only at a line's beginning


@pytest.mark.parametrize("verdict", ["pass", "pending", "grader fault"])
def test_what_costs_the_student_nothing_is_no_error(lab3: Lab, root: Path, verdict: str) -> None:
    score = 20 if verdict == "pass" else 0
    assert annotations([LabResult(lab3, (PartResult("one-tile", verdict, score, 20, "x"),))], root) == []


def test_as_many_are_told_as_github_shows(lab3: Lab, root: Path) -> None:
    parts = tuple(PartResult(f"part-{n}", "fail", 0, 1, f"{n}") for n in range(MOST_ANNOTATIONS + 5))
    assert len(annotations([LabResult(lab3, parts)], root)) == MOST_ANNOTATIONS


def test_the_summary_is_feedbacks_text(lab3: Lab) -> None:
    result = result_with(lab3, "4 of 4 elements are wrong")
    assert summary_text([result]).strip() in feedback_text(Student("ada", (result,)), FACTS)


def test_a_summary_is_not_longer_than_github_takes(lab3: Lab) -> None:
    part = PartResult("one-tile", "fail", 0, 20, "")
    parts = tuple(replace(part, id=f"part-{n}", message="é" * 7000 + str(n)) for n in range(100))
    text = summary_text([LabResult(lab3, parts)])
    assert len(text.encode()) <= MOST_SUMMARY_BYTES
    assert text.endswith("... and more, which `make` says in each lab's folder.\n")


# The command


def push(course: Course, text: str) -> None:
    (course.repository.labs / "lab3-bulk-copy/lab3.cu").write_text(text)


def test_the_command_prints_annotations_and_adds_to_the_summary(
    course: Course, tmagrade: Tmagrade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    push(course, "pipeline any fail")
    summary = tmp_path / "summary"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    status, printed = tmagrade("actions", "--labs", "lab3")
    assert status == 1
    assert "\n::error file=labs/lab3-bulk-copy/lab3.cu,title=lab3 pipeline%3A 40 points missing::Fail" in printed
    assert summary.read_text().startswith("before\n## Lab 3: ")
    assert "### `pipeline`: 40 points missing" in summary.read_text()


def test_elsewhere_it_needs_no_summary(course: Course, tmagrade: Tmagrade, monkeypatch: pytest.MonkeyPatch) -> None:
    push(course, "")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    status, printed = tmagrade("actions", "--labs", "lab3")
    assert (status, "::error" in printed) == (0, False)


def test_what_a_program_prints_is_no_command(course: Course, tmagrade: Tmagrade) -> None:
    push(course, "")
    _, printed = tmagrade("actions", "--labs", "lab3")
    before, word, inside = re.split(r"::stop-commands::(\w+)\n", printed, maxsplit=1)
    graded, _, _ = inside.partition(f"::{word}::\n")
    assert "Score:" in graded and "Score:" not in before


# Which labs


def git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def pushed(course: Course) -> Course:
    git(course.repository.root, "init", "-q")
    git(course.repository.root, "add", "labs")
    git(course.repository.root, "commit", "-qm", "what was released")
    return course


def test_a_lab_is_begun_when_its_files_are_no_longer_the_first_commits(pushed: Course) -> None:
    assert begun(pushed.labs, pushed.repository.root) == []
    push(pushed, "mine")
    git(pushed.repository.root, "add", "labs")
    git(pushed.repository.root, "commit", "-qm", "lab 3")
    (pushed.repository.root / "notes").touch()
    git(pushed.repository.root, "add", "notes")
    git(pushed.repository.root, "commit", "-qm", "later")
    assert [lab.id for lab in begun(pushed.labs, pushed.repository.root)] == ["lab3-bulk-copy"]


def test_without_the_first_commit_all_labs_are_graded(course: Course, pushed: Course, tmp_path: Path) -> None:
    git(pushed.repository.root, "commit", "-q", "--allow-empty", "-m", "later")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{pushed.repository.root}", "shallow")
    assert begun(course.labs, tmp_path / "shallow") == course.labs
    assert begun(course.labs, tmp_path) == course.labs
