"""How scores came about: from the grades of the last grading, and from the term where there is one."""

import os
from collections.abc import Iterator
from pathlib import Path

from staff.commands.term_here import fitting, lab_of, person_of
from staff.outputs.explain import explanation
from staff.outputs.folder import files_of
from staff.outputs.names import find_result, find_student
from staff.term.explanation import explained, explained_total
from staff.term.roster import Person
from staff.term.sheet import Row
from staff.term.term import Term, open_term
from tmagrade.basics.errors import UsageError
from tmagrade.basics.json_form import UNREADABLE
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import out
from tmagrade.course.labs import load_labs
from tmagrade.outputs.grades import Grades, grades_if_any, read_grades
from tmagrade.outputs.wording import score_text


def explain_scores(who: str, lab: str | None, folder: Path) -> None:
    """One lab's score, or what a student's labs come to. Of a student who is in the term, as the term has it."""
    term = open_term(HERE.term, load_labs(HERE.labs))
    person = None if term is None else _on_roster(term, who)
    if term is None or person is None:
        grades = read_grades(folder)
        lines = _sum_of_labs(grades, who) if lab is None else _graded(grades, who, lab, folder)
    elif lab is None:
        lines = explained_total(term.settings, term.sheet().row_of(person))
    else:
        lines = _in_term(term, term.sheet().row_of(person), lab, folder)
    for line in list(lines):
        print_line(out, line)


def _on_roster(term: Term, who: str) -> Person | None:
    # Perhaps in the grades, whom a platform calls as nobody on the roster is called.
    return person_of(term, who) if fitting(term, who) else None


def _in_term(term: Term, row: Row, lab: str, folder: Path) -> Iterator[str]:
    """What was graded, which may be a hand-in of the person's group, and what the term makes of it."""
    name = lab_of(term, lab)
    result = row.cells[name].result
    if result is not None:
        graded = term.graded_as(result)
        if graded != row.person.id:
            yield f"{row.person.id} shares what {graded} has handed in:"
        grades = grades_if_any(folder)
        if grades is not None and _has(grades, graded, name):
            yield from _graded(grades, graded, name, folder)
        else:
            yield f"{os.path.relpath(folder)} has no grades of {graded} for {name} any more; the term has its result"
        yield ""
    yield from explained(term.settings, row, name, term.told_of_group(row.cells[name], row.person))


def _has(grades: Grades, student: str, lab: str) -> bool:
    return any(one.id == student and any(result.lab.id == lab for result in one.labs) for one in grades.students)


def _graded(grades: Grades, who: str, lab: str, folder: Path) -> Iterator[str]:
    found = find_student(grades, who)
    result = find_result(found, lab)
    try:
        yield from list(explanation(found, result, grades.facts_of(found, result.lab.id)))
    except (*UNREADABLE, AssertionError, RuntimeError, ZeroDivisionError) as error:
        said = f"{folder}: what it says of {found.id}, {result.lab.id} does not fit together ({error!r})"
        raise UsageError(f"{said}: grade again") from error
    files = ", ".join(os.path.relpath(path) for path in files_of(folder, found.id))
    yield f"files: {files or 'none besides grades.json'}"


def _sum_of_labs(grades: Grades, who: str) -> Iterator[str]:
    found = find_student(grades, who)
    yield from (f"{found.id}, {result.lab.id}: {score_text(result)}" for result in found.labs)
    yield f"sum: {' + '.join(f'{result.score:g}' for result in found.labs)} = {found.score:g}"
