"""A class as a folder with a folder or an archive a student."""

from functools import partial
from pathlib import Path

from staff.collecting.archives import ALL_SUFFIXES, stem_of, suffix_of
from staff.collecting.hand_in import ClassOf, HandIn, Ignored
from staff.collecting.hand_in_time import time_of_files
from staff.collecting.tree import ROOT, read_archive, read_folder
from staff.collecting.unpacked import Store
from tmagrade.course.labs import Lab
from tmagrade.submissions.names import is_junk, is_source, lab_named, lab_of_source, printable

EXPECTED = "a student's folder or archive was expected"


def read_plain(folder: Path, known: list[Lab], store: Store) -> ClassOf:
    found = ClassOf()
    for entry in sorted(folder.iterdir()):
        shown = printable(entry.name)
        suffix = suffix_of(entry.name)
        name = stem_of(entry.name) if suffix and not entry.is_dir() else entry.name
        if is_junk(entry.name):
            continue
        if entry.is_symlink():
            found.ignored.append(Ignored(f"{shown}: a link"))
        elif lab_named(name, known) is not None:
            found.ignored.append(Ignored(f"{shown}: this is a lab's name, where {EXPECTED}"))
        elif entry.is_dir():
            # A folder beside the archive that it came from: what the instructor last touched.
            read = partial(read_folder, folder=entry, store=store)
            found.hand_ins.append(HandIn(name, shown, read, (1,), time_of_files(entry, "file")))
        elif suffix is not None and entry.is_file():
            read = partial(read_archive, archive=entry, store=store, name=ROOT)
            time = time_of_files(entry, "file")
            found.hand_ins.append(HandIn(name, shown, read, (0, -ALL_SUFFIXES.index(suffix)), time))
        else:
            found.ignored.append(Ignored(f"{shown}: {EXPECTED}"))
    return found


def looks_like_one_students(folder: Path, known: list[Lab]) -> bool:
    """Whether labs stand right in this folder, so that it is no class'."""
    return any(
        lab_named(stem_of(entry.name), known) or (is_source(entry.name) and lab_of_source(entry.name, known))
        for entry in folder.iterdir()
    )
