"""When something was handed in, as far as anybody says so, and never later than it came here: a time in the future
would be the newest forever."""

import os
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from staff.collecting.tree import MAX_DEPTH, MAX_ENTRIES
from tmagrade.submissions.names import is_junk
from tmagrade.submissions.submission import HandInTime

GIT_SECONDS = 20


def time_of_files(place: Path, source: str) -> HandInTime | None:
    """The time of the newest file there: a platform's, if that has packed it, else whoever last wrote it."""
    files = [place] if place.is_file() else _files_below(place)
    newest = max((time for path in files if (time := _last_written(path)) is not None), default=None)
    return None if newest is None else HandInTime(datetime.fromtimestamp(newest, UTC), source)


def _files_below(place: Path) -> Iterator[Path]:
    """Of no more folders, and no deeper ones, than are read of a hand-in: what has more is none, whenever it came."""
    for folder, folders, files in islice(os.walk(place), MAX_ENTRIES):
        depth = len(Path(folder).relative_to(place).parts)
        folders[:] = [name for name in folders if not is_junk(name)] if depth < MAX_DEPTH else []
        yield from (Path(folder, name) for name in files if not is_junk(name))


def _last_written(path: Path) -> float | None:
    """None where it is no file, or no path leads to it: a hand-in may be as deep as its author likes."""
    try:
        about = path.lstat()
    except OSError:
        return None
    return no_later_than_here(about.st_mtime, about) if stat.S_ISREG(about.st_mode) else None


def no_later_than_here(said: float, about: os.stat_result) -> float:
    """The time that is said of a file or of something in it, or when the file came to this disk, which its author
    cannot choose."""
    return min(said, about.st_ctime)


def time_of_commit(clone: Path) -> HandInTime | None:
    """The time that the last commit of a clone says, which is its author's word; None where git cannot tell."""
    head = _head(clone / ".git")
    if head is None:
        return None
    # With settings of our own: those of a repository may name programs to start.
    with tempfile.TemporaryDirectory(prefix="tmagrade-") as name:
        empty = Path(name)
        asked = ["git", "init", "-q", "--bare", str(empty)]
        environment = {"PATH": "/usr/bin:/bin", "HOME": name, "GIT_CONFIG_NOSYSTEM": "1"}
        try:
            subprocess.run(asked, env=environment, check=True, capture_output=True, timeout=GIT_SECONDS)
            (empty / "objects/info/alternates").write_text(f"{(clone / '.git/objects').resolve()}\n")
            show = ["git", "-C", name, "log", "-1", "--format=%ct", head]
            said = subprocess.run(show, env=environment, check=True, capture_output=True, timeout=GIT_SECONDS).stdout
            at = no_later_than_here(int(said), (clone / ".git").stat())
            return HandInTime(datetime.fromtimestamp(at, UTC), "git")
        except (OSError, ValueError, OverflowError, subprocess.SubprocessError):
            return None


def _head(git: Path) -> str | None:
    """The commit that is checked out, read without git."""
    try:
        head = (git / "HEAD").read_text().strip()
        if head.startswith("ref: "):
            ref = head.removeprefix("ref: ")
            loose = git / ref
            if ".." in Path(ref).parts or Path(ref).is_absolute():
                return None
            packed = git / "packed-refs"
            lines = packed.read_text().splitlines() if packed.is_file() else []
            found = [line.split()[0] for line in lines if line.endswith(f" {ref}")]
            head = loose.read_text().strip() if loose.is_file() else found[0] if found else ""
    except (OSError, ValueError):
        return None
    return head if len(head) in (40, 64) and all(digit in "0123456789abcdef" for digit in head) else None
