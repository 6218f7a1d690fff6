"""Canvas' grade book: the class's own export, with one assignment's cells filled.

The importer (lib/gradebook_importer.rb of instructure/canvas-lms) takes a table whose header begins with `Student` and
`ID` and has a `Section`, then assignments as `Name (id)`; `Points Possible` begins a row below it.
"""

from collections.abc import Mapping
from fractions import Fraction

from tmagrade.basics.errors import UsageError
from tmagrade.term.grade_book import Filled, absent_from, demand_points
from tmagrade.term.roster import Person, Roster
from tmagrade.term.sheet import Sheet
from tmagrade.term.table import Table

ID, SIS_ID, SIS_LOGIN = "ID", "SIS User ID", "SIS Login ID"


def fill_canvas(
    content: bytes, column: str | None, sheet: Sheet, roster: Roster, lab: str, cells: Mapping[str, str]
) -> Filled:
    """Puts the lab's cells into the column of this name; whatever is not one of them stays, byte for byte."""
    table = Table.of(content)
    header = table.header()
    if len(header) < 4 or "Student" not in header[0] or ID not in header[1] or "Section" not in " ".join(header):
        raise UsageError("this is no grade book of Canvas': its first line begins with Student, ID")
    if column is None or header.count(column) != 1:
        named = ", ".join(name for name in header if name.endswith(")"))
        raise UsageError(f'which column is {lab}? canvas = "..." in term.toml says it; there are {named or "none"}')
    place = header.index(column)
    found: dict[str, Person] = {}
    unknown: list[str] = []
    for row in range(1, len(table.rows)):
        if table.value(row, 0).strip() == "Points Possible":
            demand_points("Canvas", table.value(row, place), _points(sheet, lab))
        elif place < len(table.rows[row]) and (table.value(row, 0).strip() or table.value(row, 1).strip()):
            person = _person(
                roster, {name: table.value(row, index) for index, name in enumerate(header[: len(table.rows[row])])}
            )
            if person is None:
                unknown.append(table.value(row, 0))
            else:
                found[person.id] = person
                if person.id in cells:
                    table.put(row, place, cells[person.id])
    put = {person: cell for person, cell in cells.items() if person in found}
    return Filled(table.content, put, tuple(unknown), absent_from(sheet, found))


def _person(roster: Roster, row: Mapping[str, str]) -> Person | None:
    """By Canvas' number, else by the university's; by no name, of which there may be two."""
    number, sis, login = (row.get(name, "").strip() for name in (ID, SIS_ID, SIS_LOGIN))
    for one in roster.people:
        if (number and one.canvas == number) or (sis and one.sis == sis):
            return one
    logins = [one for one in roster.people if login and login.casefold() in (one.email.casefold(), one.sis.casefold())]
    return logins[0] if len(logins) == 1 else None


def _points(sheet: Sheet, lab: str) -> Fraction:
    return max((row.cells[lab].counted.max for row in sheet.rows), default=Fraction(0))
