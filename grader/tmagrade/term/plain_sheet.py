"""The term's sheet as CSV: everybody, each lab with what it is out of and what is pending."""

import csv
import io
from fractions import Fraction

from tmagrade.outputs.spreadsheet import never_formula
from tmagrade.term.scores import shown
from tmagrade.term.sheet import Cell, Sheet

PERSON = ("id", "name", "email", "section")


def sheet_csv(sheet: Sheet) -> str:
    """A row for everybody on the roster. Empty: no score. `dropped` names labs that do not count."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    of_lab = [name for lab in sheet.labs for name in (lab, f"{lab}/max", f"{lab}/pending", f"{lab}/days late")]
    table.writerow([*PERSON, *of_lab, "total", "max", "pending", "dropped"])
    for row in sheet.rows:
        cells = [text for lab in sheet.labs for text in _cells(row.cells[lab])]
        person = [never_formula(getattr(row.person, name)) for name in PERSON]
        sums = [shown(row.total), shown(row.max), shown(row.pending)]
        table.writerow([*person, *cells, *sums, " ".join(row.dropped)])
    return text.getvalue()


def _cells(cell: Cell) -> list[str]:
    return [_shown(cell.counted.score), shown(cell.counted.max), shown(cell.counted.pending), str(cell.days_late or "")]


def _shown(score: Fraction | None) -> str:
    return "" if score is None else shown(score)
