"""How tests ask which hand-ins of a class the grader finds."""

from pathlib import Path

from conftest import Course

from staff.platforms.find import Found, Layout, find_submissions
from tmagrade.submissions.staging import stage
from tmagrade.submissions.submission import Submission


def find(course: Course, given: Path | None = None, labs: slice = slice(None), layout: Layout | None = None) -> Found:
    unpacked = course.repository.unpacked
    return find_submissions(given or course.handed_in, course.labs, course.labs[labs], unpacked, layout)


def one(course: Course, given: Path | None = None, labs: slice = slice(None)) -> Submission:
    (submission,) = find(course, given, labs).submissions
    return submission


def names(found: Found) -> list[tuple[str, str]]:
    return [(submission.student, submission.lab.id.split("-")[0]) for submission in found.submissions]


def staged(submission: Submission, tmp_path: Path) -> dict[str, str]:
    """What reaches the compiler."""
    assert submission.problem == ""
    stage(submission.folder, tmp_path / "stage")
    files = {
        str(path.relative_to(tmp_path / "stage")): path.read_text()
        for path in (tmp_path / "stage").rglob("*")
        if path.is_file()
    }
    del files["submission.cuh"]
    return files
