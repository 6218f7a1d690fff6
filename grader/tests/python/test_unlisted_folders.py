"""A folder that the machine cannot list is not empty: no student loses points over it."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs
from tmagrade.submissions.find import find_submissions
from tmagrade.submissions.staging import source_files, submitted_files

KNOWN = load_labs(HERE.labs)


@pytest.fixture
def unlisted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a right file in it that os.walk() is refused."""
    folder = tmp_path / "class/fall/ada"
    (folder / "lab3").mkdir(parents=True)
    (folder / "lab3/lab3.cu").touch()
    scan = os.scandir

    def refuse(path: Any) -> Any:
        if Path(path) == folder:
            raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT), os.fspath(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    return folder


@pytest.mark.parametrize("files_of", [source_files, submitted_files])
def test_it_is_no_hand_in_without_files(unlisted: Path, files_of: Any) -> None:
    with pytest.raises(GraderFault, match=r"ada cannot be read: Disk quota exceeded"):
        files_of(unlisted)


def test_it_is_said_where_it_might_be_one_of_several_hand_ins(unlisted: Path, tmp_path: Path) -> None:
    ben = unlisted.parent / "ben/lab3"
    ben.mkdir(parents=True)
    (ben / "lab3.cu").touch()
    with pytest.raises(UsageError, match=r"ada cannot be read: Disk quota exceeded"):
        find_submissions(tmp_path / "class", KNOWN, KNOWN, tmp_path / "unpacked", None, None)
