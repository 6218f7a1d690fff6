"""Puts what a grading has found into the grades that are there: other labs and other students stay as they were."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tmagrade.basics.names import few_of
from tmagrade.course.labs import Lab, number_of
from tmagrade.judging.scoring import LabResult
from tmagrade.outputs.grades import Facts, Grades, Student

Score = tuple[str, str]  # whose, of which lab


@dataclass(frozen=True)
class Merged:
    """The grades as they are now, and what a grading did to those that were there."""

    grades: Grades
    left: tuple[Score, ...]  # as they were, for this grading was not about them
    stand: tuple[Score, ...]  # as they were, for the grader failed where it would have replaced them
    old_rules: tuple[Score, ...]  # of those left: by other rules than the lab has now


def merged(
    before: Grades, graded: Sequence[Student], labs: Sequence[Lab], now: Facts, of_class: Facts | None = None
) -> Merged:
    """Each score that was found takes the place of the one that is there. A fault of the grader takes no score's place,
    and nothing that was not graded now is removed, but the faults of a hand-in that could not be read, once it is.
    `of_class`: of the grading that counts as the last one of the class, where this one is about some of it alone."""
    head = of_class or now
    rules = {lab.id: lab for lab in (*before.labs, *labs, *(result.lab for one in graded for result in one.labs))}
    ordered = {lab.id: lab for lab in sorted(rules.values(), key=lambda lab: (number_of(lab.id), lab.id))}
    found = {student.id: {result.lab.id: result for result in student.labs} for student in graded}
    asked = {lab.id for lab in labs}
    known = {student.id: student for student in before.students}
    left: list[Score] = []
    stand: list[Score] = []
    students: list[Student] = []
    for name in sorted({*known, *found}):
        old = {result.lab.id: result for result in known[name].labs} if name in known else {}
        new = found.get(name, {})
        if any(result.hand_in for result in new.values()):
            old = {
                lab: result
                for lab, result in old.items()
                if not (_was_unreadable(result) and lab in asked - new.keys())
            }
        failed = [lab for lab, result in new.items() if _must_not_replace(old.get(lab), result)]
        fresh = {lab: result for lab, result in new.items() if lab not in failed}
        stand += [(name, lab) for lab in failed]
        left += [(name, lab) for lab in old if lab not in new]
        mine = old | fresh
        facts = {lab: now if lab in fresh else before.facts_of(known[name], lab) for lab in mine}
        others = {lab: given for lab, given in facts.items() if given != head}
        students.append(Student(name, tuple(mine[lab] for lab in ordered if lab in mine), others))
    grades = Grades(head, tuple(ordered.values()), tuple(students))
    by_old_rules = [
        (student.id, result.lab.id)
        for student in students
        for result in student.labs
        if result.lab != ordered[result.lab.id]
    ]
    return Merged(grades, tuple(left), tuple(stand), tuple(by_old_rules))


def _was_unreadable(result: LabResult) -> bool:
    """Whether nobody knew what was handed in: then it was a fault of every lab, also of those without a file."""
    return result.fault is not None and not result.hand_in


def _must_not_replace(old: LabResult | None, new: LabResult) -> bool:
    return old is not None and old.fault is None and new.fault is not None


def renamed(grades: Grades, names: Mapping[str, str]) -> Grades:
    """The grades with what stands under old names under the new ones. What is there under both is the new one's."""
    students = {one.id: one for one in grades.students}
    for old, new in names.items():
        if (gone := students.pop(old, None)) is not None:
            there = students.get(new, Student(new, ()))
            own = {result.lab.id for result in there.labs}
            moved = [result for result in gone.labs if result.lab.id not in own]
            labs = sorted((*there.labs, *moved), key=lambda result: (number_of(result.lab.id), result.lab.id))
            graded = {result.lab.id: gone.graded[result.lab.id] for result in moved if result.lab.id in gone.graded}
            students[new] = Student(new, tuple(labs), {**graded, **there.graded})
    return replace(grades, students=tuple(students[name] for name in sorted(students)))


def without(grades: Grades, gone: Sequence[Score]) -> Grades:
    """The grades less these scores; who then has none is no student of theirs any more, nor is such a lab one."""
    students = []
    for student in grades.students:
        kept = tuple(result for result in student.labs if (student.id, result.lab.id) not in gone)
        graded = {lab: facts for lab, facts in student.graded.items() if (student.id, lab) not in gone}
        if kept or not student.labs:
            students.append(replace(student, labs=kept, graded=graded))
    there = {result.lab.id for student in students for result in student.labs}
    emptied = {lab for _, lab in gone} - there
    labs = tuple(lab for lab in grades.labs if lab.id not in emptied)
    return replace(grades, labs=labs, students=tuple(students))


def in_words(scores: Sequence[Score]) -> str:
    """As "lab2-split-barrier of ada, ben; lab3-bulk-copy of 60 students"."""
    by_lab = groupby(sorted(scores, key=lambda score: score[1]), key=lambda score: score[1])
    return "; ".join(f"{lab} of {few_of([student for student, _ in some], most=4)}" for lab, some in by_lab)
