"""The folders that judge and runner share memory through."""

import os
import time
from pathlib import Path

import pytest

from tmagrade.machine import scratch
from tmagrade.machine.scratch import scratch_folder


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(scratch, "_place", lambda: tmp_path)
    return tmp_path


def old(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    os.utime(folder, (0, 0))
    return folder


def test_a_scratch_folder_is_private_and_goes(place: Path) -> None:
    with scratch_folder() as folder:
        (folder / "file").touch()
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list(place.iterdir()) == []


def test_what_a_killed_grader_left_behind_is_removed(place: Path) -> None:
    left = old(place / "tmagrade-left")
    with scratch_folder():
        assert not left.exists()


def test_a_server_removes_what_the_one_before_it_left_behind_once_that_is_old_enough(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = place / "tmagrade-left"
    left.mkdir()
    with scratch_folder():
        assert left.exists()  # its maker may not have locked it yet
    old(left)
    later = time.monotonic() + scratch.SETTLED_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: later)
    with scratch_folder():
        assert not left.exists()


def test_what_another_grader_uses_stays(place: Path) -> None:
    with scratch_folder() as theirs:
        old(theirs)
        scratch._next_sweep.clear()
        with scratch_folder():
            assert theirs.exists()
