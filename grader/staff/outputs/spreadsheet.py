"""grades.csv: one row a student, one column a lab part."""

import csv
import io

from tmagrade.basics.json_form import plain
from tmagrade.basics.untrusted import never_formula
from tmagrade.course.labs import Lab
from tmagrade.judging.scoring import PartResult
from tmagrade.outputs.grades import Grades


def grades_csv(grades: Grades) -> str:
    """Empty: not handed in; `pending`: not yet measured. `max` is what the labs handed in are out of."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    columns = [(lab, part) for lab in grades.labs for part in _part_ids(lab)]
    totals = [lab.id for lab in grades.labs]
    table.writerow(["student", *(f"{lab.id}/{part}" for lab, part in columns), *totals, "total", "max", "pending"])
    for student in grades.students:
        by_lab = {result.lab.id: result for result in student.labs}
        parts = {(result.lab.id, part.id): part for result in student.labs for part in result.parts}
        row: list[object] = [never_formula(student.id)]
        row += [_cell(parts.get((lab.id, part))) for lab, part in columns]
        row += [plain(by_lab[lab.id].score) if lab.id in by_lab else "" for lab in grades.labs]
        row += [plain(student.score), plain(student.max), plain(student.pending)]
        table.writerow(row)
    return text.getvalue()


def _part_ids(lab: Lab) -> list[str]:
    return [*(part.id for part in lab.parts), "hygiene", *(["bandwidth"] if lab.bandwidth else [])]


def _cell(part: PartResult | None) -> object:
    if part is None:
        return ""
    return "pending" if part.pending else plain(part.score)
