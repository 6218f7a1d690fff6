"""How a submission is compiled: nvcc's command lines."""

import os
from pathlib import Path

from tmagrade.basics.paths import Repository
from tmagrade.building.compiler_output import MAIN_OF_THE_LIBRARY
from tmagrade.course.labs import Lab
from tmagrade.machine.toolkit import Toolkit

# SASS for the hardware and PTX for the emulator in one file; the shared runtime is what lets the emulator take
# the hardware's place.
TARGET = [
    *["-cudart", "shared"],
    *["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"],
    *["-lineinfo", "-std=c++20"],
]

# The passes for each architecture side by side, and the preprocessor for the host with them.
THREADS = ["--threads", "2"]


def target(lab: Lab) -> list[str]:
    """What the lab is compiled for: Hopper, and the later architectures that its parts name, as PTX."""
    later = sorted({part.architecture for part in lab.parts if part.architecture is not None})
    codes = [f"arch=compute_{name},code=compute_{name}" for name in later]
    return TARGET + [word for code in codes for word in ("-gencode", code)]


def library_command(toolkit: Toolkit, repository: Repository, lab: Lab, stage: Path) -> list[str]:
    """The nvcc command that, run in a submission's stage, makes submission.so."""
    return [str(toolkit.nvcc), *THREADS, *_library_arguments(repository, lab, stage)]


def plan_command(toolkit: Toolkit, repository: Repository, lab: Lab, stage: Path, between: Path) -> list[str]:
    """The nvcc command that says what it would do, with its intermediate files in the folder `between`.

    With threads, the order in which it names its commands is not the same each time."""
    keep = ["--dryrun", "--keep", "--keep-dir", str(between)]
    return [str(toolkit.nvcc), *keep, *_library_arguments(repository, lab, stage)]


def _library_arguments(repository: Repository, lab: Lab, stage: Path) -> list[str]:
    entry = os.path.relpath(repository.grader / "checks" / lab.id / "entry.cu", stage)
    exports = os.path.relpath(repository.grader / "runner/submission.map", stage)
    return [
        *["-shared", "-Xcompiler", "-fPIC"],
        "-nodlink",  # one file leaves nothing to link on the device
        *target(lab),
        # What the entry does not reach, a student's main above all, is left out with all that it calls.
        *["-Xcompiler", "-ffunction-sections,-fdata-sections", "-Xlinker", "--gc-sections"],
        # nvcc splits what it hands on at spaces, if not within quotes; out of a stage elsewhere the path may have some.
        *["-Xlinker", f'"--version-script={exports}"'],
        # A submission may keep the main it was tried with; the library must not offer it as its own.
        f"-Dmain={MAIN_OF_THE_LIBRARY}",
        *_include_flags(repository, stage),
        *["-o", "submission.so", entry, "-lcuda"],
    ]


def program_command(toolkit: Toolkit, repository: Repository, lab: Lab, sources: list[str], stage: Path) -> list[str]:
    """The nvcc command that makes `program` from the stage's files, which bring their own main."""
    flags = _include_flags(repository, stage)
    return [str(toolkit.nvcc), *THREADS, *target(lab), *flags, "-o", "program", "-lcuda", "-x", "cu", *sources]


def _include_flags(repository: Repository, stage: Path) -> list[str]:
    # Relative, so that the compiler's messages name files as a student knows them.
    folders = [repository.labs / "common", repository.grader]
    return ["-I.", *(f"-I{os.path.relpath(folder, stage)}" for folder in folders)]
