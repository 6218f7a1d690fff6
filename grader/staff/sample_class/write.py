"""Puts the sample class into folders, <student>/<lab>/<file>, as a class hands in its work."""

import os
from pathlib import Path

from staff.sample_class.tables import Student, read_class
from tmagrade.basics.paths import Repository
from tmagrade.course.labs import Lab


def write_sample_class(repository: Repository, labs: list[Lab]) -> list[Student]:
    """Brings build/class up to date with the tables and the solutions."""
    students = read_class(repository, labs)
    write_class(students, repository.sample_class)
    return students


def write_class(students: list[Student], folder: Path) -> None:
    """Makes `folder` hold this class and nothing else. A file that is right already is left alone."""
    texts = {
        folder / student.name / student.lab.id / name: text
        for student in students
        for name, text in student.files.items()
    }
    for place, _, names in os.walk(folder, topdown=False):
        for path in (Path(place, name) for name in names):
            if path not in texts:
                path.unlink()
        if not os.listdir(place):  # noqa: PTH208
            Path(place).rmdir()
    for path, text in texts.items():
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
