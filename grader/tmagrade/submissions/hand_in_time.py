"""When something was handed in, as far as anybody says so."""

import subprocess
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tmagrade.submissions.names import is_junk

GIT_SECONDS = 20


@dataclass(frozen=True)
class HandInTime:
    """When something was handed in, as far as that is known."""

    at: datetime | None  # with a time zone
    source: str  # who says so: "gradescope", "git", "file" ...
    is_late: bool = False  # whether the platform has marked it so


def time_of_files(place: Path, source: str) -> HandInTime | None:
    """The time of the newest file there: a platform's, if that has packed it, else whoever last wrote it."""
    files = [place] if place.is_file() else [path for path in place.rglob("*") if _counts(path, place)]
    newest = max((path.lstat().st_mtime for path in files), default=None)
    return None if newest is None else HandInTime(datetime.fromtimestamp(newest, UTC), source)


def _counts(path: Path, place: Path) -> bool:
    return path.is_file() and not path.is_symlink() and not any(map(is_junk, path.relative_to(place).parts))


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
            return HandInTime(datetime.fromtimestamp(int(said), UTC), "git")
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
