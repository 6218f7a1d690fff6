"""Which students handed in the same text, letter for letter. Nothing follows from it; the instructor is told."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from tmagrade.course.labs import Lab
from tmagrade.grading.steps import Work
from tmagrade.submissions.staging import source_files

# What says nothing about who wrote it: comments, blanks, and the mark of UTF-8 with which some editors begin a file.
NO_CODE = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)|\s|\xef\xbb\xbf", re.DOTALL)


def identical(
    works: Iterable[Work], skeletons: Path, group_of: Callable[[str, Lab], str] = lambda student, _: student
) -> list[Work]:
    """The works of several students, or of several groups of them. A skeleton handed in as it was given says nothing
    about anyone, and neither does a folder without any code."""
    shared = (work for work in works if len({group_of(one.student, work.lab) for one in work.submissions}) > 1)
    return [
        work
        for work in shared
        if (sources := _sources(work.submission.folder)) and sources != _sources(skeletons / work.lab.id)
    ]


def _sources(folder: Path) -> dict[str, bytes]:
    """Where there is any code in them."""
    texts = {path.name: path.read_bytes() for path in source_files(folder)} if folder.is_dir() else {}
    return texts if any(NO_CODE.sub(b"", text) for text in texts.values()) else {}
