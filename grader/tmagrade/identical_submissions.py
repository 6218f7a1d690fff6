"""Which students handed in the same text, letter for letter. Nothing follows from it; the instructor is told."""

from collections.abc import Iterable
from pathlib import Path

from tmagrade.grading_steps import Work
from tmagrade.submissions import source_files


def identical(works: Iterable[Work], skeletons: Path) -> list[Work]:
    """The works of several students. A skeleton handed in as it was given says nothing about anyone, and neither does
    a folder without a source."""
    shared = (work for work in works if len({submission.student for submission in work.submissions}) > 1)
    return [
        work
        for work in shared
        if (sources := _sources(work.submission.folder)) and sources != _sources(skeletons / work.lab.id)
    ]


def _sources(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in source_files(folder)} if folder.is_dir() else {}
