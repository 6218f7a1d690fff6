"""What a class has handed in, and whose it is: what `tmagrade grade` has to grade."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import typer

from staff.commands.term_here import fitting, person_of
from staff.grading.asked import ClassAsked, SampleClass
from staff.platforms.find import Found, Layout, find_submissions, solutions_as_student
from staff.term.author import author
from staff.term.identities import identify, who_handed_in_for
from staff.term.store import LeftOut
from staff.term.term import Term, open_term
from tmagrade.basics.errors import UsageError
from tmagrade.basics.moment import now
from tmagrade.basics.names import few_of, one_of
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import LEFT_OUT_STATUS, err, out
from tmagrade.course.labs import Lab
from tmagrade.submissions.submission import Submission

MOST_NAMED = 40


@dataclass(frozen=True)
class HandedIn:
    """What there is to grade of a class."""

    submissions: list[Submission]
    left_out: tuple[LeftOut, ...] = ()  # what is not, or is nobody's on the roster, and why
    former: Mapping[str, str] = field(default_factory=dict)  # names in grades of people who have others now
    dropped: tuple[str, ...] = ()  # people who have left the course

    def end(self) -> None:
        """Says what was left out once more, where it is seen, and ends with a status of its own."""
        said = list(dict.fromkeys(one.said for one in self.left_out))
        if not said:
            return
        print_line(err, "tmagrade: this may be somebody's hand-in, and counts for nobody:", "yellow")
        for line in said[:MOST_NAMED]:
            print_line(err, f"  {line}", "yellow")
        if len(said) > MOST_NAMED:
            print_line(err, f"  and {len(said) - MOST_NAMED} more", "yellow")
        raise typer.Exit(LEFT_OUT_STATUS)


def term_of(asked: ClassAsked, known: list[Lab]) -> Term | None:
    """The term that a grading of the class belongs to; grades that go elsewhere are a trial."""
    return open_term(HERE.term, known) if asked.submissions is not None and asked.output is None else None


def handed_in(asked: ClassAsked, known: list[Lab], wanted: list[Lab], term: Term | None) -> HandedIn:
    """By the roster's names, where there is a term; of one student, where that is asked for."""
    found = _found(asked, known, wanted, term)
    of_class = HandedIn(found.submissions, tuple(_lost(asked, found, wanted, term)))
    if term is not None:
        of_class = _identified_in(term, of_class, str(asked.submissions))
    if asked.only is None:
        return of_class
    return HandedIn(_only_of(asked.only, of_class.submissions, term))


def _lost(asked: ClassAsked, found: Found, wanted: Sequence[Lab], term: Term | None) -> Iterator[LeftOut]:
    """What is ignored whole, of each lab for which its owner has nothing else."""
    there = {(one.called, one.lab.id) for one in found.submissions}
    for one in found.lost:
        for lab in wanted:
            if (one.called, lab.id) not in there:
                people = term.roster.who(found.platform, one.called) if term is not None and one.called else ()
                whose = people[0].id if len(people) == 1 else ""
                yield LeftOut(now(), author(), lab.id, str(asked.submissions), whose, one.said)


def _identified_in(term: Term, found: HandedIn, place: str) -> HandedIn:
    identified = identify(found.submissions, term.roster_of)
    for line in identified.older:
        print_line(err, f"tmagrade: {line}", "yellow")
    if identified.dropped:
        print_line(err, f"tmagrade: dropped, so not graded: {few_of(identified.dropped)}", "yellow")
    unknown = [
        LeftOut(now(), author(), lab, place, "", f"not on the roster, so not in the term: {said}")
        for lab, said in identified.unknown
    ]
    for said in dict.fromkeys(one.said for one in unknown):
        print_line(err, f"tmagrade: {said}", "yellow")
    there = {(one.student, one.lab.id) for one in identified.submissions}
    lost = [one for one in found.left_out if (one.person, one.lab) not in there]
    dropped = tuple(one.id for one in term.roster.people if one.dropped)
    return HandedIn(list(identified.submissions), (*lost, *unknown), identified.former, dropped)


def _only_of(name: str, found: list[Submission], term: Term | None) -> list[Submission]:
    """What one student has handed in, or the student's group."""
    if term is None:
        return _of_student(found, name)
    is_whole = any(one.student == name for one in found)
    name = person_of(term, name).id if not is_whole and fitting(term, name) else name
    other = who_handed_in_for(name, found, term.roster_of, term.platforms_times)
    if other != name:
        print_line(out, f"{name} shares what {other} has handed in")
    return _of_student(found, other)


def _of_student(found: Sequence[Submission], name: str) -> list[Submission]:
    """What one student of the class has handed in."""
    student = one_of("student", name, list(dict.fromkeys(submission.student for submission in found)))
    return [submission for submission in found if submission.student == student]


def _found(asked: ClassAsked, known: list[Lab], wanted: list[Lab], term: Term | None) -> Found:
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
        return Found(solutions_as_student(HERE.solutions, wanted) + handed_in, [])
    if folder.absolute() == HERE.sample_class and HERE.class_tables.is_dir():
        _write_sample_class(known, SampleClass.ALL)
    zone = term.settings.zone if term is not None else None
    found = find_submissions(folder, known, wanted, HERE.unpacked, asked.layout, asked.prefix, zone)
    for line in found.ignored:
        print_line(err, f"tmagrade: ignored {line}", "yellow")
    return found


def _write_sample_class(known: list[Lab], wanted: SampleClass) -> set[tuple[str, str]]:
    """Writes the whole class. Whose work, for which lab, is to be graded."""
    from staff.sample_class.tables import few_of_class  # no other grading needs it
    from staff.sample_class.write import write_sample_class

    students = write_sample_class(HERE, known)
    if wanted is SampleClass.FEW:
        students = few_of_class(students)
    return {(student.name, student.lab.id) for student in students}
