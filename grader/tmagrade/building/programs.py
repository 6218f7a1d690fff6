"""Builds and runs a lab's file as a program of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import Repository
from tmagrade.building.nvcc import program_command
from tmagrade.course.labs import Lab
from tmagrade.machine.backend import Backend, Engine, gpu_engines, hopper_gpus
from tmagrade.machine.toolkit import Toolkit
from tmagrade.submissions.staging import stage

DEBUGGING = """\
printf and assert work in kernels, and findings name the lines. cuda-gdb, compute-sanitizer and Nsight need a GPU.
The tests show what printf says where they are asked for one case: make PART=... CASE='...'.
To see where data go: make DATA=index PART=...; what a kernel did: make stats; another order of events: POLICY=early."""


def build_program(repository: Repository, toolkit: Toolkit, lab: Lab, folder: Path) -> Path:
    work = repository.work.resolve() / "you" / f"{lab.id}-program"
    sources = stage(folder, work)
    if not sources:
        raise UsageError(f"{folder} holds no .cu file")
    built = subprocess.run(program_command(toolkit, repository, lab, sources, work), cwd=work, text=True)
    if built.returncode != 0:
        raise UsageError(f"{', '.join(sources)} does not compile; the compiler's messages are above")
    return work / "program"


def program_engine(backend: Backend, policy: str | None) -> Engine:
    return gpu_engines(hopper_gpus())[0] if backend is Backend.GPU else Engine(policy or "late")


def run_program(
    repository: Repository, toolkit: Toolkit, program: Path, engine: Engine, variables: Mapping[str, str]
) -> int:
    """The program's exit status, as a shell gives it."""
    sys.stdout.flush()
    pages = {"TMAEMU_PAGES": os.path.relpath(repository.root) + os.sep}
    environment = engine.environment(repository, toolkit) | pages | dict(variables)
    status = subprocess.run([program], env=environment).returncode
    return status if status >= 0 else 128 - status
