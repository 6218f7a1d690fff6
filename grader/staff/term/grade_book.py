"""A platform's own export of a grade book: one lab's cells in it, read and filled."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from staff.term.roster import Person
from staff.term.scores import shown
from staff.term.sheet import Sheet
from staff.term.table import Table
from tmagrade.basics.errors import UsageError


class Target(StrEnum):
    """Whose grade book it is."""

    CANVAS = "canvas"
    MOODLE = "moodle"
    GRADESCOPE = "gradescope"
    CLASSROOM50 = "classroom50"


@dataclass(frozen=True)
class Book:
    """One lab's column of a grade book, and whose row is which."""

    name: str  # the platform's
    table: Table
    column: int
    people: Mapping[int, Person]  # by the row
    unknown: tuple[str, ...]  # rows of nobody on the roster
    points: tuple[str, ...]  # what it says the lab is out of
    locked: frozenset[int] = frozenset()  # rows that the platform does not let change

    def cells(self) -> dict[str, str]:
        """What it says, by the person's id."""
        return {person.id: self.table.value(row, self.column) for row, person in self.people.items()}


@dataclass(frozen=True)
class Filled:
    """A grade book with a lab's cells in it."""

    content: bytes
    cells: Mapping[str, str]  # by the person's id: what was put there
    unknown: tuple[str, ...]  # rows of nobody on the roster, which stay as they are
    locked: tuple[str, ...]  # people whose row the platform does not let change
    absent: tuple[str, ...]  # people of the roster who have no row


def fill(book: Book, sheet: Sheet, lab: str, cells: Mapping[str, str]) -> Filled:
    """Puts the lab's cells into their column; whatever is not one of them stays, byte for byte. UsageError where the
    book has the lab out of other points than the term."""
    for said in dict.fromkeys(book.points):
        _demand_points(book.name, said, _points(sheet, lab))
    put: dict[str, str] = {}
    for row, person in book.people.items():
        if person.id in cells and row not in book.locked:
            book.table.put(row, book.column, cells[person.id])
            put[person.id] = cells[person.id]
    locked = tuple(person.id for row, person in book.people.items() if row in book.locked and person.id in cells)
    return Filled(book.table.content, put, book.unknown, locked, absent_from(book, sheet))


def absent_from(book: Book, sheet: Sheet) -> tuple[str, ...]:
    """Who has no row and ought to: of a section's book, those of the section."""
    there = {person.id for person in book.people.values()}
    sections = {person.section for person in book.people.values()} or {row.person.section for row in sheet.rows}
    return tuple(row.person.id for row in sheet.rows if row.person.id not in there and row.person.section in sections)


def _demand_points(book: str, said: str, points: Fraction) -> None:
    out_of = number_in(said)
    if out_of is not None and out_of != points:
        raise UsageError(
            f"{book} has the lab out of {said.strip()}, the term out of {shown(points)}: change one of them"
        )


def _points(sheet: Sheet, lab: str) -> Fraction:
    return max((row.cells[lab].counted.max for row in sheet.rows), default=Fraction(0))


def number_in(cell: str) -> Fraction | None:
    """None where the cell is empty, or a word of a scale of words. Some languages write 66,67."""
    try:
        return Fraction(cell.strip().replace(",", ".", 1))
    except (ValueError, ZeroDivisionError):
        return None
