"""Whole downloads side by side: the folder in which each week's is kept, given in the place of one of them."""

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from staff.collecting.archives import CHUNK, DAMAGE, BadArchive, Sparing, stem_of, suffix_of
from staff.platforms.canvas import canvas_file
from staff.platforms.gradescope import METADATA
from staff.platforms.moodle import DOWNLOADED
from tmagrade.course.labs import Lab
from tmagrade.submissions.names import is_junk

MOST_LISTED_BYTES = 64 * CHUNK  # of an archive's list of entries; some twenty thousand


def downloads_in(folder: Path) -> list[Path]:
    """What in a folder is a platform's download, where most of the folder is: nobody makes that of a class by what they
    hand in themselves."""
    entries = [entry for entry in sorted(folder.iterdir()) if not is_junk(entry.name) and not entry.is_symlink()]
    holders = [entry for entry in entries if entry.is_dir() or (suffix_of(entry.name) and entry.is_file())]
    found = [entry for entry in holders if _is_download(_names_in(entry))]
    return found if len(found) > 1 and len(found) > len(holders) // 2 else []


def of_lab(downloads: Iterable[Path], lab: Lab | None) -> Path | None:
    """The one that is named after the lab."""
    if lab is None:
        return None
    name = re.compile(rf"{lab.id.split('-')[0]}(?![0-9])", re.IGNORECASE)
    found = [download for download in downloads if name.match(stem_of(download.name))]
    return found[0] if len(found) == 1 else None


def _is_download(names: list[PurePosixPath]) -> bool:
    if any(name.name == METADATA and len(name.parts) <= 2 for name in names):
        return True
    first = {name.parts[0] for name in names if name.parts and not is_junk(name.parts[0])}
    moodles = {found["student"] for name in first if (found := DOWNLOADED.fullmatch(name)) is not None}
    canvas = {file.student for name in first if (file := canvas_file(Path(name))) is not None}
    # One student's file may be named so, as it was downloaded; those of several are a class'.
    return max(len(moodles), len(canvas)) > max(len(first) // 4, 1)


def _names_in(entry: Path) -> list[PurePosixPath]:
    """Names right in a folder or in an archive as platforms make them, and of an archive those below, too."""
    try:
        if entry.is_dir():
            return [PurePosixPath(inner.name) for inner in entry.iterdir()]
        with Sparing(entry, MOST_LISTED_BYTES) as packed, zipfile.ZipFile(packed) as opened:
            return [PurePosixPath(name.lstrip("/")) for name in opened.namelist()]
    except (*DAMAGE, BadArchive, OSError):
        return []  # whoever reads the class says so
