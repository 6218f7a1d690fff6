"""Clones of a class's repositories, side by side: <prefix><login>, as GitHub Classroom and its successors name them."""

from functools import partial
from pathlib import Path

from staff.collecting.hand_in import ClassOf, HandIn
from staff.collecting.hand_in_time import time_of_commit
from staff.collecting.tree import read_folder
from staff.collecting.unpacked import Store
from tmagrade.basics.errors import UsageError
from tmagrade.course.labs import Lab
from tmagrade.submissions.names import is_junk, printable


def prefix_of_clones(folder: Path, known: list[Lab]) -> str | None:
    """What the names of all clones here begin with, where it is a lab's name; None where it is not, or where there is
    anything but clones."""
    entries = [entry for entry in folder.iterdir() if not is_junk(entry.name)]
    if not entries or not all((entry / ".git").exists() and not entry.is_symlink() for entry in entries):
        return None
    names = [name for lab in known for name in (lab.id, lab.id.split("-")[0])]
    fitting = [f"{name}-" for name in names if all(entry.name.startswith(f"{name}-") for entry in entries)]
    return max(fitting, key=len, default=None)


def read_github(folder: Path, prefix: str | None, known: list[Lab], store: Store) -> ClassOf:
    prefix = prefix or prefix_of_clones(folder, known)
    if prefix is None:
        raise UsageError("what do the clones' names begin with, before the login? --prefix (make grade PREFIX=lab3-)")
    found = ClassOf(platform="github")
    for entry in sorted(folder.iterdir()):
        login = entry.name.removeprefix(prefix)
        if is_junk(entry.name):
            continue
        if entry.is_symlink() or not entry.is_dir():
            found.ignored.append(f"{printable(entry.name)}: no clone")
        elif not entry.name.startswith(prefix) or not login:
            found.ignored.append(f"{printable(entry.name)}: its name does not begin with {printable(prefix)}")
        else:
            read = partial(read_folder, folder=entry, store=store)
            found.hand_ins.append(HandIn(login, printable(login), read, time=time_of_commit(entry)))
    return found
