"""What a class has handed in, and whose it is: what `tmagrade grade` has to grade."""

from collections.abc import Sequence

from staff.commands.term_here import fitting, person_of
from staff.grading.asked import ClassAsked, SampleClass
from staff.platforms.find import Layout, find_submissions, solutions_as_student
from staff.term.identities import identify, who_handed_in_for
from staff.term.term import Term, open_term
from tmagrade.basics.errors import UsageError
from tmagrade.basics.names import one_of
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out
from tmagrade.course.labs import Lab
from tmagrade.submissions.submission import Submission


def term_of(asked: ClassAsked, known: list[Lab]) -> Term | None:
    """The term that a grading of the class belongs to; grades that go elsewhere are a trial."""
    return open_term(HERE.term, known) if asked.submissions is not None and asked.output is None else None


def handed_in(asked: ClassAsked, known: list[Lab], wanted: list[Lab], term: Term | None) -> list[Submission]:
    """By the roster's names, where there is a term; of one student, where that is asked for."""
    found = _submissions_of(asked, known, wanted, term)
    if term is not None:
        found = _identified_in(term, found)
    return found if asked.only is None else _only_of(asked.only, found, term)


def _identified_in(term: Term, found: list[Submission]) -> list[Submission]:
    identified = identify(found, term.roster)
    for line in identified.unknown:
        print_line(err, f"tmagrade: not on the roster, so not in the term: {line}", "yellow")
    return list(identified.submissions)


def _only_of(name: str, found: list[Submission], term: Term | None) -> list[Submission]:
    """What one student has handed in, or the student's group."""
    if term is None:
        return _of_student(found, name)
    is_whole = any(one.student == name for one in found)
    name = person_of(term, name).id if not is_whole and fitting(term, name) else name
    other = who_handed_in_for(name, found, term.roster)
    if other != name:
        print_line(out, f"{name} shares what {other} has handed in")
    return _of_student(found, other)


def _of_student(found: Sequence[Submission], name: str) -> list[Submission]:
    """What one student of the class has handed in."""
    student = one_of("student", name, list(dict.fromkeys(submission.student for submission in found)))
    return [submission for submission in found if submission.student == student]


def _submissions_of(asked: ClassAsked, known: list[Lab], wanted: list[Lab], term: Term | None) -> list[Submission]:
    folder = asked.submissions
    if folder is None:
        if not HERE.class_tables.is_dir():
            raise UsageError(
                "this copy of the course has no solutions and no sample class to grade. To test a lab type "
                "`make -C labs/LAB`; to grade a folder, `make grade SUBMISSIONS=folder`"
            )
        chosen = _write_sample_class(known, asked.sample_class or SampleClass.FEW)
        found = find_submissions(HERE.sample_class, known, wanted, HERE.unpacked, Layout.PLAIN)
        handed_in = [one for one in found.submissions if (one.student, one.lab.id) in chosen]
        return solutions_as_student(HERE.solutions, wanted) + handed_in
    if folder.absolute() == HERE.sample_class and HERE.class_tables.is_dir():
        _write_sample_class(known, SampleClass.ALL)
    zone = term.settings.zone if term is not None else None
    found = find_submissions(folder, known, wanted, HERE.unpacked, asked.layout, asked.prefix, zone)
    for line in found.ignored:
        print_line(err, f"tmagrade: ignored {line}", "yellow")
    return found.submissions


def _write_sample_class(known: list[Lab], wanted: SampleClass) -> set[tuple[str, str]]:
    """Writes the whole class. Whose work, for which lab, is to be graded."""
    from staff.sample_class.tables import few_of_class  # no other grading needs it
    from staff.sample_class.write import write_sample_class

    students = write_sample_class(HERE, known)
    if wanted is SampleClass.FEW:
        students = few_of_class(students)
    return {(student.name, student.lab.id) for student in students}
