"""The term's sheet as CSV: everybody, each lab with what it is out of and what is pending."""

import csv
import io
from fractions import Fraction

from staff.term.scores import shown
from staff.term.sheet import Cell, Sheet
from tmagrade.basics.untrusted import never_formula

PERSON = ("id", "name", "email", "section")
OF_LAB = ("/max", "/pending", "/handed in", "/days late")  # behind the lab's own column


def sheet_csv(sheet: Sheet) -> str:
    """A row for everybody on the roster. Empty: no score. `dropped` names labs that do not count. Times are the
    course's own; `late` stands where a platform has marked a hand-in so, and nobody says when it came."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    of_lab = [f"{lab}{name}" for lab in sheet.labs for name in ("", *OF_LAB)]
    table.writerow([*PERSON, *of_lab, "total", "max", "pending", "dropped"])
    for row in sheet.rows:
        cells = [text for lab in sheet.labs for text in _cells(row.cells[lab])]
        person = [never_formula(getattr(row.person, name)) for name in PERSON]
        sums = [shown(row.total), shown(row.max), shown(row.pending)]
        table.writerow([*person, *cells, *sums, " ".join(row.dropped)])
    return text.getvalue()


def _cells(cell: Cell) -> list[str]:
    counted = cell.counted
    when = "" if cell.handed_in is None else f"{cell.handed_in:%Y-%m-%d %H:%M:%S}"
    if not when and cell.result is not None and cell.result.is_late:
        when = "late"
    return [_shown(counted.score), shown(counted.max), shown(counted.pending), when, str(cell.days_late or "")]


def _shown(score: Fraction | None) -> str:
    return "" if score is None else shown(score)
