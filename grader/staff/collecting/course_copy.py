"""The course's own files in a hand-in: who zips the folder in which make was typed hands in all of it.

Of a copy of the course only `labs` is what a student works in. What make has made there, and what the course has
written, is passed over: it is nobody's answer, counts for no limit and is no news.
"""

from collections.abc import Iterable
from pathlib import PurePosixPath

from tmagrade.submissions.names import is_junk

MAKEFILE, LABS = "Makefile", "labs"
OWN = frozenset({"build", "docker", "grader", "handout"})
COMMON = "common"  # in labs: what every lab includes


def is_course(names: Iterable[str]) -> bool:
    """Whether a folder with these names in it is a copy of the course."""
    names = set(names)
    return {MAKEFILE, LABS} <= names and bool(OWN & names)


Parts = tuple[str, ...]


def course_folders(paths: Iterable[PurePosixPath]) -> frozenset[Parts]:
    """The folders that are copies of the course, of files and folders with these paths."""
    inside: dict[Parts, set[str]] = {}
    for path in paths:
        for depth, name in enumerate(path.parts):
            if name in (MAKEFILE, LABS) or name in OWN:
                inside.setdefault(path.parts[:depth], set()).add(name)
    return frozenset(folder for folder, names in inside.items() if is_course(names))


def is_passed_over(path: PurePosixPath, courses: frozenset[Parts]) -> bool:
    """Whether this is what a desktop, git, Python or the course itself has put there."""
    parts = path.parts
    return any(map(is_junk, parts)) or any(
        parts[:depth] in courses and _is_own(parts[depth:]) for depth in range(len(parts) if courses else 0)
    )


def _is_own(below: Parts) -> bool:
    """Whether a path of these parts, from a copy of the course on, is the course's and no student's."""
    return below[0] in OWN or below[:2] == (LABS, COMMON)
