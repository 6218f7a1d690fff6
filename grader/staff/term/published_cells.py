"""What a lab's cell in a grade book says."""

from staff.term.grade_book import Target
from staff.term.scores import shown
from staff.term.settings import Settings
from staff.term.sheet import Cell, Sheet
from tmagrade.basics.errors import UsageError

# What Canvas has in a cell, and takes there, of who is excused (lib/gradebook_importer.rb of instructure/canvas-lms).
EXCUSED = "EX"


def cells_of(settings: Settings, sheet: Sheet, lab: str, target: Target) -> dict[str, str]:
    """What the lab's cells say, of those who have something to say there. An excuse is said where a platform knows such
    a thing. UsageError where the course holds a lab back
    until nothing is pending, and something is."""
    waiting = [row.person.id for row in sheet.rows if row.cells[lab].counted.pending]
    if settings.pending == "hold" and waiting:
        raise UsageError(f'{lab} is held back: points of {len(waiting)} students are pending (pending = "hold")')
    cells = {row.person.id: _cell(row.cells[lab]) for row in sheet.rows}
    if target is Target.CANVAS:
        cells |= {row.person.id: EXCUSED for row in sheet.rows if row.cells[lab].is_excused}
    return {person: cell for person, cell in cells.items() if cell is not None}


def waiting_for_points(sheet: Sheet, lab: str) -> list[str]:
    """Who has a score that is not published, since points are pending."""
    counted = {row.person.id: row.cells[lab] for row in sheet.rows}
    return [who for who, cell in counted.items() if cell.counted.pending and _cell(cell) is None]


def _cell(cell: Cell) -> str | None:
    counted = cell.counted
    if counted.score is None:
        return None
    return None if counted.pending and not counted.is_scaled else shown(counted.score)
