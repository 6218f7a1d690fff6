"""Grading a class from the command line: who is graded, how, and what is written of it."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from staff.commands.class_asked import ClassAsked, Executor, SampleClass
from staff.commands.dry_run import would_change, would_count
from staff.commands.gradings import grading_on_slurm, sandbox_for_others
from staff.commands.term_here import fitting, person_of
from staff.grading.identical_submissions import identical
from staff.grading.slurm import Array
from staff.outputs.folder import demand_writable, set_aside, write_outputs
from staff.outputs.merging import Merged, in_words, merged
from staff.outputs.regrading import (
    changed,
    changes,
    demand_same_rules,
    measured_no_more,
    of_student,
    other_grader,
)
from staff.platforms.find import Layout, find_submissions, solutions_as_student
from staff.term.identities import identify, who_handed_in_for
from staff.term.store import Result
from staff.term.term import Term, open_term
from tmagrade.basics.errors import UsageError
from tmagrade.basics.moment import now
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out
from tmagrade.commands.display import progress_for
from tmagrade.commands.start_grading import end_with_faults, local_grading, result_of
from tmagrade.course.labs import Lab, load_labs, select_labs
from tmagrade.grading.grading import Job
from tmagrade.machine.backend import Backend, choose_backend
from tmagrade.machine.limits import demand_limits
from tmagrade.outputs.grades import Facts, Grades, Student, grades_if_any, read_grades, students_of
from tmagrade.outputs.tables import print_table
from tmagrade.outputs.wording import few_of
from tmagrade.submissions.submission import Submission


def grade_class(asked: ClassAsked) -> None:
    """Grades, writes the grades and prints the table. Exits with a status of its own where the grader has failed."""
    known = load_labs(HERE.labs)
    wanted = select_labs(known, asked.labs)
    output = asked.output or (HERE.sample_grades if asked.submissions is None else HERE.grades)
    before = read_grades(output) if asked.only is not None else None
    if not asked.dry_run:
        demand_writable(output)
    if asked.submissions is not None and asked.sample_class is not None:
        raise UsageError("--class chooses from the sample class: leave it out, or --submissions")
    term = term_of(asked, known)
    found = submissions_of(asked, known, wanted, term)
    if term is not None:
        found = identified_in(term, found)
    if asked.only is not None:
        found = only_of(asked.only, found, term)
    sandbox = sandbox_for_others(asked.no_sandbox)
    started = now()
    with progress_for(out) as progress:
        if asked.executor is Executor.SLURM:
            if before is not None:
                raise UsageError("--only grades on this machine: leave out --executor slurm")
            backend = asked.backend or Backend.EMULATOR
            grading = grading_on_slurm(backend, asked.seeds, sandbox, asked.slurm, progress)
        else:
            grading = local_grading(choose_backend(asked.backend), asked.seeds, asked.jobs, sandbox, progress)
        if before is not None:
            demand_same_rules(before, grading.backend.value, [submission.lab for submission in found])
        jobs_done = grading.run(found, anew=before is not None)
    facts = Facts(grading.backend.value, grading.toolkit.version, grading.digest, started, now())
    graded = [(job.submission, job.work.key, result_of(job)) for job in jobs_done]
    results = term.results_of(graded, facts) if term is not None else []
    which_count = list(term.said_of(graded, results)) if term is not None else []
    if asked.dry_run:
        _print_changes(output, jobs_done, term, results)
    elif before is not None:
        _write_regraded(output, before, jobs_done, facts)
    else:
        _write_class(output, wanted, jobs_done, facts, term.roster.group_of if term is not None else str)
    for line in which_count:
        print_line(err, f"tmagrade: {line}", "yellow")
    if term is not None and not asked.dry_run:
        term.store.add(results)
        print_line(out, f"kept in the term: {len(results)} {'result' if len(results) == 1 else 'results'}")
    end_with_faults(jobs_done)


def term_of(asked: ClassAsked, known: list[Lab]) -> Term | None:
    """The term that a grading of the class belongs to; grades that go elsewhere are a trial."""
    return open_term(HERE.term, known) if asked.submissions is not None and asked.output is None else None


def identified_in(term: Term, found: list[Submission]) -> list[Submission]:
    identified = identify(found, term.roster)
    for line in identified.unknown:
        print_line(err, f"tmagrade: not on the roster, so not in the term: {line}", "yellow")
    return list(identified.submissions)


def only_of(name: str, found: list[Submission], term: Term | None) -> list[Submission]:
    """What one student has handed in, or the student's group."""
    if term is None:
        return of_student(found, name)
    is_whole = any(one.student == name for one in found)
    name = person_of(term, name).id if not is_whole and fitting(term, name) else name
    other = who_handed_in_for(name, found, term.roster)
    if other != name:
        print_line(out, f"{name} shares what {other} has handed in")
    return of_student(found, other)


def grade_task(folder: Path, task: int, backend: Backend | None, seeds: int, no_sandbox: bool) -> None:
    """Grades what one task of a Slurm array has to, with all cores that it was given."""
    demand_limits()
    array = Array(folder)
    cores = int(os.environ.get("SLURM_CPUS_ON_NODE", "0")) or None
    with progress_for(out) as progress:
        grading = local_grading(choose_backend(backend), seeds, cores, sandbox_for_others(no_sandbox), progress)
        for job in grading.run(array.submissions(task, load_labs(HERE.labs))):
            array.write_fault(job.work)


def _print_changes(output: Path, jobs: list[Job], term: Term | None, results: list[Result]) -> None:
    """What would be written otherwise. What was built and judged is kept, so that the same grading takes no time."""
    students = students_of((job.submission.student, result_of(job)) for job in jobs)
    known = grades_if_any(output) or Grades(Facts("", "", "", "", ""), (), ())
    for line in would_change(known, students):
        print_line(out, line)
    for line in would_count(term, results) if term is not None else ():
        print_line(out, line)
    print_line(out, f"a dry run: {os.path.relpath(output)} is as it was; the same command without it keeps this")


def _write_class(output: Path, labs: list[Lab], jobs: list[Job], facts: Facts, group_of: Callable[[str], str]) -> None:
    students = students_of((job.submission.student, result_of(job)) for job in jobs)
    before = _grades_there(output) or Grades(facts, (), ())
    now = merged(before, students, labs, facts)
    write_outputs(output, now.grades)
    print_table(out, students)
    shown = os.path.relpath(output)
    print_line(out, f"\n{facts.backend} backend; written: {shown}/report.html and what it is made from")
    for work in identical(dict.fromkeys(job.work for job in jobs), HERE.labs, group_of):
        names = ", ".join(submission.student for submission in work.submissions)
        print_line(out, f"identical submissions of {work.lab.id}: {names}", "yellow")
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


def _write_regraded(output: Path, before: Grades, jobs: list[Job], facts: Facts) -> None:
    """Of a lab in which the grader has failed, the old score stands."""
    student = jobs[0].submission.student
    results = [result for result in map(result_of, jobs) if result.fault is None]
    if (other := other_grader(before.facts, facts)) is not None:
        print_line(err, f"tmagrade: {other}", "yellow")
    if results:
        graded = [Student(student, tuple(results))]
        labs = [result.lab for result in results]
        write_outputs(output, merged(before, graded, labs, facts, of_class=before.facts).grades)
    for line in changes(before, student, results):
        print_line(out, line)
    _say_what_is_measured_no_more(before, [Student(student, tuple(results))])


def _say_what_is_measured_no_more(before: Grades, students: Sequence[Student]) -> None:
    if who := measured_no_more(before, students):
        what = "bandwidth was measured before and is pending now; BANDWIDTH=alone adds it again"
        print_line(err, f"tmagrade: {what}: {few_of(who)}", "yellow")


def submissions_of(asked: ClassAsked, known: list[Lab], wanted: list[Lab], term: Term | None) -> list[Submission]:
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
