"""What was unpacked or put together, below build/submissions: each in a folder named by the digest of what it was
made from, so that it is made once, also when the grading is interrupted and begun anew. Nothing is ever written into
the folder that was handed over for grading."""

import errno
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path, PurePosixPath

from staff.collecting.archives import BadArchive, Limits, unpack
from staff.collecting.zip_times import described
from tmagrade.basics.cache import NO_ROOM, key_of, make_private, make_tree_private
from tmagrade.basics.errors import GraderFault
from tmagrade.basics.json_form import Count, DiskText, from_json, to_json
from tmagrade.submissions.names import is_read_by_compiler
from tmagrade.submissions.staging import open_submitted

LEFT_OUT = "left-out.json"
CONTENTS = "contents"

# What all students' hand-ins together may take of the disk, and what is to stay free of it.
MOST_BYTES = 64 << 30
FREE_BYTES = 1 << 30


class NoRoom(Exception):
    """The class has handed in more than there is room for. Nobody's mistake, so nobody's points."""


@dataclass(frozen=True)
class Unpacked:
    folder: Path
    left_out: list[str]
    bytes: int
    other_bytes: int  # of them, of what no compiler reads


class Store:
    def __init__(self, folder: Path, zone: tzinfo | None = None) -> None:
        """`zone`: of the clocks by which the class's own archive, if it is a zip, says its times."""
        self.folder = folder
        self.zone = zone
        self.bytes: dict[Path, int] = {}  # of the hand-ins that are in use

    def unpack(self, archive: Path, limits: Limits, *, strict: bool = True) -> Unpacked:
        if archive.stat().st_size > limits.packed_bytes:
            raise BadArchive(f"the archive is larger than {limits.packed_bytes >> 20} MiB")
        digest = _digest(archive)

        def make(folder: Path) -> list[str]:
            left_out = unpack(archive, folder, limits, strict=strict, zone=self.zone)
            _require(archive, archive, digest)
            return left_out

        # Nobody looks at the times in a student's archive: when that came, its own time says.
        zone = [] if strict else [described(self.zone)]
        unpacked = self._made(key_of(digest, limits, strict, *zone), make)
        if strict:  # a student's
            self.bytes[unpacked.folder] = unpacked.bytes
        return unpacked

    def arrange(self, files: Mapping[PurePosixPath, Path]) -> Path:
        """A folder with copies of these files under these names."""
        digests = {name: _digest(file) for name, file in sorted(files.items())}

        def copy(folder: Path) -> list[str]:
            for name, file in files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                with open_submitted(file.parent, file) as opened, open(folder / name, "wb") as written:
                    shutil.copyfileobj(opened, written)
                _require(folder / name, file, digests[name])
            return []

        arranged = self._made(key_of(*digests.items()), copy)
        self.bytes[arranged.folder] = arranged.bytes
        return arranged.folder

    def _made(self, key: str, make: Callable[[Path], list[str]]) -> Unpacked:
        made = self.folder / key[:32]
        if (known := _known(made)) is not None:
            return known
        make_private(self.folder)
        self._demand_room()
        if made.exists():  # and damaged
            shutil.rmtree(made)
        # Renamed when it is complete, so that a folder of this name never holds half of it.
        unfinished = Path(tempfile.mkdtemp(dir=self.folder, prefix=".unfinished-"))
        try:
            (unfinished / CONTENTS).mkdir()
            left_out = make(unfinished / CONTENTS)
            note = _Note(left_out, *_sizes(unfinished / CONTENTS))
            (unfinished / LEFT_OUT).write_text(json.dumps(to_json(note)))
            make_tree_private(unfinished)
            unfinished.rename(made)
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise  # one student's: nobody else's archive is like it
            raise GraderFault(f"cannot unpack into {self.folder}: {error}") from error
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        return Unpacked(made / CONTENTS, note.left_out, note.bytes, note.other_bytes)

    def _demand_room(self) -> None:
        if sum(self.bytes.values()) > MOST_BYTES:
            raise NoRoom(f"the class has handed in more than {MOST_BYTES >> 30} GiB, unpacked: grade it in parts")
        if shutil.disk_usage(self.folder).free < FREE_BYTES:
            raise GraderFault(f"cannot unpack into {self.folder}: less than {FREE_BYTES >> 30} GiB are free there")


@dataclass(frozen=True)
class _Note:
    """What lies beside that which was made."""

    left_out: list[DiskText]
    bytes: Count
    other_bytes: Count


def _known(made: Path) -> Unpacked | None:
    """What was made before, if it is all there."""
    try:
        note = from_json(json.loads((made / LEFT_OUT).read_text()), _Note)
    except (OSError, ValueError, RecursionError):
        return None
    if not (made / CONTENTS).is_dir():
        return None
    return Unpacked(made / CONTENTS, note.left_out, note.bytes, note.other_bytes)


def _sizes(folder: Path) -> tuple[int, int]:
    """Of all files, and of those that no compiler reads."""
    files = [Path(place, name) for place, _, names in os.walk(folder) for name in names]
    others = [file for file in files if not is_read_by_compiler(file.name)]
    return sum(file.lstat().st_size for file in files), sum(file.lstat().st_size for file in others)


def _require(written: Path, file: Path, digest: str) -> None:
    """Else what others hand in letter for letter would be found as what stood here for a moment."""
    if _digest(written) != digest:
        raise OSError(errno.ESTALE, "it changed meanwhile", str(file))


def _digest(file: Path) -> str:
    with open_submitted(file.parent, file) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
