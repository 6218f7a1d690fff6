"""A lab's folder as one archive, which is found again as that lab by whoever grades it."""

import hashlib
from pathlib import Path

from tmagrade.basics.errors import UsageError, cannot_read
from tmagrade.basics.zips import zip_of
from tmagrade.course.labs import Lab
from tmagrade.submissions.staging import open_submitted, submitted_files

HANDED_IN = (".cu", ".cuh", ".h", ".hpp")
RECEIPT = "receipt.txt"


def pack_lab(folder: Path, lab: Lab, receipt: str = "") -> bytes:
    """A zip of the folder's sources, below the lab's name, and of a receipt if there is one, in which a line names each
    source and its SHA-256. UsageError where there is no source."""
    sources = sources_of(folder)
    if not any(name.casefold().endswith(".cu") for name in sources):
        raise UsageError(f"{folder} has no .cu file to hand in")
    files = dict(sources)
    if receipt:
        digests = [f"{hashlib.sha256(content).hexdigest()}  {name}" for name, content in sources.items()]
        files[RECEIPT] = "\n".join([receipt, "", *digests, ""]).encode()
    return zip_of({f"{lab.id}/{name}": content for name, content in files.items()})


def sources_of(folder: Path) -> dict[str, bytes]:
    """What a lab's folder has for the compiler, by the path in it."""
    return {
        path.relative_to(folder).as_posix(): _content(folder, path)
        for path in submitted_files(folder)
        if path.suffix.casefold() in HANDED_IN
    }


def _content(folder: Path, path: Path) -> bytes:
    try:
        with open_submitted(folder, path) as file:
            return file.read()
    except OSError as error:
        raise UsageError(cannot_read(error)) from error
