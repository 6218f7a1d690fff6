"""Canvas' grade book: the class's own export.

The importer (lib/gradebook_importer.rb of instructure/canvas-lms) takes a table whose header begins with `Student` and
`ID` and has a `Section`, then assignments as `Name (id)`; `Points Possible` begins a row below it.
"""

from collections.abc import Mapping

from staff.term.grade_book import Book
from staff.term.roster import Person, Roster
from staff.term.table import Table
from tmagrade.basics.errors import UsageError

ID, SIS_ID, SIS_LOGIN = "ID", "SIS User ID", "SIS Login ID"


def canvas_book(content: bytes, column: str | None, roster: Roster, lab: str) -> Book:
    """The lab's column is that of this name."""
    table = Table.of(content)
    header = table.header()
    if len(header) < 4 or "Student" not in header[0] or ID not in header[1] or "Section" not in " ".join(header):
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
    logins = [one for one in roster.people if login and login.casefold() in (one.email.casefold(), one.sis.casefold())]
    return logins[0] if len(logins) == 1 else None
