"""Canvas: its bulk download of what was handed in, its grade book, and feedback as it takes it back.

The download has every student's files side by side, named <student>_<user>_<file>_<name>. Canvas writes `_LATE` after
the student, and `anon_<code>` for student and user where grading is anonymous; text entries and links are
<student>_<user>_text.html and ..._link.html (lib/content_zipper.rb in instructure/canvas-lms). Numbers of files grow
with time. A file handed in again under its old name is `name-1.cu`, the next `name-2.cu`. It does not say when; where
`submissions.json` lies beside the files, that does, as the API has it (/doc/api/submissions.html).

The importer of grade books (lib/gradebook_importer.rb) takes a table whose header begins with `Student` and `ID`, or
`LastName`, `FirstName` and `ID`, and has a `Section`, then assignments as `Name (id)`, with commas or semicolons
between them, and either decimal point; `Points Possible` begins a row below it. Feedback is a zip with the download's
file names, of which Canvas reads the user's number and the attachment's (generate_comments_from_files in
app/models/assignment.rb).
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath

from staff.collecting.archives import stem_of, suffix_of
from staff.collecting.hand_in import ClassOf, HandIn, Ignored
from staff.collecting.tree import Tree, read_archive
from staff.collecting.unpacked import Store
from staff.term.grade_book import Book
from staff.term.roster import Person, Roster
from staff.term.table import Table
from tmagrade.basics.errors import UsageError
from tmagrade.basics.names import folded
from tmagrade.basics.utf8 import utf8_of
from tmagrade.submissions.names import is_junk, is_source, printable, without_repetition
from tmagrade.submissions.submission import HandInTime

# Of a name, in small letters, Canvas keeps Ruby's [[:word:]] (get_filename and sanitize_file_name there): the letters
# and digits of every script, marks and joining lines, which Python's \w has not all. So nothing is asked of what is
# beyond ASCII: the numbers say whose a file is. Of a name in symbols alone nothing is left.
WORD = r"[\w\x80-\U0010ffff]"
CALLED = rf"{WORD}*?_(?:LATE_)?[0-9]+"
FILE_NAME = re.compile(rf"(?:LATE_)?(?P<student>anon_\w+?|{CALLED})_(?P<file>[0-9]+)_(?P<original>.+)", re.DOTALL)
# What comes after the number of a file and could begin with one: of a student who calls himself `ada_77`, all begins as
# that of the student ada with the number 77.
TWO_WAYS = re.compile(r"[0-9]+_.|.*_[0-9]+_[0-9]+_.", re.DOTALL)
TEXT_ENTRY = re.compile(rf"(?P<student>{WORD}+)_(?:text|link)\.html")
# What of a file's name says whose it is, and what a feedback file of its own keeps of it.
GIVEN_BACK = re.compile(rf"(?P<called>{CALLED})_(?P<attachment>[0-9]+)_.+", re.DOTALL)

SUBMISSIONS = "submissions.json"  # no student's file is called so
ID, SIS_ID, SIS_LOGIN = "ID", "SIS User ID", "SIS Login ID"
BEGINNINGS = (("Student", ID), ("LastName", "FirstName", ID))


@dataclass(frozen=True)
class CanvasFile:
    student: str
    is_late: bool
    number: int
    original: str
    path: Path


def canvas_file(path: Path) -> CanvasFile | None:
    found = FILE_NAME.fullmatch(path.name)
    if found is None:
        return None
    student, is_marked = without_mark(found["student"])
    is_late = is_marked or path.name.startswith("LATE_")
    return CanvasFile(student, is_late, int(found["file"]), found["original"], path)


def without_mark(called: str) -> tuple[str, bool]:
    """Whose a file is, and whether Canvas has marked it as late."""
    student, marks = re.subn(r"_LATE_(?=[0-9]+$)", "_", called)
    return student, marks > 0


def is_canvas_download(folder: Path) -> bool:
    """Whether most of a folder's files are named as Canvas names them, and it has no folders."""
    entries = [entry for entry in folder.iterdir() if not is_junk(entry.name) and entry.name != SUBMISSIONS]
    files = [entry for entry in entries if canvas_file(entry) or TEXT_ENTRY.fullmatch(entry.name)]
    return len(files) > len(entries) // 2


def read_canvas(folder: Path, store: Store) -> ClassOf:
    found = ClassOf(platform="canvas")
    students: dict[str, list[CanvasFile]] = {}
    beside = folder / SUBMISSIONS
    times = dict(submission_times(utf8_of(beside.read_bytes(), beside), beside)) if beside.is_file() else {}
    for entry in sorted(folder.iterdir()):
        if is_junk(entry.name) or entry == beside:
            continue
        file = canvas_file(entry)
        if entry.is_symlink() or not entry.is_file():
            found.ignored.append(Ignored(f"{printable(entry.name)}: in a download from Canvas a file was expected"))
        elif file is not None:
            students.setdefault(file.student, []).append(file)
        elif (text := TEXT_ENTRY.fullmatch(entry.name)) is not None:
            said = f"{printable(entry.name)}: an entry of text, no file"
            found.ignored.append(Ignored(said, without_mark(text["student"])[0]))
        else:
            found.ignored.append(Ignored(f"{printable(entry.name)}: not named as Canvas names what students handed in"))
    for student, files in students.items():
        doubtful = [file for file in files if TWO_WAYS.match(file.original)]
        sure = [file for file in files if not TWO_WAYS.match(file.original)]
        for age, some, doubt in ((1, sure, ""), (0, doubtful, " (or another with a number in the name)")):
            if some:
                read = partial(_read, files=some, store=store)
                at = times.get(student.rpartition("_")[2])
                time = HandInTime(at, "canvas", is_late=any(file.is_late for file in some))
                found.hand_ins.append(HandIn(student, printable(student) + doubt, read, (age,), time))
    return found


def submission_times(text: str, path: Path) -> Iterator[tuple[str, datetime]]:
    """Whose submission of one assignment came when, by Canvas' number of the person. UsageError where that is no list
    of submissions."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no JSON: {error}") from error
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) and "user_id" in row for row in rows):
        raise UsageError(f"{path} is no list of Canvas' submissions, each with user_id and submitted_at")
    for row in rows:
        if said := row.get("submitted_at"):
            try:
                at = datetime.fromisoformat(str(said))
            except ValueError:
                raise UsageError(f"{path}: user {row['user_id']}: {said!r} is no time") from None
            yield str(row["user_id"]), at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def _read(tree: Tree, files: list[CanvasFile], store: Store) -> None:
    # Archives last: read_archive() knows what to do where there is a file that is called like its folder.
    for file in sorted(files, key=lambda file: (suffix_of(file.original) is not None, file.number)):
        if is_junk(file.original):
            continue
        name = PurePosixPath(file.original.replace("/", "_"))
        if suffix_of(file.original) is not None:
            read_archive(tree, file.path, store, name)
            tree.ages[stem_of(name.name)] = file.number
            continue
        tree.files[name] = file.path
        tree.ages[name.name] = file.number
        # The .cu file of a second hand-in says #include "add_one.cuh", whose name is now add_one-1.cuh.
        first_name = without_repetition(file.original)[0]
        if not is_source(name.name) and first_name != file.original:
            tree.files[PurePosixPath(first_name)] = file.path


def canvas_book(content: bytes, column: str | None, roster: Roster, lab: str) -> Book:
    """The lab's column is that of this name."""
    table = Table.of(content)
    header = table.header()
    begins = any(header[: len(names)] == list(names) for names in BEGINNINGS)
    if len(header) < 4 or not begins or "Section" not in header:
        raise UsageError("this is no grade book of Canvas': its first line begins with Student, ID")
    if column is None or header.count(column) != 1:
        named = ", ".join(name for name in header if name.endswith(")"))
        raise UsageError(f'which column is {lab}? canvas = "..." in term.toml says it; there are {named or "none"}')
    place = header.index(column)
    people: dict[int, Person] = {}
    unknown: list[str] = []
    points: list[str] = []
    for row in range(1, len(table.rows)):
        if table.value(row, 0).strip() == "Points Possible":
            points.append(table.value(row, place))
        elif place < len(table.rows[row]) and (table.value(row, 0).strip() or table.value(row, 1).strip()):
            said = {name: table.value(row, index) for index, name in enumerate(header[: len(table.rows[row])])}
            if (person := _person(roster, said)) is None:
                unknown.append(table.value(row, 0))
            else:
                people[row] = person
    return Book("Canvas", table, place, people, tuple(unknown), tuple(points))


def _person(roster: Roster, row: Mapping[str, str]) -> Person | None:
    """By Canvas' number, else by the university's; by no name, of which there may be two."""
    number, sis, login = (row.get(name, "").strip() for name in (ID, SIS_ID, SIS_LOGIN))
    for one in roster.people:
        if (number and one.canvas == number) or (sis and one.sis == sis):
            return one
    logins = [one for one in roster.people if login and folded(login) in (folded(one.email), folded(one.sis))]
    return logins[0] if len(logins) == 1 else None


def feedback_place(name: str) -> tuple[str, str] | None:
    """Whose a file of the download is, and what the name of the feedback on it begins with."""
    found = GIVEN_BACK.fullmatch(name)
    if found is None:
        return None
    return without_mark(found["called"])[0], f"{found['called']}_{found['attachment']}_"
