"""Moodle's grading worksheet: the assignment's own.

The importer (mod/assign/feedback/offline/importgradeslib.php of moodle/moodle) needs the columns `Identifier`, `Grade`
and `Last modified (grade)`; a row whose time there is older than Moodle's own is not taken, so that stays as it is.
"""

from collections.abc import Mapping

from staff.term.grade_book import Book
from staff.term.roster import NO_TEAM, Person, Roster
from staff.term.table import Table
from tmagrade.basics.errors import UsageError

IDENTIFIER, NAME, EMAIL = "Identifier", "Full name", "Email address"
GRADE, MAXIMUM, MODIFIED = "Grade", "Maximum Grade", "Last modified (grade)"
TEAM = "Group"  # of an assignment that teams hand in
NO_TEAMS = (NO_TEAM, "Not a member of any group", "Member of more than one group")
LOCKED = "Grade can be changed"


def moodle_book(content: bytes, roster: Roster) -> Book:
    table = Table.of(content)
    header = table.header()
    if lacking := [name for name in (IDENTIFIER, GRADE, MODIFIED) if name not in header]:
        raise UsageError(f"this is no grading worksheet of Moodle's: it has no {', no '.join(lacking)}")
    found: dict[int, Person] = {}
    unknown: list[str] = []
    points: list[str] = []
    locked: list[int] = []
    for row in range(1, len(table.rows)):
        said = {name: table.value(row, index) for index, name in enumerate(header[: len(table.rows[row])])}
        if not any(said.values()):
            continue
        people = _people(roster, said)
        if len(people) != 1:
            unknown.append(said.get(NAME) or said.get(IDENTIFIER, ""))
            continue
        found[row] = people[0]
        points.append(said.get(MAXIMUM, ""))
        if said.get(LOCKED, "Yes") == "No":
            locked.append(row)
    return Book("Moodle", table, header.index(GRADE), found, tuple(unknown), tuple(points), frozenset(locked))


def _people(roster: Roster, said: Mapping[str, str]) -> tuple[Person, ...]:
    """By the e-mail address where the worksheet has it, else by a full name that only one has."""
    if email := said.get(EMAIL, "").strip().casefold():
        return tuple(one for one in roster.people if one.email.casefold() == email)
    return roster.who("moodle", said.get(NAME, ""))
