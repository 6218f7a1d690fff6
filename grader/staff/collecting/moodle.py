"""Moodle's "Download all submissions": a folder a student and kind of answer, or all files side by side.

Folders are named <full name>_<participant>_assignsubmission_file (older versions: with another `_` behind it), flat
files <full name>_<participant>_assignsubmission_file_<name> (download_submissions() in mod/assign/locallib.php of
moodle/moodle). A full name has no `_`: Moodle makes it a blank. Answers typed into Moodle are `onlinetext`. The
participant's number is another one in each assignment. Where teams hand in, the team's name and a `-` stand ahead of
the full name, or the team's own name and number stand in its place (newer versions: one folder a team; who is in none
has no number there).
"""

import re
from functools import partial
from pathlib import Path, PurePosixPath

from staff.collecting.archives import suffix_of
from staff.collecting.hand_in import ClassOf, HandIn
from staff.collecting.hand_in_time import time_of_files
from staff.collecting.tree import Tree, read_archive, read_folder
from staff.collecting.unpacked import Store
from tmagrade.submissions.names import is_junk, printable

NAME = re.compile(
    r"(?P<student>[^_]+(?:_[0-9]+)?)_assign(?P<subtype>submission|feedback)_(?P<kind>[a-z]+)_?(?P<original>.*)",
    re.DOTALL,
)


def is_moodle_download(folder: Path) -> bool:
    """Whether most of what is in a folder is named as Moodle names it."""
    entries = [entry for entry in folder.iterdir() if not is_junk(entry.name)]
    return sum(NAME.fullmatch(entry.name) is not None for entry in entries) > len(entries) // 2


def read_moodle(folder: Path, store: Store) -> ClassOf:
    found = ClassOf(platform="moodle")
    flat: dict[str, list[tuple[str, Path]]] = {}
    for entry in sorted(folder.iterdir()):
        name = NAME.fullmatch(entry.name)
        if is_junk(entry.name):
            continue
        if name is None:
            found.ignored.append(f"{printable(entry.name)}: not named as Moodle names what students handed in")
        elif entry.is_symlink():
            found.ignored.append(f"{printable(entry.name)}: a link")
        elif name["subtype"] != "submission" or name["kind"] != "file":
            what = "a text typed into Moodle" if name["kind"] == "onlinetext" else "no file of a student's"
            found.ignored.append(f"{printable(entry.name)}: {what}")
        elif entry.is_dir():
            read = partial(read_folder, folder=entry, store=store)
            time = time_of_files(entry, "moodle")
            found.hand_ins.append(HandIn(name["student"], printable(name["student"]), read, time=time))
        else:
            flat.setdefault(name["student"], []).append((name["original"], entry))
    for student, files in flat.items():
        times = [time for _, path in files if (time := time_of_files(path, "moodle")) and time.at]
        newest = max(times, key=lambda time: time.at.timestamp() if time.at else 0, default=None)
        read = partial(_read, files=files, store=store)
        found.hand_ins.append(HandIn(student, printable(student), read, time=newest))
    return found


def _read(tree: Tree, files: list[tuple[str, Path]], store: Store) -> None:
    for original, path in sorted(files, key=lambda file: suffix_of(file[0]) is not None):  # archives last
        name = PurePosixPath(original.replace("/", "_"))
        if suffix_of(original) is not None:
            read_archive(tree, path, store, name)
        elif original and not is_junk(original):
            tree.files[name] = path
