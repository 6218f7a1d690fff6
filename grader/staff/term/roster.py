"""roster.csv: who is in the course, and how each platform calls them. Nobody is guessed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path

from staff.term.own_files import refuse, rows_of
from tmagrade.basics.names import folded
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
    group: str = ""  # of the whole term; groups.csv has those that change
    canvas: str = ""  # Canvas' number of the user
    sis: str = ""  # the number of the university's system: Canvas' SIS id, Gradescope's student id
    gradescope: str = ""  # Gradescope's e-mail address, where it is another one
    moodle: str = ""  # the full name in Moodle, where it is another one
    participants: str = ""  # Moodle's numbers of the person, one an assignment, with blanks between them
    github: str = ""  # the login
    dropped: str = ""  # since when the person is in the course no more: who has left stays known


COLUMNS = tuple(field.name for field in fields(Person))
UNIQUE = ("id", "email", "canvas", "sis", "gradescope", "github")
NO_TEAM = "Default group"  # as Moodle calls the team of those who are in none
LEFT_OUT_BY_MOODLE = re.compile(r"""[\x00-\x1f\x7f&<>"`|':\\/]""")
NUMBERED = re.compile(r"(?P<name>.*)_(?P<number>[0-9]+)", re.DOTALL)
# What platforms call people by; the first kind by which anybody is found counts.
KINDS: Mapping[str, tuple[str, ...]] = {
    "canvas": ("canvas",),
    "moodle": ("participant", "moodle name", "moodle team", "moodle id"),
    "gradescope": ("gradescope",),
    "github": ("github",),
}
PLAIN_KINDS = ("id", "any")


@dataclass(frozen=True)
class Roster:
    people: tuple[Person, ...]  # also those who have dropped

    @cached_property
    def present(self) -> tuple[Person, ...]:
        return tuple(one for one in self.people if not one.dropped)

    def who(self, platform: str, called: str) -> tuple[Person, ...]:
        """Those whom a platform calls so: a person, or the members of a group. Nobody where it could be two."""
        found = self.called_so(platform, called)
        if found:
            return found if len(found) == 1 else ()
        return self._group_called(platform, called)

    def called_so(self, platform: str, called: str) -> tuple[Person, ...]:
        """All whom a platform may mean, by its number of them before any name: more than one where two have the same
        name. In Moodle a team's number is another table's than those of people."""
        name, number = _numbered(called)
        if platform == "moodle" and self._group_called(platform, called):
            number = ""
        of_kind = {
            "canvas": number,
            "participant": number,
            **dict.fromkeys(("moodle name", "moodle team", "moodle id"), _moodles(name)),
        }
        wanted = ((kind, of_kind.get(kind, folded(called))) for kind in KINDS.get(platform, PLAIN_KINDS))
        return next((self._called[one] for one in wanted if one in self._called), ())

    def who_anywhere(self, name: str) -> tuple[Person, ...]:
        """Those whom a name in grades means that were graded without the roster, so under a platform's own name,
        whichever that was. Nobody where it could be two."""
        if name in self.by_id:
            return (self.by_id[name],)
        found = {people for platform in ("plain", *KINDS) if (people := self.who(platform, name))}
        return found.pop() if len(found) == 1 else ()

    @cached_property
    def _called(self) -> Mapping[tuple[str, str], tuple[Person, ...]]:
        found: dict[tuple[str, str], dict[Person, None]] = {}
        for one in self.people:
            for kind, text in _calls(one):
                if text:
                    found.setdefault((kind, text), {})[one] = None
        return {key: tuple(people) for key, people in found.items()}

    def _group_called(self, platform: str, called: str) -> tuple[Person, ...]:
        is_moodle = platform == "moodle"
        return self._groups.get((is_moodle, _moodles(_numbered(called)[0]) if is_moodle else folded(called)), ())

    @cached_property
    def _groups(self) -> Mapping[tuple[bool, str], tuple[Person, ...]]:
        found: dict[tuple[bool, str], tuple[Person, ...]] = {}
        for one in self.people:
            for key in ((True, _moodles(one.group)), (False, folded(one.group))) if one.group else ():
                found[key] = (*found.get(key, ()), one)
        return found

    @cached_property
    def by_id(self) -> Mapping[str, Person]:
        return {one.id: one for one in self.people}

    def group_of(self, student: str) -> str:
        """What names those who share hand-ins: two such names are never one."""
        one = self.by_id.get(student)
        return f"group {one.group}" if one is not None and one.group else student

    def members(self, person: Person) -> tuple[Person, ...]:
        """Everybody of the group that the person has here, the person first."""
        here = self.by_id[person.id]
        others = self._groups.get((False, folded(here.group)), ()) if here.group else ()
        return (here, *(one for one in others if one != here))

    def with_groups(self, groups: Mapping[str, str]) -> "Roster":
        """The same people, of whom these have other groups."""
        return Roster(tuple(replace(one, group=groups.get(one.id, one.group)) for one in self.people))


def _calls(one: Person) -> Iterator[tuple[str, str]]:
    yield "canvas", one.canvas
    yield from (("participant", number) for number in one.participants.split())
    name = _moodles(one.moodle or one.name)
    yield "moodle name", name
    yield "moodle team", f"{_moodles(one.group or NO_TEAM)}-{name}"  # where teams hand in
    yield "moodle id", _moodles(one.id)  # which a teacher has put in the name's place where two have the same
    yield from (("gradescope", folded(text)) for text in (one.gradescope, one.email, one.sis))
    yield "github", folded(one.github)
    yield "id", folded(one.id)
    yield from (("any", folded(text)) for text in (one.email, one.name, one.github, one.sis))


def _numbered(called: str) -> tuple[str, str]:
    """The name and the number behind it, where a platform puts one."""
    found = NUMBERED.fullmatch(called)
    return (found["name"], found["number"]) if found else (called, "")


def _moodles(name: str) -> str:
    """As Moodle names a folder after it: `_` is a blank, and what a file's name may not have is left out
    (download_submissions() in mod/assign/locallib.php, PARAM_FILE in lib/moodlelib.php of moodle/moodle)."""
    return folded(LEFT_OUT_BY_MOODLE.sub("", name.replace("_", " ")))


def read_roster(folder: Path) -> Roster:
    """UsageError with every mistake, and the line where it is."""
    path = folder / ROSTER_FILE
    people = {number: Person(**cells) for number, cells in rows_of(path, COLUMNS, ("id", "name")).items()}
    refuse(path, _mistakes(people))
    return Roster(tuple(people.values()))


def _mistakes(people: Mapping[int, Person]) -> Iterable[str]:
    for line, person in people.items():
        if not person.id or not person.name:
            yield f"line {line}: id and name are needed"
        elif student_folder_name(person.id) != person.id:
            yield f"line {line}: the id {visible_line(person.id)!r} must be letters, digits and . _ - @ +"
    for column in UNIQUE:
        yield from _repeated(column, {line: folded(getattr(person, column)) for line, person in people.items()})


def _repeated(column: str, values: Mapping[int, str]) -> Iterator[str]:
    first: dict[str, int] = {}
    for line, value in values.items():
        if value and value in first:
            yield f"line {line}: {column} {visible_line(value)!r} is that of line {first[value]}, too"
        first.setdefault(value, line)
