"""The stage in which a submission is built: copies of its files, and a file that includes them."""

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Mapping, Sequence
from functools import partial
from io import BufferedReader
from pathlib import Path, PurePosixPath

from tmagrade.basics.cache import digest_files
from tmagrade.basics.errors import GraderFault, UsageError, cannot_read
from tmagrade.submissions.names import compiled_of, is_junk, is_read_by_compiler, is_source, plain_file_name, printable

# What a student may hand in for one lab; far above any honest submission.
MAX_BYTES = 16 << 20
MAX_FILES = 200
MAX_OTHER_FILE_BYTES = 1 << 20  # of what no compiler reads

# What the grader and the compiler write into the stage. A file of the student's gives way to them; a folder cannot.
INCLUDES = "submission.cuh"
WRITTEN = (INCLUDES, "submission.so")

INCLUDED_SOURCE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def _is_plain(name: str) -> bool:
    return name == plain_file_name(name)


def _unreadable(error: OSError) -> None:
    """Of a folder that cannot be looked into: without it, it would count as empty."""
    raise GraderFault(cannot_read(error))


def submitted_files(folder: Path) -> list[Path]:
    """The regular files below `folder`, sorted. Links are left out: they could lead to files of others.

    So are files whose names no compiler should have to read, such as a Mac's screenshots, unless they are to be
    compiled, and of what no compiler reads that which is large, such as what make has built.
    """

    sizes: dict[Path, int] = {}
    for place, folders, names in os.walk(folder, onerror=_unreadable):
        folders[:] = [name for name in folders if not is_junk(name)]
        names = [name for name in names if not is_junk(name) and (_is_plain(name) or is_read_by_compiler(name))]
        for name in (*folders, *names):
            if not _is_plain(name):
                what_to_do = f"rename it to {plain_file_name(name)}"
                raise UsageError(f"a name has characters that are not allowed: {printable(name)}; {what_to_do}")
        if Path(place) == folder and (taken := [name for name in folders if name in WRITTEN]):
            raise UsageError(f"a folder has a name that the grader needs: {taken[0]}")
        for name in names:
            path = Path(place, name)
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                sizes[path] = status.st_size
    return sorted(taken_of(sizes))


def taken_of(sizes: Mapping[Path, int]) -> set[Path]:
    """Which files of a lab are graded, of files of these sizes. UsageError where the compiler would have to read more
    than may be handed in; what it does not read goes along as far as there is room, and counts for nothing."""
    read = {path for path in sizes if is_read_by_compiler(path.name)}
    if len(read) > MAX_FILES or sum(sizes[path] for path in read) > MAX_BYTES:
        raise UsageError(f"more than {MAX_FILES} files or {MAX_BYTES >> 20} MiB were handed in")
    others = {path for path in sizes.keys() - read if sizes[path] <= MAX_OTHER_FILE_BYTES}
    is_room = len(others) <= MAX_FILES and sum(sizes[path] for path in others) <= MAX_BYTES
    return read | others if is_room else read


def open_submitted(folder: Path, path: Path) -> BufferedReader:
    """Opens a file below `folder`: a file still, and through no link, should a student be at work there meanwhile."""
    place = file = -1
    try:
        place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        for name in path.relative_to(folder).parent.parts:
            outer, place = place, os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=place)
            os.close(outer)
        file = os.open(path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place)
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise GraderFault(f"{path} is no file any more; grade it again")
        return open(file, "rb")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        if place >= 0:
            os.close(place)


def digest_submitted(folder: Path) -> str:
    return digest_files(folder, submitted_files(folder), partial(open_submitted, folder))


def copy_submitted(folder: Path, destination: Path) -> str:
    """Copies a submission's files to `destination`, and answers the digest of the copies."""
    shutil.rmtree(destination, ignore_errors=True)
    destination.mkdir(parents=True)
    for path in submitted_files(folder):
        copy = destination / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        with open_submitted(folder, path) as file, copy.open("wb") as written:
            shutil.copyfileobj(file, written)
    return digest_submitted(destination)


def source_files(folder: Path) -> list[Path]:
    """The .cu files of a lab's folder that are compiled, sorted. Links are left out."""
    names: list[PurePosixPath] = []
    for place, folders, files in os.walk(folder, onerror=_unreadable):
        folders[:] = [name for name in folders if not is_junk(name)]
        for path in (Path(place, name) for name in files if is_source(name)):
            if stat.S_ISREG(path.lstat().st_mode):
                names.append(PurePosixPath(path.relative_to(folder)))
    return [folder / name for name in compiled_of(names)]


def _included_by_others(sources: list[Path]) -> set[Path]:
    """The .cu files that another one includes: they are part of that one's text, and no text of their own."""
    by_name: dict[str, list[Path]] = {}
    for path in sources:
        by_name.setdefault(path.name, []).append(path)
    included = {path: _included_by(path, by_name) for path in sources}
    # What no earlier one includes, and of that what no later one includes. Of a circle the first is left.
    texts = _unreached(_unreached(sources, included)[::-1], included)
    return set(sources) - set(texts)


def _copies_of_others(sources: Sequence[Path]) -> set[Path]:
    """The .cu files that are what another one of their folder is, letter for letter, as `lab3 (1).cu` of a browser's
    beside `lab3.cu`. The one with the shortest name stays.
    """
    same: dict[tuple[Path, int, bytes], list[Path]] = {}
    for path in sources:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").digest()
        same.setdefault((path.parent, path.stat().st_size, digest), []).append(path)
    return {path for paths in same.values() for path in sorted(paths, key=lambda one: (len(one.name), one.name))[1:]}


def _included_by(source: Path, by_name: Mapping[str, list[Path]]) -> set[Path]:
    """Which of the sources the text includes. Of a million other lines no name is kept."""
    found: set[Path] = set()
    for match in INCLUDED_SOURCE.finditer(source.read_bytes()):
        path = match[1].decode(errors="surrogateescape")
        named = by_name.get(path.rpartition("/")[2])
        if named is not None:
            place = os.path.normpath(source.parent / path)
            found.update(one for one in named if str(one) == place)
    return found


def _unreached(sources: Sequence[Path], included: Mapping[Path, set[Path]]) -> list[Path]:
    """The sources that none before them in the list includes, by whatever way."""
    reached: set[Path] = set()
    first: list[Path] = []
    for source in sources:
        if source in reached:
            continue
        first.append(source)
        ahead = [source]
        while ahead:
            path = ahead.pop()
            if path not in reached:
                reached.add(path)
                ahead += included[path]
    return first


def write_includes(destination: Path) -> list[str]:
    """Writes submission.cuh, which includes the .cu files of a copied submission.

    Answers those files' names, as seen from there, sorted; none means that nothing can be built.
    """
    found = source_files(destination)
    left_out = _copies_of_others(found)
    left_out |= _included_by_others([path for path in found if path not in left_out])
    sources = [path.relative_to(destination).as_posix() for path in found if path not in left_out]
    (destination / INCLUDES).write_text("".join(f'#include "{name}"\n' for name in sources))
    return sources


def write_one_include(destination: Path, source: str) -> None:
    """Writes submission.cuh for one of the files that write_includes() has answered."""
    (destination / INCLUDES).write_text(f'#include "{source}"\n')


def stage(folder: Path, destination: Path) -> list[str]:
    """Does both, and answers what write_includes() does."""
    copy_submitted(folder, destination)
    return write_includes(destination)
