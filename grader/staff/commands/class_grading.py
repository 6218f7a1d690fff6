"""Grading a class from the command line: who is graded, how, and what is written of it."""

import os
from collections.abc import Callable
from pathlib import Path

from staff.collecting.kept_texts import keep_text
from staff.commands.class_handed_in import handed_in, term_of
from staff.grading.asked import ClassAsked
from staff.grading.slurm import Array
from staff.grading.start import grading_of_class, sandbox_for_others
from staff.outputs.keeping import Graded, grades_before, keep, keep_regraded, print_changes
from staff.outputs.regrading import demand_same_rules
from staff.platforms.canvas_api import hidden_token
from staff.term.left_out import left_out_of
from staff.term.store import LeftOut
from staff.term.term import Term
from staff.term.would_count import would_count
from tmagrade.basics.errors import UsageError
from tmagrade.basics.moment import now
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out
from tmagrade.commands.display import progress_for
from tmagrade.commands.start_grading import end_with_faults, local_grading
from tmagrade.course.labs import Lab, load_labs, select_labs
from tmagrade.machine.backend import Backend, choose_backend
from tmagrade.machine.limits import demand_limits
from tmagrade.outputs.grades import Facts
from tmagrade.outputs.wording import bounded


@hidden_token()
def grade_class(asked: ClassAsked) -> None:
    """Grades, writes the grades and prints the table. Exits with a status of its own where the grader has failed."""
    if asked.submissions is not None and asked.sample_class is not None:
        raise UsageError("--class chooses from the sample class: leave it out, or --submissions")
    output = asked.output or (HERE.sample_grades if asked.submissions is None else HERE.grades)
    known = load_labs(HERE.labs)
    wanted = select_labs(known, asked.labs)
    before = grades_before(output, are_needed=asked.only is not None, are_written=not asked.dry_run)
    term = term_of(asked, known)
    of_class = handed_in(asked, known, wanted, term)
    found = of_class.submissions
    started = now()
    with progress_for(out) as progress:
        grading = grading_of_class(asked, progress)
        if before is not None:
            demand_same_rules(before, grading.backend.value, [submission.lab for submission in found])
        jobs = grading.run(found, anew=before is not None)
    if not asked.dry_run:
        for job in jobs:
            keep_text(HERE.unpacked, job.submission.folder, job.hand_in)
    facts = Facts(grading.backend.value, grading.toolkit.version, grading.digest, started, now())
    graded = Graded([(job.submission, job.work, bounded(job.result())) for job in jobs], facts)
    by_digest = [(submission, work.key, result) for submission, work, result in graded.hand_ins]
    results = term.results_of(by_digest, facts) if term is not None else []
    which_count = list(term.said_of(by_digest, results)) if term is not None else []
    if term is not None and not asked.dry_run:
        term.store.add(results)  # first, since students' files say what counts
    if asked.dry_run:
        print_changes(output, graded)
    elif before is not None:
        keep_regraded(output, graded, before)
    else:
        keep(output, graded, wanted, HERE.labs, _group_of(term), of_class.former, of_class.dropped)
    if term is not None and asked.dry_run:
        for line in would_count(term, results):
            print_line(out, line)
    if asked.dry_run:
        print_line(out, f"a dry run: {os.path.relpath(output)} is as it was; the same command without it keeps this")
    for line in which_count:
        print_line(err, f"tmagrade: {line}", "yellow")
    if term is not None and not asked.dry_run:
        if asked.only is None:
            term.store.add(left_out_of(of_class.left_out, term.store.read(LeftOut), str(asked.submissions), wanted))
        print_line(out, f"kept in the term: {len(results)} {'result' if len(results) == 1 else 'results'}")
    end_with_faults(jobs)
    of_class.end()


def _group_of(term: Term | None) -> Callable[[str, Lab], str]:
    """What names those who share hand-ins of a lab."""
    return lambda student, lab: student if term is None else term.roster_of(lab.id).group_of(student)


def grade_task(folder: Path, task: int, backend: Backend | None, seeds: int, no_sandbox: bool) -> None:
    """Grades what one task of a Slurm array has to, with all cores that it was given."""
    demand_limits()
    array = Array(folder)
    cores = int(os.environ.get("SLURM_CPUS_ON_NODE", "0")) or None
    with progress_for(out) as progress:
        grading = local_grading(choose_backend(backend), seeds, cores, sandbox_for_others(no_sandbox), progress)
        for job in grading.run(array.submissions(task, load_labs(HERE.labs))):
            array.write_fault(job.work)
