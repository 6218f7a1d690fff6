"""Moodle: its "Download all submissions", its grading worksheet, and feedback as it takes it back.

The download has a folder a student and kind of answer, or all files side by side. Folders are named
<full name>_<participant>_assignsubmission_file (older versions: with another `_` behind it), flat files
<full name>_<participant>_assignsubmission_file_<name> (download_submissions() in mod/assign/locallib.php of
moodle/moodle). A full name has no `_`: Moodle makes it a blank. Answers typed into Moodle are `onlinetext`. The
participant's number is another one in each assignment. Where teams hand in, the team's name and a `-` stand ahead of
the full name, or the team's own name and number stand in its place (newer versions: one folder a team; who is in none
has no number there).

The worksheet's importer (mod/assign/feedback/offline/importgradeslib.php) needs the columns `Identifier`, `Grade` and
`Last modified (grade)`, by their names in the teacher's language; a row whose time there is older than Moodle's own is
not taken, so that stays as it is.
Feedback is a zip with the download's folders (mod/assign/feedback/file/importziplib.php: the second part of a name,
between `_`, is the participant's number).
"""

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path, PurePosixPath

from staff.collecting.archives import suffix_of
from staff.collecting.hand_in import ClassOf, HandIn, Ignored
from staff.collecting.hand_in_time import time_of_files
from staff.collecting.tree import Tree, read_archive, read_folder
from staff.collecting.unpacked import Store
from staff.term.grade_book import Book, number_in
from staff.term.roster import NO_TEAM, Person, Roster
from staff.term.table import Table
from tmagrade.basics.errors import UsageError
from tmagrade.basics.names import folded
from tmagrade.submissions.names import is_junk, printable

DOWNLOADED = re.compile(
    r"(?P<student>[^_]+(?:_[0-9]+)?)_assign(?P<subtype>submission|feedback)_(?P<kind>[a-z]+)_?(?P<original>.*)",
    re.DOTALL,
)
# What of a folder's name says whose it is.
GIVEN_BACK = re.compile(r"(?P<called>[^_/]+(?:_[0-9]+)?)_assignsubmission_file")

IDENTIFIER, NAME, EMAIL = "Identifier", "Full name", "Email address"
GRADE, MAXIMUM, MODIFIED = "Grade", "Maximum Grade", "Last modified (grade)"
TEAM = "Group"  # of an assignment that teams hand in
NO_TEAMS = (NO_TEAM, "Not a member of any group", "Member of more than one group")
LOCKED = "Grade can be changed"
# What that says of a row that is locked, in the languages of most courses.
NO = tuple(
    map(folded, ("no", "nein", "non", "não", "nee", "nej", "nei", "nie", "ne", "нет", "ні", "hayır", "いいえ", "否"))
)
IDENTIFIED = re.compile(r"\D+?([0-9]+)")


def is_moodle_download(folder: Path) -> bool:
    """Whether most of what is in a folder is named as Moodle names it."""
    entries = [entry for entry in folder.iterdir() if not is_junk(entry.name)]
    return sum(DOWNLOADED.fullmatch(entry.name) is not None for entry in entries) > len(entries) // 2


def read_moodle(folder: Path, store: Store) -> ClassOf:
    found = ClassOf(platform="moodle")
    flat: dict[str, list[tuple[str, Path]]] = {}
    for entry in sorted(folder.iterdir()):
        name = DOWNLOADED.fullmatch(entry.name)
        if is_junk(entry.name):
            continue
        if name is None:
            found.ignored.append(Ignored(f"{printable(entry.name)}: not named as Moodle names what students handed in"))
        elif entry.is_symlink():
            found.ignored.append(Ignored(f"{printable(entry.name)}: a link"))
        elif name["subtype"] != "submission" or name["kind"] != "file":
            what = "a text typed into Moodle" if name["kind"] == "onlinetext" else "no file of a student's"
            found.ignored.append(Ignored(f"{printable(entry.name)}: {what}", name["student"]))
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


def participant_of(identifier: str) -> str:
    """The number of `Participant 596`, which is `Teilnehmer/in596` and the like in other languages."""
    found = IDENTIFIED.fullmatch(identifier.strip())
    return found[1] if found else ""


def worksheet_columns(table: Table) -> dict[str, int]:
    """Where a worksheet has what, by Moodle's English names. In other languages, by what stands there: the columns have
    one order (mod/assign/gradingtable.php), and of all points the lab's own are the same in each row."""
    header = table.header()
    if IDENTIFIER in header:
        return {name: place for place, name in reversed(list(enumerate(header)))}
    rows = [row for row in range(1, len(table.rows)) if any(table.rows[row])]
    if not rows or not all(participant_of(table.value(row, 0)) for row in rows):
        return {}
    found = {IDENTIFIER: 0, NAME: 1}
    for place in range(2, len(header)):
        cells = {table.value(row, place).strip() for row in rows}
        if EMAIL not in found and all("@" in cell for cell in cells):
            found[EMAIL] = place
        if MAXIMUM not in found and len(cells) == 1 and number_in(cells.pop()):
            found |= {GRADE: place - 1, MAXIMUM: place, LOCKED: place + 1}
    return found


def moodle_book(content: bytes, roster: Roster) -> Book:
    table = Table.of(content)
    columns = worksheet_columns(table)
    if lacking := [name for name in (IDENTIFIER, GRADE, MAXIMUM) if name not in columns]:
        raise UsageError(f"this is no grading worksheet of Moodle's: it has no {', no '.join(lacking)}")
    found: dict[int, Person] = {}
    unknown: list[str] = []
    points: list[str] = []
    locked: list[int] = []
    for row in range(1, len(table.rows)):
        said = {name: table.value(row, place) for name, place in columns.items() if place < len(table.rows[row])}
        if not any(said.values()):
            continue
        people = people_of(roster, said)
        if len(people) != 1:
            unknown.append(said.get(NAME) or said.get(IDENTIFIER, ""))
            continue
        found[row] = people[0]
        points.append(said.get(MAXIMUM, ""))
        if folded(said.get(LOCKED, "")) in NO:
            locked.append(row)
    return Book("Moodle", table, columns[GRADE], found, tuple(unknown), tuple(points), frozenset(locked))


def people_of(roster: Roster, said: Mapping[str, str]) -> tuple[Person, ...]:
    """By the e-mail address where the worksheet has it, else by the participant's number, or a full name that only one
    has."""
    if email := folded(said.get(EMAIL, "")):
        return tuple(one for one in roster.people if folded(one.email) == email)
    return roster.who("moodle", f"{said.get(NAME, '')}_{participant_of(said[IDENTIFIER])}")


def feedback_place(name: str) -> tuple[str, str] | None:
    """Whose what is named so is, and what the name of the feedback on it begins with."""
    found = GIVEN_BACK.match(name)
    return (found["called"], f"{found[0]}/") if found is not None else None
