"""One student's hand-in as a tree of names: folders, files, and archives as the folders that they hold."""

import os
from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from staff.collecting.archives import MAX_PATH_BYTES, STUDENT, BadArchive, TooMuch, stem_of, suffix_of
from staff.collecting.course_copy import COMMON, LABS, OWN, is_course
from staff.collecting.unpacked import Store
from tmagrade.submissions.names import is_junk, printable

MAX_ENTRIES = 2000
MAX_DEPTH = 16
MAX_ARCHIVES = 32

# jane/lab3.zip and jane/lab3-bulk-copy/handed-in.zip are opened; what is deeper, or inside of an archive, is not.
ARCHIVE_DEPTH = 2

ROOT = PurePosixPath()


@dataclass
class Tree:
    """Names below the hand-in's folder, and where each really is. The name `.` is a folder only where one on the disk
    holds this hand-in and nothing else: a download of Canvas' has everybody's files side by side."""

    folders: dict[PurePosixPath, Path] = field(default_factory=dict)
    files: dict[PurePosixPath, Path] = field(default_factory=dict)
    problems: dict[PurePosixPath, str] = field(default_factory=dict)  # archives that could not be opened, and why
    ages: dict[str, int] = field(default_factory=dict)  # of the first parts of names: the larger, the newer
    ignored: list[str] = field(default_factory=list)
    entries: int = 0  # all that was looked at, also what is ignored
    archives: int = 0
    unpacked_bytes: int = 0  # of what a compiler reads
    other_bytes: int = 0

    def age(self, name: PurePosixPath) -> int:
        return self.ages.get(name.parts[0], 0) if name.parts else 0


class TooLarge(Exception):
    """A hand-in of more files than anybody hands in, or in deeper folders."""


def read_folder(tree: Tree, folder: Path, store: Store, name: PurePosixPath = ROOT) -> None:
    """Adds a folder of the instructor's disk, in which archives are opened."""
    archives: list[tuple[PurePosixPath, Path]] = []

    def found(at: PurePosixPath, path: Path) -> None:
        if suffix_of(path.name) is None or len(at.parts) > ARCHIVE_DEPTH:
            tree.files[at] = path
        else:
            archives.append((at, path))

    _walk(tree, folder, name, found)
    for at, path in archives:
        read_archive(tree, path, store, at)


def read_archive(tree: Tree, archive: Path, store: Store, name: PurePosixPath) -> None:
    """Adds an archive as the folder of its name without the ending. Archives within it stay shut."""
    inside = name.parent / stem_of(name.name) if name.parts else name
    tree.archives += 1
    if tree.archives > MAX_ARCHIVES:
        raise TooLarge(f"more than {MAX_ARCHIVES} archives were handed in")
    if name.parts and (inside in tree.folders or inside in tree.files):
        kind = "folder" if inside in tree.folders else "file"
        tree.ignored.append(f"{printable(str(name))}: the {kind} {printable(inside.name)} counts, which is there too")
        return
    try:
        # All of a student's archives together may unpack to what one alone may.
        left = STUDENT.bytes - tree.unpacked_bytes
        passed_over = STUDENT.passed_over_bytes // tree.archives
        other = STUDENT.other_bytes - tree.other_bytes
        limits = replace(STUDENT, bytes=left, passed_over_bytes=passed_over, other_bytes=other)
        unpacked = store.unpack(archive, limits)
    except TooMuch as bad:
        if tree.unpacked_bytes:
            raise TooLarge(f"the archives unpack to more than {STUDENT.bytes >> 20} MiB together") from bad
        tree.problems[inside] = f"{printable(archive.name)}: {bad}"
        return
    except BadArchive as bad:
        tree.problems[inside] = f"{printable(archive.name)}: {bad}"
        return
    tree.unpacked_bytes += unpacked.bytes - unpacked.other_bytes
    tree.other_bytes += unpacked.other_bytes
    tree.ignored += [printable(f"{name}/") + line if name.parts else line for line in unpacked.left_out]

    def found(at: PurePosixPath, path: Path) -> None:
        if suffix_of(path.name) is None:
            tree.files[at] = path
        else:
            tree.problems[at.with_name(stem_of(at.name))] = (
                f"{printable(path.name)} is an archive within an archive, which is not opened"
            )

    _walk(tree, unpacked.folder, inside, found)


def _walk(
    tree: Tree,
    folder: Path,
    name: PurePosixPath,
    found: Callable[[PurePosixPath, Path], None],
    passed_over: Container[str] = (),
) -> None:
    tree.folders[name] = folder
    if len(name.parts) > MAX_DEPTH:
        raise TooLarge(f"folders are nested more than {MAX_DEPTH} deep")
    with os.scandir(folder) as listed:
        entries = sorted(listed, key=lambda entry: entry.name)
        in_course = is_course(entry.name for entry in entries)
        for entry in entries:
            at = name / entry.name
            if is_junk(entry.name) or entry.name in passed_over or (in_course and entry.name in OWN):
                continue
            tree.entries += 1
            if tree.entries > MAX_ENTRIES:
                raise TooLarge(f"more than {MAX_ENTRIES} files and folders were handed in")
            if len(os.fsencode(at)) > MAX_PATH_BYTES:
                raise TooLarge(f"a path has more than {MAX_PATH_BYTES} bytes")
            if entry.is_dir(follow_symlinks=False):
                inner_own = {COMMON} if in_course and entry.name == LABS else ()
                _walk(tree, Path(entry.path), at, found, inner_own)
            elif entry.is_file(follow_symlinks=False):
                found(at, Path(entry.path))
            else:
                what = "a link" if entry.is_symlink() else "no ordinary file"
                tree.ignored.append(f"{printable(str(at))}: {what}")
