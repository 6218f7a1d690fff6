"""Grades again what has grades: one student or the class. What was, what is, and what changed."""

from collections.abc import Iterator, Sequence

from tmagrade.basics.errors import UsageError
from tmagrade.course.labs import Lab
from tmagrade.judging.scoring import LabResult, PartResult
from tmagrade.outputs.grades import Facts, Grades, Student
from tmagrade.outputs.wording import points, score_text


def demand_same_rules(before: Grades, backend: str, labs: Sequence[Lab]) -> None:
    """UsageError where a student graded now would be graded by other rules than the class."""
    known = {lab.id: lab for lab in before.labs}
    for lab in labs:
        judged_by = {before.facts_of(one, lab.id).backend for one in before.students if _has(one, lab)}
        if judged_by and backend not in judged_by:
            other = min(judged_by)
            raise UsageError(f"the class was graded on the {other} backend: --backend {other}")
        if known.get(lab.id, lab) != lab:
            raise UsageError(
                f"{lab.id}'s lab.toml is not the one that the class was graded with: grade the class again"
            )


def _has(student: Student, lab: Lab) -> bool:
    return any(result.lab.id == lab.id for result in student.labs)


def changed(before: Grades, students: Sequence[Student]) -> Iterator[str]:
    """As changes(), of a whole class: only the scores that are others than before, each with its reasons."""
    for student in students:
        known = {result.lab.id: result for result in _results(before, student.id)}
        other = [result for result in student.labs if result.lab.id in known and _is_another(known, result)]
        yield from changes(before, student.id, other)


def measured_no_more(before: Grades, students: Sequence[Student]) -> list[str]:
    """Who had points for bandwidth, or none of them for good, and waits for them again: the emulator measures none."""
    return [
        student.id
        for student in students
        for old in _results(before, student.id)
        for new in student.labs
        if new.lab.id == old.lab.id and _timed(old) and not _timed(new) and new.pending
    ]


def _timed(result: LabResult) -> bool:
    return result.outcomes is not None and result.outcomes.timed is not None


def _is_another(known: dict[str, LabResult], result: LabResult) -> bool:
    old = known[result.lab.id]
    return (old.score, old.pending, old.max) != (result.score, result.pending, result.max)


def changes(before: Grades, student: str, results: Sequence[LabResult]) -> Iterator[str]:
    """Old score, new score, and which parts are not what they were, a line each."""
    known = {result.lab.id: result for result in _results(before, student)}
    for result in results:
        old = known.get(result.lab.id)
        was = score_text(old) if old else "not graded"
        yield f"{student}, {result.lab.id}: {was} before, {score_text(result)} now"
        parts = {part.id: part for part in old.parts} if old else {}
        lines = [line for part in result.parts if (line := _change(parts.get(part.id), part))]
        yield from lines or ["  nothing changed"]


def other_grader(before: Facts, now: Facts) -> str | None:
    """What decides besides the rules, if it is not the same."""
    if (before.grader, before.toolkit) == (now.grader, now.toolkit):
        return None
    was, is_ = (f"grader {facts.grader[:12]}, nvcc {facts.toolkit}" for facts in (before, now))
    return f"the class was graded by {was}; this is {is_}"


def _results(grades: Grades, student: str) -> tuple[LabResult, ...]:
    return next((one.labs for one in grades.students if one.id == student), ())


def _change(old: PartResult | None, new: PartResult) -> str | None:
    if old is None:
        return f"  {new.id}: {_said(new)}"
    if (old.verdict, old.score) != (new.verdict, new.score):
        return f"  {new.id}: {_said(old)} before; {_said(new)} now"
    if [reason.message for reason in old.reasons] != [reason.message for reason in new.reasons]:
        return f"  {new.id}: {_said(new)} as before, with another message"
    return None


def _said(part: PartResult) -> str:
    return f"{part.verdict}, {points(part.score)} of {points(part.max)}"
