"""Writes the outputs: all of them or none, each student's in a folder of its own.

Grades are for the course's staff: their files can be read by their owner and group alone.
"""

import fcntl
import itertools
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from staff.outputs.report import report_html
from staff.outputs.spreadsheet import grades_csv
from staff.platforms.gradescope import gradescope_json
from staff.term.remark_text import markdown_of, plain_of
from staff.term.remarks import Remarks, has_term, remarks_on
from staff.term.student_counts import counts_of
from staff.term.term import open_term
from tmagrade.basics.cache import MACHINE_FAULTS, NO_ROOM, PRIVATE_FILE_MODE, PRIVATE_MODE, write_atomically
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs
from tmagrade.outputs.feedback import Counts, feedback_text
from tmagrade.outputs.grades import GRADES_FILE, Grades, Student, grades_pieces, read_students
from tmagrade.submissions.names import name_digest, student_folder_name

STUDENT_FILES = ("results.json", "feedback.md")


# The beginning of the name of what a grader is about to write.
UNFINISHED = ".unfinished-"


def set_aside(folder: Path) -> Path:
    """Gives a grades.json that cannot be read another name, so that nothing is written over it. Answers that."""
    names = (folder / f"unreadable-{number}-{GRADES_FILE}" for number in itertools.count(1))
    kept = next(name for name in names if not name.exists())
    (folder / GRADES_FILE).rename(kept)
    return kept


def demand_writable(folder: Path) -> None:
    """UsageError where no grades could be written at the end, of which nobody wants to hear then."""
    try:
        _make(folder)
        with tempfile.TemporaryDirectory(dir=folder, prefix=UNFINISHED):
            pass
    except OSError as error:
        if error.errno in MACHINE_FAULTS:
            raise
        said = f"grades cannot be written to {folder}: {error.strerror}"
        raise UsageError(
            f"{said}; --output names another folder, and TMAGRADE_STATE one for all that grading writes"
        ) from error


def _make(folder: Path) -> None:
    if not folder.exists():  # one that is there may be a folder of the user's own
        folder.mkdir(parents=True)
        folder.chmod(PRIVATE_MODE)


def write_outputs(folder: Path, grades: Grades) -> list[str]:
    """Writes everything, and removes what was written of students who are not in these grades: who writes puts those
    of others in (merging.py).

    Answers those students. Where anything fails, the folder is as it was.
    """
    with _named_if_full(folder):
        _make(folder)
        gone = _gone(folder, grades)
        with _alone(folder):
            _write_all(folder, grades)
    for student in gone:
        _remove(folder / folder_name(student))
    return gone


def write_remarks(folder: Path, grades: Grades, students: Collection[str]) -> None:
    """Brings the files of these students up to what was said of them since. `grades`: those of the folder."""
    with _alone(folder):
        said = _said_on(folder, grades, students)
        for student in grades.students:
            for path, text in _files_of(student, grades, said) if student.id in students else ():
                if (folder / path).parent.is_dir():
                    write_atomically(folder / path, text)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While files are written that say what was said: who says more meanwhile writes them after this."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _named_if_full(folder: Path) -> Iterator[None]:
    """Lets a full disk say which folder is on it: a write to an open file that fails names none."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise OSError(error.errno, error.strerror, str(folder)) from error
        raise


def _write_all(folder: Path, grades: Grades) -> None:
    for left in folder.glob(f"{UNFINISHED}*"):  # by a grader that was killed
        shutil.rmtree(left)
    with tempfile.TemporaryDirectory(dir=folder, prefix=UNFINISHED) as name:
        unfinished = Path(name)
        written = [_write(unfinished, path, pieces) for path, pieces in _files(grades, _said_on(folder, grades))]
        for own in dict.fromkeys(path.parent for path in written if path.parent.name):  # first all that could fail
            (folder / own).mkdir(exist_ok=True)
            (folder / own).chmod(PRIVATE_MODE)
        for path in written:  # grades.json last: who finds it finds what belongs to it
            (unfinished / path).replace(folder / path)


@dataclass(frozen=True)
class _Said:
    """What students' files say besides what was graded."""

    remarks: Remarks
    counts: Mapping[str, Counts]


def _said_on(folder: Path, grades: Grades, students: Collection[str] | None = None) -> _Said:
    """`students`: those of whom it is asked; None: all."""
    term = open_term(HERE.term, load_labs(HERE.labs)) if has_term(folder) else None
    asked = [one for one in grades.students if students is None or one.id in students]
    return _Said(remarks_on(folder), counts_of(term, asked) if term is not None else {})


def _files(grades: Grades, said: _Said) -> Iterator[tuple[Path, Iterable[str]]]:
    for student in grades.students:
        yield from ((path, [text]) for path, text in _files_of(student, grades, said))
    yield Path("grades.csv"), [grades_csv(grades)]
    yield Path("report.html"), [report_html(grades)]
    yield Path(GRADES_FILE), grades_pieces(grades)


def _files_of(student: Student, grades: Grades, said: _Said) -> Iterator[tuple[Path, str]]:
    own = Path(folder_name(student.id))
    facts = grades.newest_facts_of(student)
    yield own / "results.json", _json_text(gradescope_json(student, facts, plain_of(student, said.remarks)))
    markdown = markdown_of(student, said.remarks)
    yield own / "feedback.md", feedback_text(student, facts, markdown, said.counts.get(student.id))


def _json_text(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _write(unfinished: Path, path: Path, pieces: Iterable[str]) -> Path:
    (unfinished / path).parent.mkdir(exist_ok=True)
    # A name that is no valid UTF-8 on disk has surrogates here; as \udcff it is still JSON.
    with open(unfinished / path, "w", encoding="utf-8", errors="backslashreplace") as file:
        os.fchmod(file.fileno(), PRIVATE_FILE_MODE)
        file.writelines(pieces)
    return path


def _gone(folder: Path, grades: Grades) -> list[str]:
    """The students of the grading before who have files here and are not in this one."""
    now = {folder_name(student.id) for student in grades.students}
    return [student for student in read_students(folder) if folder_name(student) not in now]


def _remove(folder: Path) -> None:
    """Removes what was written here; a folder with files of others stays."""
    for name in STUDENT_FILES:
        (folder / name).unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def folder_name(student: str) -> str:
    """The student's own name, which is safe since it was handed in; any other text gets a safe one, no one else's."""
    safe = student_folder_name(student)
    return safe if safe == student else f"{safe}-{name_digest(student)}"


def files_of(folder: Path, student: str) -> list[Path]:
    """What was written about one student, as far as it is there."""
    own = folder / folder_name(student)
    return [path for path in [*(own / name for name in STUDENT_FILES), folder / "report.html"] if path.exists()]
