"""What grading a pretended course leaves: made once for the tests of a file, and laid into the course of each."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Course, Tmagrade, tmagrade_of
from graded_apart import temporary_course


@dataclass(frozen=True)
class Graded:
    printed: str
    root: Path

    def lay_into(self, course: Course) -> None:
        """Adds all that this course has not."""
        root = course.repository.root

        def there(folder: str, names: list[str]) -> set[str]:
            place = root / os.path.relpath(folder, self.root)
            return {name for name in names if (place / name).exists() and not (place / name).is_dir()}

        shutil.copytree(self.root, root, symlinks=True, ignore=there, dirs_exist_ok=True)


@contextmanager
def graded_once(grade: Callable[[Course, Tmagrade], str]) -> Iterator[Graded]:
    """What is there when `grade` has been done, and what it printed."""
    with temporary_course() as course, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{course.repository.root / 'bin'}:{os.environ['PATH']}")
        yield Graded(grade(course, tmagrade_of(course, patch)), course.repository.root)
