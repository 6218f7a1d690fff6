"""What grading leaves in build/grades: grades.json, grades.csv and one results.json a student."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tmagrade.backend import Backend
from tmagrade.cache import write_atomically, write_json
from tmagrade.labs import Lab
from tmagrade.scoring import LabResult, PartResult

SCHEMA = 1


@dataclass(frozen=True)
class Student:
    id: str
    labs: tuple[LabResult, ...]  # those handed in


def grades_json(backend: Backend, students: Sequence[Student]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "backend": backend.value,
        "students": [{"id": student.id, "labs": [_lab_json(lab) for lab in student.labs]} for student in students],
    }


def _lab_json(result: LabResult) -> dict[str, Any]:
    return {
        "id": result.lab.id,
        "score": _plain(result.score),
        "max": _plain(result.max),
        "pending": _plain(result.pending),
        "parts": [
            {
                "id": part.id,
                "verdict": part.verdict,
                "score": _plain(part.score),
                "max": _plain(part.max),
                "message": part.message,
            }
            for part in result.parts
        ],
    }


def _plain(points: float) -> float | int:
    return int(points) if points == int(points) else points


def grades_csv(labs: Sequence[Lab], students: Sequence[Student]) -> str:
    """One row a student, one column a lab part. Empty: not handed in; `pending`: not yet measured."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    columns = [(lab, part) for lab in labs for part in _part_ids(lab)]
    table.writerow(["student", *(f"{lab.id}/{part}" for lab, part in columns), *(lab.id for lab in labs), "total"])
    for student in students:
        by_lab = {result.lab.id: result for result in student.labs}
        parts = {(result.lab.id, part.id): part for result in student.labs for part in result.parts}
        row: list[object] = [student.id]
        row += [_cell(parts.get((lab.id, part))) for lab, part in columns]
        row += [_plain(by_lab[lab.id].score) if lab.id in by_lab else "" for lab in labs]
        row.append(_plain(round(sum(result.score for result in student.labs), 2)))
        table.writerow(row)
    return text.getvalue()


def _part_ids(lab: Lab) -> list[str]:
    return [*(part.id for part in lab.parts), "hygiene", *(["bandwidth"] if lab.bandwidth else [])]


def _cell(part: PartResult | None) -> object:
    if part is None:
        return ""
    return "pending" if part.pending else _plain(part.score)


def gradescope_json(student: Student) -> dict[str, Any]:
    """Gradescope's results.json. A pending part is a test without points: neither lost nor given."""
    tests: list[dict[str, Any]] = []
    leaderboard: list[dict[str, Any]] = []
    for result in student.labs:
        for part in result.parts:
            test: dict[str, Any] = {"name": f"{result.lab.id}: {part.id}", "output": _output(part)}
            if not part.pending:
                test |= {
                    "score": _plain(part.score),
                    "max_score": _plain(part.max),
                    "status": "passed" if part.verdict == "pass" else "failed",
                }
            tests.append(test)
        if result.gb_per_s is not None:
            value = round(result.gb_per_s)
            leaderboard.append({"name": f"{result.lab.id} GB/s", "value": value, "order": "desc"})
    score = _plain(round(sum(result.score for result in student.labs), 2))
    return {"score": score, "tests": tests, "leaderboard": leaderboard}


def _output(part: PartResult) -> str:
    return f"{part.verdict}: {part.message}" if part.message else part.verdict


def write_outputs(folder: Path, backend: Backend, labs: Sequence[Lab], students: Sequence[Student]) -> None:
    for student in students:
        write_json(folder / student.id / "results.json", gradescope_json(student))
    write_atomically(folder / "grades.csv", grades_csv(labs, students))
    write_json(folder / "grades.json", grades_json(backend, students))
