"""A folder that the machine cannot list is not empty: no student loses points over it."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tmagrade.basics.errors import GraderFault
from tmagrade.submissions.staging import source_files, submitted_files


@pytest.fixture
def unlisted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a right file in it that os.walk() is refused."""
    folder = tmp_path / "lab3"
    folder.mkdir(parents=True)
    (folder / "lab3.cu").touch()
    scan = os.scandir

    def refuse(path: Any) -> Any:
        if Path(path) == folder:
            raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT), os.fspath(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    return folder


@pytest.mark.parametrize("files_of", [source_files, submitted_files])
def test_it_is_no_hand_in_without_files(unlisted: Path, files_of: Any) -> None:
    with pytest.raises(GraderFault, match=r"lab3 cannot be read: Disk quota exceeded"):
        files_of(unlisted)
