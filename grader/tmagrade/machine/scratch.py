"""Folders that are gone with the grading: what a judge and its runner share, in memory, and where a text is built."""

import contextlib
import fcntl
import math
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "tmagrade-"
ROOM_BYTES = 1 << 30

_next_sweep: dict[Path, float] = {}

# A folder younger than this may be one whose maker has not locked it yet.
SETTLED_SECONDS = 60.0


@contextmanager
def scratch_folder(place: Path | None = None) -> Iterator[Path]:
    """Private, below `place`, else in memory where there is room.

    Locked as long as it is in use, so that the next grader knows what one that was killed left behind. Its name has
    the grader's process ID, for whoever looks.
    """
    place = place or _place()
    _sweep(place)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=place))
    lock = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # on a file system without locks: then nobody can sweep either
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _place() -> Path:
    """/dev/shm, unless it is missing or as small as containers have it; then the folder for temporary files."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= ROOM_BYTES:
        return memory
    return Path(tempfile.gettempdir())


def _sweep(place: Path) -> None:
    """Now and then: a server makes folders for weeks, and the one before it may have been killed a moment ago."""
    if time.monotonic() < _next_sweep.get(place, -math.inf):
        return
    _next_sweep[place] = time.monotonic() + SETTLED_SECONDS
    for folder in place.glob(f"{PREFIX}*"):
        try:
            status = folder.lstat()
            if status.st_uid == os.getuid() and time.time() - status.st_mtime > SETTLED_SECONDS:
                _remove_if_unlocked(folder)
        except OSError:
            continue  # another grader was quicker


def _remove_if_unlocked(folder: Path) -> None:
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
