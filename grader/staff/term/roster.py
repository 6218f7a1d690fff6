"""roster.csv: who is in the course, and how each platform calls them. Nobody is guessed."""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from staff.term.own_files import text_of
from tmagrade.basics.errors import UsageError
from tmagrade.basics.untrusted import visible_line
from tmagrade.submissions.names import student_folder_name

ROSTER_FILE = "roster.csv"


@dataclass(frozen=True)
class Person:
    """One line of the roster. Whatever is empty is not known."""

    id: str  # the course's own, the same all term: the name of the student's folder of grades
    name: str
    email: str = ""
    section: str = ""
    group: str = ""
    canvas: str = ""  # Canvas' number of the user
    sis: str = ""  # the number of the university's system: Canvas' SIS id, Gradescope's student id
    gradescope: str = ""  # Gradescope's e-mail address, where it is another one
    moodle: str = ""  # the full name in Moodle, where it is another one
    github: str = ""  # the login


COLUMNS = tuple(field.name for field in fields(Person))
UNIQUE = ("id", "email", "canvas", "sis", "gradescope", "github")
NO_TEAM = "Default group"  # as Moodle calls the team of those who are in none
LEFT_OUT_BY_MOODLE = re.compile(r"""[\x00-\x1f\x7f&<>"`|':\\/]""")
NUMBERED = re.compile(r"(?P<name>.+)_(?P<number>[0-9]+)")


@dataclass(frozen=True)
class Roster:
    people: tuple[Person, ...]

    def who(self, platform: str, called: str) -> tuple[Person, ...]:
        """Those whom a platform calls so: a person, or the members of a group. Nobody where it could be two."""
        found = self.called_so(platform, called)
        if found:
            return found if len(found) == 1 else ()
        group = _moodles(_numbered(called)[0]) if platform == "moodle" else _folded(called)
        fold = _moodles if platform == "moodle" else _folded
        return tuple(one for one in self.people if one.group and fold(one.group) == group)

    def called_so(self, platform: str, called: str) -> tuple[Person, ...]:
        """All whom a platform may mean: more than one where two have the same name."""
        if platform == "canvas":
            return self._by(lambda one: [one.canvas], _numbered(called)[1])
        if platform == "moodle":
            return self._of_moodle(_moodles(_numbered(called)[0]))
        if platform == "gradescope":
            return self._by(lambda one: [one.gradescope, one.email, one.sis], called)
        if platform == "github":
            return self._by(lambda one: [one.github], called)
        return self._by(lambda one: [one.id], called) or self._by(
            lambda one: [one.email, one.name, one.github, one.sis], called
        )

    def _of_moodle(self, wanted: str) -> tuple[Person, ...]:
        """By the full name, behind the team's where teams hand in; by the id, which a teacher has put in its place
        where two have the same name."""
        names = [(one, _moodles(one.moodle or one.name)) for one in self.people]
        found = tuple(one for one, name in names if wanted == name)
        in_team = tuple(one for one, name in names if wanted == f"{_moodles(one.group or NO_TEAM)}-{name}")
        return found or in_team or tuple(one for one in self.people if wanted == _moodles(one.id))

    def _by(self, names: Callable[[Person], Sequence[str]], called: str) -> tuple[Person, ...]:
        wanted = _folded(called)
        return tuple(one for one in self.people if wanted and wanted in map(_folded, names(one)))

    def group_of(self, student: str) -> str:
        """What names those who share hand-ins: two such names are never one."""
        return next((f"group {one.group}" for one in self.people if one.id == student and one.group), student)

    def members(self, person: Person) -> tuple[Person, ...]:
        """Everybody of the person's group, the person first."""
        return (person, *(one for one in self.people if person.group and one.group == person.group and one != person))


def _numbered(called: str) -> tuple[str, str]:
    """The name and the number behind it, where a platform puts one."""
    found = NUMBERED.fullmatch(called)
    return (found["name"], found["number"]) if found else (called, "")


def _moodles(name: str) -> str:
    """As Moodle names a folder after it: `_` is a blank, and what a file's name may not have is left out
    (download_submissions() in mod/assign/locallib.php, PARAM_FILE in lib/moodlelib.php of moodle/moodle)."""
    return _folded(LEFT_OUT_BY_MOODLE.sub("", name.replace("_", " ")))


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def read_roster(folder: Path) -> Roster:
    """UsageError with every mistake, and the line where it is."""
    path = folder / ROSTER_FILE
    lines = list(_lines(text_of(path), path))
    header = [cell.strip() for cell in lines[0].cells] if lines else []
    if mistakes := list(_of_header(header)):
        raise UsageError(_listed(path, mistakes))
    people = {line.number: Person(**_cells(header, line.cells)) for line in lines[1:]}
    if mistakes := [*_of_length(header, lines[1:]), *_of_people(people)]:
        raise UsageError(_listed(path, mistakes))
    return Roster(tuple(people.values()))


@dataclass(frozen=True)
class _Line:
    number: int  # in the file; the first where a cell goes on in the next
    cells: list[str]


def _lines(text: str, path: Path) -> Iterator[_Line]:
    """Without empty ones and those that begin with #."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 1
    try:
        for cells in reader:
            if cells and not cells[0].startswith("#"):
                yield _Line(number, cells)
            number = reader.line_num + 1
    except csv.Error as error:
        raise UsageError(f"{path}: line {number}: {error}") from error


def _listed(path: Path, mistakes: Iterable[str]) -> str:
    return "\n".join([f"{path} cannot be used:", *(f"  {mistake}" for mistake in mistakes)])


def _cells(header: Sequence[str], line: Sequence[str]) -> dict[str, str]:
    cells = dict(zip(header, (cell.strip() for cell in line)))
    return {"id": "", "name": ""} | cells


def _of_header(header: Sequence[str]) -> Iterator[str]:
    if not {"id", "name"} <= set(header):
        yield f"the first line names the columns, among them id and name: {', '.join(COLUMNS)}"
    for name in sorted({name for name in header if name not in COLUMNS}):
        yield f"the first line: there is no column {visible_line(name)!r}; there are {', '.join(COLUMNS)}"


def _of_length(header: Sequence[str], lines: Iterable[_Line]) -> Iterator[str]:
    for line in lines:
        if any(cell.strip() for cell in line.cells[len(header) :]):
            cells = f"{len(line.cells)} cells, the first line {len(header)}"
            yield f'line {line.number}: has {cells}: a cell with a comma in it stands in quotes ("Lovelace, Ada")'


def _of_people(people: Mapping[int, Person]) -> Iterator[str]:
    for line, person in people.items():
        if not person.id or not person.name:
            yield f"line {line}: id and name are needed"
        elif student_folder_name(person.id) != person.id:
            yield f"line {line}: the id {visible_line(person.id)!r} must be letters, digits and . _ - @ +"
    for column in UNIQUE:
        yield from _repeated(column, {line: _folded(getattr(person, column)) for line, person in people.items()})


def _repeated(column: str, values: Mapping[int, str]) -> Iterator[str]:
    first: dict[str, int] = {}
    for line, value in values.items():
        if value and value in first:
            yield f"line {line}: {column} {visible_line(value)!r} is that of line {first[value]}, too"
        first.setdefault(value, line)
