"""Writes a grading of a class to where its grades are, and says what became of those that were there."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from staff.outputs.folder import demand_writable, set_aside, write_outputs
from staff.outputs.identical_submissions import identical
from staff.outputs.merging import Merged, in_words, merged, renamed, without
from staff.outputs.regrading import changed, changes, measured_no_more, other_grader
from tmagrade.basics.errors import UsageError
from tmagrade.basics.names import few_of
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out
from tmagrade.course.labs import Lab
from tmagrade.grading.steps import Work
from tmagrade.judging.scoring import LabResult
from tmagrade.outputs.grades import Facts, Grades, Student, grades_if_any, read_grades, students_of
from tmagrade.outputs.tables import print_table
from tmagrade.submissions.submission import Submission


@dataclass(frozen=True)
class Graded:
    """What a grading has found."""

    hand_ins: Sequence[tuple[Submission, Work, LabResult]]
    facts: Facts

    @property
    def students(self) -> tuple[Student, ...]:
        return students_of((submission.student, result) for submission, _, result in self.hand_ins)


def grades_before(output: Path, *, are_needed: bool, are_written: bool) -> Grades | None:
    """The class's grades, where they are needed. UsageError where they cannot be read, or could not be written at the
    end."""
    before = read_grades(output) if are_needed else None
    if are_written:
        demand_writable(output)
    return before


def keep(
    output: Path,
    graded: Graded,
    labs: list[Lab],
    skeletons: Path,
    group_of: Callable[[str, Lab], str],
    former: Mapping[str, str],
    gone: Collection[str] = (),
) -> None:
    """Writes a class's grades to those that are there, prints the table. `former`: names in those grades of
    people who have others now. `gone`: people who have none any more."""
    students, facts = graded.students, graded.facts
    before = _grades_there(output) or Grades(facts, (), ())
    before = renamed(before, former)
    removed = [(one.id, result.lab.id) for one in before.students if one.id in gone for result in one.labs]
    before = without(before, removed)
    now = merged(before, students, labs, facts)
    write_outputs(output, now.grades)
    print_table(out, students)
    shown = os.path.relpath(output)
    print_line(out, f"\n{facts.backend} backend; written: {shown}/report.html and what it is made from")
    for work in identical(dict.fromkeys(work for _, work, _ in graded.hand_ins), skeletons, group_of):
        names = ", ".join(submission.student for submission in work.submissions)
        print_line(out, f"identical submissions of {work.lab.id}: {names}", "yellow")
    if removed:
        print_line(out, f"removed, since they have dropped (the term keeps it): {in_words(removed)}")
    for line in _what_became_of(before, now, students):
        print_line(out, line)
    _say_what_is_measured_no_more(before, students)


def _grades_there(output: Path) -> Grades | None:
    try:
        return grades_if_any(output)
    except UsageError as error:
        kept = os.path.relpath(set_aside(output))
        print_line(err, f"tmagrade: {error}. It is kept as {kept}; the grades begin anew", "yellow")
        return None


def _what_became_of(before: Grades, now: Merged, students: Sequence[Student]) -> Iterator[str]:
    """What a grading has left as it was, and what it has replaced, of the grades that were there."""
    replaced = list(changed(before, students))
    if replaced:
        yield "replaced, where the score is another one than before:"
        yield from (f"  {line}" for line in replaced)
    if now.left:
        yield f"left as it was: {in_words(now.left)}"
    if now.old_rules:
        yield f"by other rules than lab.toml has now, until graded again: {in_words(now.old_rules)}"
    if now.stand:
        yield f"the old score stands, since the grader failed: {in_words(now.stand)}"


def keep_regraded(output: Path, graded: Graded, before: Grades) -> None:
    """Writes one student's grades to those of the class. Of a lab in which the grader has failed, the old score
    stands."""
    student = graded.hand_ins[0][0].student
    results = [result for _, _, result in graded.hand_ins if result.fault is None]
    if (other := other_grader(before.facts, graded.facts)) is not None:
        print_line(err, f"tmagrade: {other}", "yellow")
    if results:
        students, labs = [Student(student, tuple(results))], [result.lab for result in results]
        write_outputs(output, merged(before, students, labs, graded.facts, of_class=before.facts).grades)
    for line in changes(before, student, results):
        print_line(out, line)
    _say_what_is_measured_no_more(before, [Student(student, tuple(results))])


def _say_what_is_measured_no_more(before: Grades, students: Sequence[Student]) -> None:
    if who := measured_no_more(before, students):
        what = "bandwidth was measured before and is pending now; BANDWIDTH=alone adds it again"
        print_line(err, f"tmagrade: {what}: {few_of(who)}", "yellow")


def print_changes(output: Path, graded: Graded) -> None:
    """What keep() would write otherwise."""
    known = grades_if_any(output) or Grades(Facts("", "", "", "", ""), (), ())
    for line in _would_change(known, graded.students):
        print_line(out, line)


def _would_change(before: Grades, students: Sequence[Student]) -> Iterator[str]:
    """Of the grades: each score that would be another one, with the old one, the new one, and why."""
    known = {(one.id, result.lab.id) for one in before.students for result in one.labs}
    new = [(one.id, result.lab.id) for one in students for result in one.labs if (one.id, result.lab.id) not in known]
    faults = [(one.id, result.lab.id) for one in students for result in one.labs if result.fault is not None]
    replaced = list(changed(before, students))
    yield "would be replaced, where the score is another one:" if replaced else "no score would be another one"
    yield from (f"  {line}" for line in replaced)
    if new:
        yield f"would be new: {in_words(new)}"
    if faults:
        yield f"the grader failed, so these would stay as they are: {in_words(faults)}"
