"""What a grading leaves in grades.json, as the grader writes it."""

import json
from typing import Any

from tmagrade.outputs.grades import Grades, grades_pieces


def grades_text(grades: Grades) -> str:
    return "".join(grades_pieces(grades))


def grades_json(grades: Grades) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(grades_text(grades))
    return value
