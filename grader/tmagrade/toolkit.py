"""The CUDA toolkit, and how a submission is compiled with it."""

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tmagrade.errors import GraderFault
from tmagrade.labs import Lab
from tmagrade.paths import Repository

USUAL_PLACE = "/usr/local/cuda"

# SASS for the hardware and PTX for the emulator in one file; the shared runtime is what lets the emulator take
# the hardware's place.
TARGET = [
    *["-cudart", "shared"],
    *["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"],
    *["-lineinfo", "-std=c++20"],
    # The passes for the host and for each architecture side by side: together they take most of a lab's time.
    *["--threads", "2"],
]


def target(lab: Lab) -> list[str]:
    """What the lab is compiled for: Hopper, and the later architectures that its parts name, as PTX."""
    later = sorted({part.architecture for part in lab.parts if part.architecture is not None})
    codes = [f"arch=compute_{name},code=compute_{name}" for name in later]
    return TARGET + [word for code in codes for word in ("-gencode", code)]


@dataclass(frozen=True)
class Toolkit:
    home: Path

    @property
    def nvcc(self) -> Path:
        return self.home / "bin/nvcc"

    @cached_property
    def version(self) -> str:
        try:
            answer = subprocess.run([self.nvcc, "--version"], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise GraderFault(f"{self.nvcc} does not run: {error}") from error
        build = re.search(r"release [0-9.]+, V([0-9.]+)", answer)
        return build.group(1) if build else answer.strip()

    @property
    def libraries(self) -> Path:
        return self.home / "lib64"

    @cached_property
    def functions(self) -> frozenset[str]:
        """What CUDA's runtime and driver have."""
        return defined_functions([self.libraries / "libcudart.so", self.libraries / "stubs/libcuda.so"])


def defined_functions(libraries: list[Path]) -> frozenset[str]:
    """The names that these shared libraries define."""
    command = ["nm", "--dynamic", "--defined-only", *map(str, libraries)]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        raise GraderFault(f"CUDA's libraries cannot be read: {answer.stderr.strip()}")
    return frozenset(re.findall(r" (\w+)(?:@\S*)?$", answer.stdout, re.MULTILINE))


def find_toolkit(repository: Repository) -> Toolkit:
    """The toolkit that the set-up chose (.venv/cuda); without a set-up CUDA_HOME or the usual place."""
    places = [repository.root / ".venv/cuda", os.environ.get("CUDA_HOME"), USUAL_PLACE]
    for place in places:
        if place and (Path(place) / "bin/nvcc").exists():
            return Toolkit(Path(place))
    raise GraderFault("no CUDA toolkit: run `make setup`, or set CUDA_HOME to one of version 12.8 or later")


def library_command(toolkit: Toolkit, repository: Repository, lab: Lab, stage: Path) -> list[str]:
    """The nvcc command that, run in a submission's stage, makes submission.so."""
    entry = os.path.relpath(repository.grader / "checks" / lab.id / "entry.cu", stage)
    exports = os.path.relpath(repository.grader / "runner/submission.map", stage)
    return [
        str(toolkit.nvcc),
        *["-shared", "-Xcompiler", "-fPIC"],
        "-nodlink",  # one file leaves nothing to link on the device
        *target(lab),
        # What the entry does not reach, a student's main above all, is left out with all that it calls.
        *["-Xcompiler", "-ffunction-sections,-fdata-sections", "-Xlinker", "--gc-sections"],
        # nvcc splits what it hands on at spaces, if not within quotes; out of a stage elsewhere the path may have some.
        *["-Xlinker", f'"--version-script={exports}"'],
        # A submission may keep the main it was tried with; the library must not offer it as its own.
        "-Dmain=student_main",
        *_include_flags(repository, stage),
        *["-o", "submission.so", entry, "-lcuda"],
    ]


def program_command(toolkit: Toolkit, repository: Repository, lab: Lab, sources: list[str], stage: Path) -> list[str]:
    """The nvcc command that makes `program` from the stage's files, which bring their own main."""
    flags = _include_flags(repository, stage)
    return [str(toolkit.nvcc), *target(lab), *flags, "-o", "program", "-lcuda", "-x", "cu", *sources]


def _include_flags(repository: Repository, stage: Path) -> list[str]:
    # Relative, so that the compiler's messages name files as a student knows them.
    folders = [repository.labs / "common", repository.grader]
    return ["-I.", *(f"-I{os.path.relpath(folder, stage)}" for folder in folders)]


# The expression below takes the square of a line's length, and what an #error says may have a million characters.
LONGEST_LINE = 2000
# "lab3.cu(7): warning #177-D", "lab3.cu:7:5: warning": where one begins.
WARNING = re.compile(r"^[^\s(:]+[(:][\d:]+\)?:? warning")
WAY_TO_THE_COURSE = re.compile(r"(\.\./)+(grader/)*(?=(labs/common|checks)/)")


def compiler_warnings(output: str, limit: int = 20) -> str:
    """nvcc's warnings with their places and excerpts, of a text that compiled: each once, though nvcc warns again for
    each architecture."""
    lines = [line for line in output.splitlines() if line.strip() and not line.startswith("Remark: ")]
    first = next((index for index, line in enumerate(lines) if "warning" in line), len(lines))
    warnings: list[list[str]] = []
    for line in lines[first:]:
        if WARNING.search(line) or not warnings:
            warnings.append([])
        warnings[-1].append(line)
    once = dict.fromkeys(map(tuple, warnings))
    return _without_ways([line for warning in once for line in warning], limit)


def compiler_lines(output: str, limit: int = 20) -> str:
    """What a student needs of nvcc's output: its errors with their places, without the grader's own paths."""
    lines = [line for line in output.splitlines() if line.strip() and "detected in the compilation of" not in line]
    errors = [index for index, line in enumerate(lines) if "error" in line]
    return _without_ways(lines[errors[0] :] if errors else lines, limit)


def _without_ways(found: list[str], limit: int) -> str:
    kept = [WAY_TO_THE_COURSE.sub("", line[:LONGEST_LINE].removeprefix("./")) for line in found[:limit]]
    if len(found) > limit:
        kept.append(f"... and {len(found) - limit} more lines")
    return "\n".join(kept)
