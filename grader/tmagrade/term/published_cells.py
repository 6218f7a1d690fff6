"""What a lab's cell in a grade book says."""

from tmagrade.basics.errors import UsageError
from tmagrade.term.scores import cents, shown
from tmagrade.term.settings import Settings
from tmagrade.term.sheet import Cell, Sheet


def cells_of(settings: Settings, sheet: Sheet, lab: str) -> dict[str, str]:
    """What the lab's cells say, of those who have something to say there. UsageError where the course holds a lab back
    until nothing is pending, and something is."""
    waiting = [row.person.id for row in sheet.rows if row.cells[lab].counted.pending]
    if settings.pending == "hold" and waiting:
        raise UsageError(f'{lab} is held back: points of {len(waiting)} students are pending (pending = "hold")')
    cells = {row.person.id: _cell(settings, row.cells[lab]) for row in sheet.rows}
    return {person: cell for person, cell in cells.items() if cell is not None}


def waiting_for_points(settings: Settings, sheet: Sheet, lab: str) -> list[str]:
    """Who has a score that is not published, since points are pending."""
    counted = {row.person.id: row.cells[lab] for row in sheet.rows}
    return [who for who, cell in counted.items() if cell.counted.pending and _cell(settings, cell) is None]


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
