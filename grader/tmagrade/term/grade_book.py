"""What a lab's cell in a grade book says, and a platform's own export filled with that."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tmagrade.basics.errors import UsageError
from tmagrade.term.roster import Person
from tmagrade.term.scores import cents, shown
from tmagrade.term.settings import Settings
from tmagrade.term.sheet import Cell, Sheet


class Target(StrEnum):
    """Whose grade book it is."""

    CANVAS = "canvas"
    MOODLE = "moodle"


@dataclass(frozen=True)
class Filled:
    """A grade book with a lab's cells in it."""

    content: bytes
    cells: Mapping[str, str]  # by the person's id: what was put there
    unknown: tuple[str, ...]  # rows of nobody on the roster, which stay as they are
    absent: tuple[str, ...]  # people of the roster who have no row


def cells_of(settings: Settings, sheet: Sheet, lab: str) -> dict[str, str]:
    """What the lab's cells say, of those who have something to say there. UsageError where the course holds a lab back
    until nothing is pending, and something is."""
    waiting = [row.person.id for row in sheet.rows if row.cells[lab].counted.pending]
    if settings.pending == "hold" and waiting:
        raise UsageError(f'{lab} is held back: points of {len(waiting)} students are pending (pending = "hold")')
    cells = {row.person.id: _cell(settings, row.cells[lab]) for row in sheet.rows}
    return {person: cell for person, cell in cells.items() if cell is not None}


def _cell(settings: Settings, cell: Cell) -> str | None:
    counted = cell.counted
    if counted.score is None:
        return None
    if not counted.pending:
        return shown(counted.score)
    if settings.pending != "scale":
        return None
    reachable = counted.max - counted.pending
    return shown(cents(counted.score * counted.max / reachable)) if reachable > 0 else None


def demand_points(book: str, said: str, points: Fraction) -> None:
    """UsageError where a grade book has the lab out of other points."""
    try:
        agrees = not said.strip() or Fraction(said.strip()) == points
    except ValueError:
        agrees = True  # a scale of words, or nothing
    if not agrees:
        raise UsageError(
            f"{book} has the lab out of {said.strip()}, the term out of {shown(points)}: change one of them"
        )


def absent_from(sheet: Sheet, found: Mapping[str, Person]) -> tuple[str, ...]:
    return tuple(row.person.id for row in sheet.rows if row.person.id not in found)
