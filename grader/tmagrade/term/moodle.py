"""Moodle's grading worksheet: the assignment's own, with its grades filled.

The importer (mod/assign/feedback/offline/importgradeslib.php of moodle/moodle) needs the columns `Identifier`, `Grade`
and `Last modified (grade)`; a row whose time there is older than Moodle's own is not taken, so that stays as it is.
"""

from collections.abc import Mapping
from fractions import Fraction

from tmagrade.basics.errors import UsageError
from tmagrade.term.grade_book import Filled, absent_from, demand_points
from tmagrade.term.roster import Person, Roster
from tmagrade.term.sheet import Sheet
from tmagrade.term.table import Table

IDENTIFIER, NAME, EMAIL = "Identifier", "Full name", "Email address"
GRADE, MAXIMUM, MODIFIED = "Grade", "Maximum Grade", "Last modified (grade)"
LOCKED = "Grade can be changed"


def fill_moodle(content: bytes, sheet: Sheet, roster: Roster, lab: str, cells: Mapping[str, str]) -> Filled:
    """Puts the lab's cells into `Grade`; whatever is not one of them stays, byte for byte."""
    table = Table.of(content)
    header = table.header()
    if lacking := [name for name in (IDENTIFIER, GRADE, MODIFIED) if name not in header]:
        raise UsageError(f"this is no grading worksheet of Moodle's: it has no {', no '.join(lacking)}")
    place = header.index(GRADE)
    found: dict[str, Person] = {}
    unknown: list[str] = []
    for row in range(1, len(table.rows)):
        said = {name: table.value(row, index) for index, name in enumerate(header[: len(table.rows[row])])}
        if not any(said.values()):
            continue
        people = _people(roster, said)
        if len(people) != 1:
            unknown.append(said.get(NAME) or said.get(IDENTIFIER, ""))
            continue
        person = people[0]
        found[person.id] = person
        if person.id in cells and said.get(LOCKED, "Yes") != "No":
            demand_points("Moodle", said.get(MAXIMUM, ""), _points(sheet, lab))
            table.put(row, place, cells[person.id])
    put = {person: cell for person, cell in cells.items() if person in found}
    return Filled(table.content, put, tuple(unknown), absent_from(sheet, found))


def _people(roster: Roster, said: Mapping[str, str]) -> tuple[Person, ...]:
    """By the e-mail address where the worksheet has it, else by a full name that only one has."""
    if email := said.get(EMAIL, "").strip().casefold():
        return tuple(one for one in roster.people if one.email.casefold() == email)
    return roster.who("moodle", said.get(NAME, ""))


def _points(sheet: Sheet, lab: str) -> Fraction:
    return max((row.cells[lab].counted.max for row in sheet.rows), default=Fraction(0))
