"""The texts that were graded, kept as they were: below build/submissions, each hand-in in a folder named by its digest.

Whoever reads them later sees what the verdicts are about, whatever has become of the folder that was handed over.
"""

import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tmagrade.basics.cache import make_private, make_tree_private
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.untrusted import visible
from tmagrade.submissions.names import is_read_by_compiler
from tmagrade.submissions.staging import digest_submitted, open_submitted, submitted_files

REQUEST = "regrade-request.md"  # what a student puts into a hand-in to ask for a regrade
MOST_REQUEST_BYTES = 16 << 10

# What a person reads of a hand-in; far above any honest one.
MOST_FILES = 40
MOST_FILE_BYTES = 1 << 20
MOST_LINES = 5000

GRADED = "graded"
DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class KeptFile:
    name: str
    lines: tuple[str, ...]  # with nothing in them that a page obeys
    left_out: int = 0  # lines behind these


@dataclass(frozen=True)
class KeptText:
    """What is there to be read of one hand-in."""

    files: tuple[KeptFile, ...]
    request: str = ""
    files_left_out: int = 0

    def line(self, file: str, number: int) -> str:
        """A line's text; empty where there is none such."""
        lines = next((one.lines for one in self.files if one.name == file), ())
        return lines[number - 1] if 0 < number <= len(lines) else ""


def keep_text(unpacked: Path, folder: Path, digest: str) -> None:
    """Keeps what there is to be read of a hand-in of this digest; nothing where it has become another one meanwhile."""
    kept = unpacked / GRADED / digest
    if not DIGEST.fullmatch(digest) or kept.is_dir():
        return
    make_private(kept.parent)
    unfinished = Path(tempfile.mkdtemp(dir=kept.parent, prefix=".unfinished-"))
    try:
        for path in filter(_is_read, submitted_files(folder)):
            copy = unfinished / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            with open_submitted(folder, path) as file, copy.open("wb") as written:
                shutil.copyfileobj(file, written)
        if digest_submitted(folder) == digest:
            make_tree_private(unfinished)
            unfinished.rename(kept)
    except (FileNotFoundError, GraderFault, UsageError):
        pass  # it is no longer what was graded
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _is_read(path: Path) -> bool:
    return path.name == REQUEST or is_read_by_compiler(path.name)


def kept_text(unpacked: Path, digest: str) -> KeptText | None:
    """None where it was not kept, or has been removed."""
    folder = unpacked / GRADED / digest
    if not DIGEST.fullmatch(digest) or not folder.is_dir():
        return None
    paths = sorted(Path(place, name) for place, _, names in os.walk(folder) for name in names)
    texts = [path for path in paths if path.name != REQUEST]
    files = tuple(_file(folder, path) for path in texts[:MOST_FILES])
    return KeptText(files, request_in(unpacked, digest), len(texts[MOST_FILES:]))


def request_in(unpacked: Path, digest: str) -> str:
    """The text of a hand-in's request for a regrade; empty where there is none."""
    folder = unpacked / GRADED / digest
    found = sorted(folder.rglob(REQUEST)) if DIGEST.fullmatch(digest) else []
    return _text_of(found[0], MOST_REQUEST_BYTES).strip() if found else ""


def _file(folder: Path, path: Path) -> KeptFile:
    lines = _text_of(path, MOST_FILE_BYTES).split("\n")
    if lines[-1] == "":
        lines.pop()
    name = path.relative_to(folder).as_posix()
    return KeptFile(visible(name), tuple(lines[:MOST_LINES]), len(lines[MOST_LINES:]))


def _text_of(path: Path, most_bytes: int) -> str:
    with path.open("rb") as file:
        return visible(file.read(most_bytes).decode("utf-8", "replace"))
