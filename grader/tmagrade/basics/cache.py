"""What was already done: each step's result lies beside its work, with the key of all that went into it."""

import errno
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from io import BufferedReader
from pathlib import Path
from typing import Any, TypeVar

from tmagrade.basics.errors import CannotRecord
from tmagrade.basics.json_form import UNREADABLE, from_json, to_json

T = TypeVar("T")

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
# What a machine lacks for a while: no choice of a folder mends it.
MACHINE_FAULTS = (*NO_ROOM, errno.EMFILE, errno.ENFILE, errno.EIO)

# With less than this a compiler's failure is taken for the disk's.
SPACE_BYTES = 32 << 20


# Of what students have handed in, and of what was made of it or said of it: for their owner and group alone.
PRIVATE_MODE = 0o750
PRIVATE_FILE_MODE = 0o640
# Of what everybody may read.
PUBLIC_FILE_MODE = 0o644


def make_private(folder: Path) -> None:
    """Makes a folder, and those on the way to it that are not there, for their owner and group alone."""
    for missing in [one for one in (*reversed(folder.parents), folder) if not one.exists()]:
        missing.mkdir(mode=PRIVATE_MODE, exist_ok=True)


def make_tree_private(folder: Path) -> None:
    """As make_private(), of a folder that is there with all that is in it. A link's target is left alone."""
    folder.chmod(PRIVATE_MODE)
    for place, folders, files in os.walk(folder):
        for names, mode in ((folders, PRIVATE_MODE), (files, PRIVATE_FILE_MODE)):
            for path in (Path(place, name) for name in names):
                if not path.is_symlink():
                    path.chmod(mode)


def write_atomically(path: Path, text: str, mode: int = PRIVATE_FILE_MODE) -> None:
    """Writes the whole file or nothing, whenever the process ends."""
    # What is no text in any encoding, as a name on a disk can be, is written as \udcff.
    content = text.encode("utf-8", "backslashreplace")
    replace_atomically(path, lambda unfinished: unfinished.write_bytes(content), mode)


def copy_atomically(source: Path, path: Path) -> None:
    """Copies the whole file or nothing, whenever the process ends."""
    replace_atomically(path, lambda unfinished: shutil.copyfile(source, unfinished))


def replace_atomically(path: Path, write: Callable[[Path], object], mode: int = PRIVATE_FILE_MODE) -> None:
    """Has the whole file written, beside its place, and put there; or nothing, whenever the process ends."""
    try:
        make_private(path.parent)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        unfinished = Path(name)
        try:
            write(unfinished)
            unfinished.chmod(mode)
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink()
            raise
    except OSError as error:
        raise CannotRecord(cannot_write(path, error)) from error


def require_space(folder: Path) -> None:
    """CannotRecord where the disk below `folder` is full, or nearly."""
    if shutil.disk_usage(folder).free < SPACE_BYTES:
        raise CannotRecord(cannot_write(folder, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))


def cannot_write(path: Path | str, error: OSError) -> str:
    return (
        f"cannot write {path}: {error.strerror}. What was written before is kept; "
        "once there is room, the same command goes on from there."
    )


def write_json(path: Path, value: Any, mode: int = PRIVATE_FILE_MODE) -> None:
    write_atomically(path, json.dumps(value, indent=1) + "\n", mode)


def open_file(path: Path) -> BufferedReader:
    return path.open("rb")


def digest_files(root: Path, files: Iterable[Path], open_: Callable[[Path], BufferedReader] = open_file) -> str:
    """A digest of the files' names below `root` and of their contents."""
    digest = hashlib.sha256()
    for path in sorted(files):
        with open_(path) as file:
            digest.update(f"{path.relative_to(root)}\0{os.fstat(file.fileno()).st_size}\0".encode())
            while piece := file.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()


def digest_folder(folder: Path) -> str:
    return digest_files(folder, (path for path in folder.rglob("*") if path.is_file()))


def key_of(*ingredients: object) -> str:
    return hashlib.sha256(json.dumps([str(item) for item in ingredients]).encode()).hexdigest()


def recall(path: Path, key: str, kind: type[T]) -> T | None:
    """The value kept at `path` if it was made from the same ingredients, and is what remember() would write: another
    version of this program may have written it, or it is damaged."""
    try:
        record = json.loads(path.read_text())
        value = from_json(record["value"], kind) if record["key"] == key else None
        return value if value is not None and to_json(value) == record["value"] else None
    except (OSError, *UNREADABLE):
        return None


def remember(path: Path, key: str, value: object) -> None:
    write_json(path, {"key": key, "value": to_json(value)})
