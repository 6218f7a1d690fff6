"""The gradings that only the course's staff start: of other people's code, on a GPU alone, or on a cluster."""

import os

from staff.grading.asked import ClassAsked, Executor
from staff.grading.slurm import Slurm
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.building.sandbox import NoSandbox, Sandbox, demand_sandbox
from tmagrade.commands.command_line import err
from tmagrade.commands.start_grading import local_grading
from tmagrade.grading.grading import Grading
from tmagrade.grading.progress import Progress
from tmagrade.machine.backend import ANY_GPU, Backend, choose_backend, emulator_engines, gpu_engines, hopper_gpus
from tmagrade.machine.toolkit import find_toolkit


def sandbox_for_others(none_wanted: bool) -> Sandbox:
    if not none_wanted:
        return demand_sandbox(HERE, find_toolkit(HERE))
    print_line(err, "tmagrade: no sandbox: the students' code can read and write what you can", "yellow")
    return NoSandbox(HERE, find_toolkit(HERE))


def timing_alone(jobs: int | None, sandbox: Sandbox, progress: Progress) -> Grading:
    """Builds, and runs on the GPU; the emulator has judged already."""
    return Grading(
        repository=HERE,
        toolkit=find_toolkit(HERE),
        sandbox=sandbox,
        emulator_engines=[],
        gpu_engines=gpu_engines(hopper_gpus()),
        cores=jobs or len(os.sched_getaffinity(0)),
        progress=progress,
    )


def grading_on_slurm(
    backend: Backend, seeds: int, sandbox: Sandbox, sbatch_options: str, progress: Progress
) -> Grading:
    options = ["--backend", backend.value, "--seeds", str(seeds)]
    options += ["--no-sandbox"] if isinstance(sandbox, NoSandbox) else []
    return Grading(
        repository=HERE,
        toolkit=find_toolkit(HERE),
        sandbox=sandbox,
        emulator_engines=emulator_engines(seeds),
        gpu_engines=[ANY_GPU] if backend is Backend.GPU else [],
        cores=1,  # of this machine, which only waits
        progress=progress,
        cluster=Slurm(HERE, sbatch_options, options),
    )


def grading_of_class(asked: ClassAsked, progress: Progress) -> Grading:
    """On the executor that was asked for."""
    sandbox = sandbox_for_others(asked.no_sandbox)
    if asked.executor is not Executor.SLURM:
        return local_grading(choose_backend(asked.backend), asked.seeds, asked.jobs, sandbox, progress)
    if asked.only is not None:
        raise UsageError("--only grades on this machine: leave out --executor slurm")
    return grading_on_slurm(asked.backend or Backend.EMULATOR, asked.seeds, sandbox, asked.slurm, progress)
