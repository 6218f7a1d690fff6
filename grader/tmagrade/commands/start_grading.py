"""A grading as the commands start it: with this repository, this machine's cores, and the sandbox it has."""

import os

import typer

from tmagrade.basics.names import few_of
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.building.sandbox import Sandbox
from tmagrade.commands.command_line import FAULT_STATUS, err
from tmagrade.grading.grading import Grading, Job
from tmagrade.grading.progress import Progress
from tmagrade.judging.scoring import LabResult
from tmagrade.machine.backend import Backend, emulator_engines, gpu_engines, hopper_gpus, side_by_side
from tmagrade.machine.toolkit import find_toolkit
from tmagrade.outputs.wording import bounded


def local_grading(
    backend: Backend, seeds: int, jobs: int | None, sandbox: Sandbox, progress: Progress, *, own: bool = False
) -> Grading:
    """`own`: for one text, whose student waits."""
    cores = jobs or len(os.sched_getaffinity(0))
    engines = emulator_engines(seeds)
    if own:
        # The one with the long cases runs longest, and at last alone: then it has every core.
        shared = side_by_side(engines, cores)
        engines = [whole if whole.has_long_cases else part for whole, part in zip(engines, shared)]
    return Grading(
        repository=HERE,
        toolkit=find_toolkit(HERE),
        sandbox=sandbox,
        emulator_engines=engines,
        gpu_engines=gpu_engines(hopper_gpus()) if backend is Backend.GPU else [],
        cores=cores,
        progress=progress,
    )


def end_with_faults(jobs: list[Job]) -> None:
    faults: dict[tuple[str, str], list[str]] = {}
    for job in jobs:
        if (fault := job.result().fault) is not None:
            faults.setdefault((job.submission.lab.id, fault), []).append(job.submission.student)
    for (lab, fault), students in faults.items():
        print_line(err, f"tmagrade: grader fault: {few_of(students)}/{lab}: {fault}", "magenta")
    if faults:
        print_line(err, "tmagrade: these points are pending: nobody has lost them", "magenta")
        raise typer.Exit(FAULT_STATUS)


def result_of(job: Job) -> LabResult:
    return bounded(job.result())
