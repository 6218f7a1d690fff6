"""What a term makes of what was graded, as students read it: without the reasons of decisions, which are for the
course's staff."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from staff.term.roster import Person
from staff.term.scores import points_of, shown
from staff.term.sheet import Cell, Row, Sheet
from staff.term.term import Term
from tmagrade.judging.scoring import LabResult
from tmagrade.outputs.feedback import Counts, LabCounts
from tmagrade.outputs.grades import Student

DIFFERS = "not the same for each of you: the grade book has yours"


def counts_of(term: Term, students: Iterable[Student]) -> dict[str, Counts]:
    """By the name in the grades, of those whose points count as others than were graded."""
    sheet = term.sheet()
    shared = _people(term, sheet)
    found: dict[str, Counts] = {}
    for student in students:
        people = _whose(term, shared, student)
        rows = [row for row in sheet.rows if row.person in people]
        if rows and (counts := counts_in(rows, student)) is not None:
            found[student.id] = counts
    return found


def _people(term: Term, sheet: Sheet) -> Mapping[str, list[Person]]:
    """Whose points stand under a name that is nobody's id, as a group's."""
    found: dict[str, list[Person]] = {}
    for row in sheet.rows:
        for cell in row.cells.values():
            if cell.result is not None:
                found.setdefault(term.graded_as(cell.result), []).append(row.person)
    return found


def _whose(term: Term, shared: Mapping[str, list[Person]], student: Student) -> list[Person]:
    own = term.roster.by_id.get(student.id)
    return [own] if own is not None else shared.get(student.id, [])


def counts_in(rows: Sequence[Row], student: Student) -> Counts | None:
    """Of one person, or of the members of a group that has handed in as one. None where all counts as graded."""
    results = [result for result in student.labs if result.lab.id in rows[0].cells]
    each = [[_of_lab(row, row.cells[result.lab.id]) for result in results] for row in rows]
    graded = [(points_of(result.score), points_of(result.max)) for result in results]
    counted = [[(one.counted.score, one.counted.max) for one in _cells(row, results)] for row in rows]
    is_dropped = any(result.lab.id in row.dropped for row in rows for result in results)
    if all(one == graded for one in counted) and not is_dropped:
        return None
    labs = {
        result.lab.id: of_each[0] if len({*of_each}) == 1 else LabCounts(DIFFERS, ())
        for result, *of_each in zip(results, *each)
    }
    totals = {_total(row, results) for row in rows}
    return Counts(totals.pop() if len(totals) == 1 else DIFFERS, labs)


def _cells(row: Row, results: Sequence[LabResult]) -> list[Cell]:
    return [row.cells[result.lab.id] for result in results]


def _of_lab(row: Row, cell: Cell) -> LabCounts:
    steps = [step.said for step in cell.counted.steps]
    if cell.is_excused:
        return LabCounts("excused", tuple(steps))
    if cell.lab in row.dropped:
        steps.append("dropped: of the labs with the smallest shares of their points")
    said = "no score" if cell.counted.score is None else f"{cell.shown} of {shown(cell.counted.max)}"
    return LabCounts(f"{said}, dropped" if cell.lab in row.dropped else said, tuple(steps))


def _total(row: Row, results: Sequence[LabResult]) -> str:
    counting = [cell for cell in _cells(row, results) if cell in row.counting]
    if not counting:
        return "excused" if any(cell.is_excused for cell in _cells(row, results)) else "nothing"
    score = sum((cell.counted.score or Fraction(0) for cell in counting), Fraction(0))
    return f"{shown(score)} of {shown(sum((cell.counted.max for cell in counting), Fraction(0)))}"
