"""A lab's folder as one archive, which is found again as that lab by whoever grades it."""

import io
import zipfile
from pathlib import Path

from tmagrade.basics.errors import UsageError, cannot_read
from tmagrade.course.labs import Lab

HANDED_IN = (".cu", ".cuh", ".h", ".hpp")
MOST_FILES = 50
EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same text is the same archive


def pack_lab(folder: Path, lab: Lab) -> bytes:
    """A zip of the sources right in the folder, below the lab's name. UsageError where there is none."""
    sources = sorted(path for path in folder.iterdir() if _is_handed_in(path))
    if not any(path.suffix.casefold() == ".cu" for path in sources):
        raise UsageError(f"{folder} has no .cu file to hand in")
    if len(sources) > MOST_FILES:
        raise UsageError(f"{folder} has {len(sources)} sources; more than {MOST_FILES} are nobody's answer")
    text = io.BytesIO()
    with zipfile.ZipFile(text, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sources:
            name = zipfile.ZipInfo(f"{lab.id}/{path.name}", EPOCH)
            try:
                archive.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED)
            except OSError as error:
                raise UsageError(cannot_read(error)) from error
    return text.getvalue()


def _is_handed_in(path: Path) -> bool:
    return path.suffix.casefold() in HANDED_IN and path.is_file() and not path.is_symlink()
