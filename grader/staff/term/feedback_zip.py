"""Students' feedback as a platform takes it back: under the names that its own download had.

Moodle takes a zip with the download's folders (mod/assign/feedback/file/importziplib.php: the second part of a name,
between `_`, is the participant's number); Canvas takes one with the download's file names, of which it reads the user's
number and the attachment's (generate_comments_from_files in app/models/assignment.rb).
"""

import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from staff.term.grade_book import Target
from tmagrade.basics.errors import UsageError
from tmagrade.basics.zips import zip_of

FEEDBACK = "feedback.md"
# What of a name says whose it is, and what a feedback file of its own keeps of it.
MOODLE = re.compile(r"(?P<called>[^_/]+(?:_[0-9]+)?)_assignsubmission_file")
CANVAS = re.compile(r"(?P<called>\w+?_(?:LATE_)?[0-9]+)_(?P<attachment>[0-9]+)_.+", re.DOTALL)


@dataclass(frozen=True)
class Packed:
    content: bytes
    count: int
    without: tuple[str, ...]  # of the download: who has no feedback


def names_in(download: Path) -> list[str]:
    """The names right in a download: of a folder, or of the archive that it came as."""
    try:
        if download.is_dir():
            return sorted(entry.name for entry in download.iterdir())
        with zipfile.ZipFile(download) as archive:
            return sorted({name.split("/")[0] for name in archive.namelist()})
    except (OSError, zipfile.BadZipFile) as error:
        raise UsageError(f"{download} cannot be read: {error}") from error


def pack(target: Target, names: Iterable[str], feedback_of: Callable[[str], str | None]) -> Packed:
    """`feedback_of` answers the text for whom the platform calls so; None where there is none."""
    files: dict[str, bytes | str] = {}
    done: set[str] = set()
    without: dict[str, None] = {}
    for name in names:
        found = (MOODLE.match if target is Target.MOODLE else CANVAS.fullmatch)(name)
        if found is None or (called := re.sub(r"_LATE_(?=[0-9]+$)", "_", found["called"])) in done:
            continue
        if (feedback := feedback_of(called)) is None:
            without[called] = None
            continue
        done.add(called)
        place = f"{found[0]}/{FEEDBACK}" if target is Target.MOODLE else f"{_before_name(found)}_{FEEDBACK}"
        files[place] = feedback
    return Packed(zip_of(files), len(done), tuple(without))


def _before_name(found: "re.Match[str]") -> str:
    return f"{found['called']}_{found['attachment']}"
