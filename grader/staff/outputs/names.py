"""Which student and which lab a person means: whole names, or any part of one that fits no other."""

from tmagrade.basics.errors import UsageError
from tmagrade.basics.names import one_of
from tmagrade.course.labs import names_lab
from tmagrade.judging.scoring import LabResult
from tmagrade.outputs.grades import Grades, Student


def find_student(grades: Grades, name: str) -> Student:
    names = [student.id for student in grades.students]
    return grades.students[names.index(one_of("student", name, names))]


def whole_names(grades: Grades, given: str) -> set[str]:
    """The students who are named, separated by commas: by their whole names, since a part of one may be a slip."""
    names = {student.id for student in grades.students}
    listed = {given} if given in names else {name.strip() for name in given.split(",") if name.strip()}
    for name in sorted(listed - names):
        raise UsageError(f"{name!r} is nobody's whole name; {find_student(grades, name).id!r} is the one that it fits")
    return listed


def find_result(student: Student, name: str) -> LabResult:
    ids = [result.lab.id for result in student.labs]
    named = [result.lab.id for result in student.labs if names_lab(name, result.lab)]
    return student.labs[ids.index(named[0] if len(named) == 1 else one_of(f"lab of {student.id}", name, ids))]
