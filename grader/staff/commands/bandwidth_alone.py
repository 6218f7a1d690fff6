"""Bandwidth alone, measured on a GPU on top of grades that the emulator gave: nothing else of them changes."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from staff.commands.class_handed_in import handed_in, term_of
from staff.grading.asked import ClassAsked, Executor
from staff.grading.start import sandbox_for_others, timing_alone
from staff.outputs.folder import write_outputs
from staff.outputs.merging import merged
from staff.outputs.regrading import changed
from tmagrade.basics.errors import UsageError, cannot_read
from tmagrade.basics.moment import now
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out
from tmagrade.commands.display import progress_for
from tmagrade.commands.start_grading import end_with_faults
from tmagrade.course.labs import load_labs, select_labs
from tmagrade.grading.grading import Job
from tmagrade.judging.scoring import GPU, LabResult, Outcomes, score
from tmagrade.machine.backend import Backend, choose_backend
from tmagrade.outputs.grades import Facts, Grades, read_grades, students_of
from tmagrade.submissions.staging import digest_submitted
from tmagrade.submissions.submission import Submission


@dataclass(frozen=True)
class Measurable:
    """What of a class can be measured."""

    submissions: tuple[Submission, ...]
    left: tuple[str, ...]  # a line for each other one: why not


def measurable(found: Sequence[Submission], before: Grades) -> Measurable:
    """What the emulator has judged, letter for letter, and what has bandwidth points. UsageError where that is
    nothing."""
    results = {(one.id, result.lab.id): result for one in before.students for result in one.labs}
    kept: list[Submission] = []
    left: list[str] = []
    for submission in found:
        if submission.lab.bandwidth is None:
            continue
        lacking = _lacking(submission, results.get((submission.student, submission.lab.id)))
        if lacking is None:
            kept.append(submission)
        else:
            left.append(f"{submission.student}, {submission.lab.id}: {lacking}")
    if not kept:
        raise UsageError("\n".join(["there is no bandwidth to measure here", *(f"  {line}" for line in left)]))
    return Measurable(tuple(kept), tuple(left))


def _lacking(submission: Submission, result: LabResult | None) -> str | None:
    if result is None:
        return "not graded yet"
    if result.lab != submission.lab:
        return "graded by another lab.toml: grade it again first"
    if result.outcomes is None:
        return "nothing of it could be run"
    if GPU in result.outcomes.runs and result.outcomes.timed is None:
        return "graded on a GPU, bandwidth and all"
    if not result.hand_in or result.hand_in != _digest(submission):
        return "another text than was graded: grade it first"
    return None


def _digest(submission: Submission) -> str:
    if submission.problem or submission.fault:
        return ""
    try:
        return digest_submitted(submission.folder)
    except OSError as error:
        raise UsageError(cannot_read(error)) from error


def with_bandwidth(jobs: Sequence[Job], before: Grades) -> Iterator[tuple[Job, LabResult]]:
    """Each result as it was, with what the GPU has measured. Where the grader has failed, it stays as it was."""
    results = {(one.id, result.lab.id): result for one in before.students for result in one.labs}
    for job in jobs:
        old = results[job.submission.student, job.submission.lab.id]
        if job.work.fault is None and job.work.measured is not None and old.outcomes is not None:
            judged = Outcomes(old.outcomes.correctness, old.outcomes.hygiene, job.work.measured)
            yield job, replace(score(old.lab, judged), ignored=old.ignored, hand_in=old.hand_in)


def measure_bandwidth(asked: ClassAsked) -> None:
    """Builds and times what the emulator has judged, and adds the points to the grades and to the term."""
    if asked.submissions is None or asked.executor is Executor.SLURM or asked.backend is Backend.EMULATOR:
        raise UsageError("--bandwidth-alone times a class (--submissions) on this machine's GPU")
    known = load_labs(HERE.labs)
    output = asked.output or HERE.grades
    before = read_grades(output)
    choose_backend(Backend.GPU)  # which says what this machine has
    term = term_of(asked, known)
    what = measurable(handed_in(asked, known, select_labs(known, asked.labs), term).submissions, before)
    for line in what.left:
        print_line(err, f"tmagrade: not measured: {line}", "yellow")
    started = now()
    with progress_for(out) as progress:
        grading = timing_alone(asked.jobs, sandbox_for_others(asked.no_sandbox), progress)
        jobs = grading.run(what.submissions, anew=asked.only is not None)
    facts = Facts(Backend.EMULATOR.value, grading.toolkit.version, grading.digest, started, now())
    timed = list(with_bandwidth(jobs, before))
    students = students_of((job.submission.student, result) for job, result in timed)
    measured = [(job.submission, job.work.key, result) for job, result in timed]
    results = term.results_of(measured, facts) if term is not None else []
    for line in term.said_of(measured, results) if term is not None else ():
        print_line(err, f"tmagrade: {line}", "yellow")
    for line in changed(before, students):
        print_line(out, line)
    if asked.dry_run:
        print_line(out, f"a dry run: {os.path.relpath(output)} is as it was")
    else:
        labs = list({result.lab.id: result.lab for _, result in timed}.values())
        if term is not None:
            term.store.add(results)  # first, since students' files say what counts
        write_outputs(output, merged(before, students, labs, facts, of_class=before.facts).grades)
    print_line(out, f"bandwidth of {len(timed)} hand-ins was measured; correctness and hygiene are as they were")
    end_with_faults([job for job in jobs if job.fault is not None])
