"""GitHub, with Classroom or without it: a class's clones, and feedback on them.

Clones lie side by side, <prefix><login>, as GitHub Classroom and its successors name them. Feedback is a file a
repository, with the script that opens an issue in each (GitHub CLI manual, "gh issue create").
"""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from staff.collecting.hand_in import ClassOf, HandIn, Ignored
from staff.collecting.hand_in_time import time_of_commit
from staff.collecting.tree import read_folder
from staff.collecting.unpacked import Store
from staff.platforms.feedback_zip import FEEDBACK, Packed
from tmagrade.basics.errors import UsageError
from tmagrade.basics.zips import zip_of
from tmagrade.course.labs import Lab
from tmagrade.submissions.names import is_junk, printable

GITHUB = "github"
POST = "post.sh"
SCRIPT = f"""#!/bin/sh
# Opens an issue with the feedback in each student's repository. It needs GitHub's gh, logged in.
# Usage: sh {POST} OWNER TITLE      (sh {POST} our-course "Feedback on lab 3")
set -eu
cd "$(dirname "$0")"
for folder in */; do
    gh issue create --repo "$1/${{folder%/}}" --title "$2" --body-file "${{folder}}{FEEDBACK}"
done
"""


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
            found.ignored.append(Ignored(f"{printable(entry.name)}: no clone"))
        elif not entry.name.startswith(prefix) or not login:
            found.ignored.append(Ignored(f"{printable(entry.name)}: its name does not begin with {printable(prefix)}"))
        else:
            read = partial(read_folder, folder=entry, store=store)
            found.hand_ins.append(HandIn(login, printable(login), read, time=time_of_commit(entry)))
    return found


def pack_for_github(repositories: Iterable[str], feedback_of: Callable[[str], str | None]) -> Packed:
    """`repositories` are the clones' names: an assignment's, a hyphen, and a login."""
    files: dict[str, bytes | str] = {POST: SCRIPT}
    without: list[str] = []
    for name in repositories:
        said = next((text for login in _endings(name) if (text := feedback_of(login)) is not None), None)
        if said is None:
            without.append(name)
        else:
            files[f"{name}/{FEEDBACK}"] = said
    return Packed(zip_of(files), len(files) - 1, tuple(without))


def _endings(name: str) -> list[str]:
    """What may be the login: logins and assignments may have hyphens themselves, so the longest first."""
    parts = name.split("-")
    return ["-".join(parts[first:]) for first in range(len(parts))]
