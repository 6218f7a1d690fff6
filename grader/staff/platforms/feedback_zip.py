"""Students' feedback as a platform takes it back: under the names that its own download had."""

import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tmagrade.basics.errors import UsageError
from tmagrade.basics.zips import zip_of

FEEDBACK = "feedback.md"


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


def pack(
    place_of: Callable[[str], tuple[str, str] | None],
    names: Iterable[str],
    feedback_of: Callable[[str], str | None],
) -> Packed:
    """`place_of` answers whom the platform calls so, and where their feedback goes; `feedback_of` the text for them.
    None where there is none."""
    files: dict[str, bytes | str] = {}
    done: set[str] = set()
    without: dict[str, None] = {}
    for name in names:
        found = place_of(name)
        if found is None or found[0] in done:
            continue
        called, place = found
        if (feedback := feedback_of(called)) is None:
            without[called] = None
            continue
        done.add(called)
        files[f"{place}{FEEDBACK}"] = feedback
    return Packed(zip_of(files), len(done), tuple(without))
