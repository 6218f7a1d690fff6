"""The CUDA toolkit that this machine has."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tmagrade.basics.errors import GraderFault
from tmagrade.basics.paths import Repository

USUAL_PLACE = "/usr/local/cuda"


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
    def product_library(self) -> Path | None:
        """Where cublasLt is, NVIDIA's matrix products: a whole toolkit has it, and NVIDIA's wheels for Python do."""
        places = [
            *sorted(self.libraries.glob("libcublasLt.so*")),
            *sorted(Path(sys.prefix).glob("lib/python3*/site-packages/nvidia/*/lib/libcublasLt.so*")),
        ]
        return next(iter(places), None)

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
