"""STUDENT/results.json, as Gradescope reads it: https://gradescope-autograders.readthedocs.io/en/latest/specs/"""

from typing import Any

from tmagrade.basics.json_form import plain
from tmagrade.basics.untrusted import visible
from tmagrade.judging.scoring import LabResult, PartResult
from tmagrade.outputs.grades import Facts, Student
from tmagrade.outputs.wording import points, said_to_student


def gradescope_json(student: Student, facts: Facts) -> dict[str, Any]:
    return {
        "score": plain(student.score),
        "execution_time": round(sum(_seconds(result) for result in student.labs), 2),
        "output": _summary(student),
        "output_format": "text",
        "test_name_format": "text",
        "test_output_format": "text",  # messages quote the student's text, which no page may take for HTML
        "visibility": "visible",
        "stdout_visibility": "hidden",  # the grader's own output is for the course's staff
        "tests": [_test(result, part) for result in student.labs for part in result.parts],
        "leaderboard": [entry for result in student.labs for entry in _leaderboard(result)],
        "extra_data": {
            "backend": facts.backend,
            "toolkit": facts.toolkit,
            "grader": facts.grader,
            "labs": {
                result.lab.id: {
                    "score": plain(result.score),
                    "max": plain(result.max),
                    "pending": plain(result.pending),
                    "verdicts": {part.id: part.verdict for part in result.parts},
                    "groups": {
                        part.id: {group.title: group.verdict for group in part.groups}
                        for part in result.parts
                        if part.groups
                    },
                }
                for result in student.labs
            },
        },
    }


def _seconds(result: LabResult) -> float:
    return sum(judged.seconds for judged in result.outcomes.runs.values()) if result.outcomes else 0.0


def _summary(student: Student) -> str:
    text = f"{points(student.score)} of {points(student.max - student.pending)} points"
    text += f"; {points(student.pending)} more are pending: neither lost nor given" if student.pending else ""
    ignored = dict.fromkeys(line for result in student.labs for line in result.ignored)
    return "\n".join([text, *(f"not graded: {visible(line)}" for line in ignored)])


def _test(result: LabResult, part: PartResult) -> dict[str, Any]:
    """A pending part is a test without points: neither lost nor given."""
    message = visible(said_to_student(part))
    test: dict[str, Any] = {
        "name": f"{result.lab.id}: {part.id}",
        "output": f"{part.verdict}: {message}" if message else part.verdict,
        "visibility": "visible",
    }
    if not part.pending:
        test |= {
            "score": plain(part.score),
            "max_score": plain(part.max),
            "status": "passed" if part.verdict == "pass" else "failed",
        }
    return test


def _leaderboard(result: LabResult) -> list[dict[str, Any]]:
    """Only what counts: no bandwidth of a wrong answer, and none that cannot be."""
    rule, measured = result.lab.bandwidth, result.measured
    counts = any(part.id == "bandwidth" and part.verdict == "pass" for part in result.parts)
    if not counts or rule is None or measured is None or measured.gb_per_s is None or measured.fraction is None:
        return []
    of = "the copy roofline" if rule.unit == "GB/s" else "cublasLt"
    speed = round(rule.in_unit(measured.gb_per_s), 1)
    figures = {rule.unit: speed, f"fraction of {of}": round(measured.fraction, 3)}
    return [{"name": f"{result.lab.id}: {name}", "value": value, "order": "desc"} for name, value in figures.items()]
