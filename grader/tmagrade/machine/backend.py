"""Who executes: an sm_90 GPU where there is one, else the emulator."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import Repository
from tmagrade.machine.toolkit import Toolkit


class Backend(StrEnum):
    GPU = "gpu"
    EMULATOR = "emulator"


@dataclass(frozen=True)
class Gpu:
    index: int
    name: str
    compute_capability: str
    driver: str

    @property
    def is_hopper(self) -> bool:
        return self.compute_capability == "9.0"


@cache
def list_gpus() -> tuple[Gpu, ...]:
    """The GPUs that the driver's own tool names; none where there is no driver."""
    if shutil.which("nvidia-smi") is None:
        return ()
    query = ["nvidia-smi", "--query-gpu=index,name,compute_cap,driver_version", "--format=csv,noheader"]
    answer = subprocess.run(query, capture_output=True, text=True)
    if answer.returncode != 0:
        return ()
    rows = (line.split(", ") for line in answer.stdout.splitlines())
    return tuple(Gpu(int(row[0]), *row[1:]) for row in rows if len(row) == 4)


def hopper_gpus() -> list[Gpu]:
    """Those that this process may use: on a shared node CUDA_VISIBLE_DEVICES leaves the others to others."""
    allowed = os.environ.get("CUDA_VISIBLE_DEVICES")
    numbers = None if allowed is None else [word.strip() for word in allowed.split(",")]
    return [gpu for gpu in list_gpus() if gpu.is_hopper and (numbers is None or str(gpu.index) in numbers)]


def choose_backend(wanted: Backend | None) -> Backend:
    if wanted is Backend.GPU and not hopper_gpus():
        seen = ", ".join(f"{gpu.name} (sm_{gpu.compute_capability})" for gpu in list_gpus()) or "none"
        raise UsageError(f"the gpu backend needs a GPU of compute capability 9.0; GPUs here: {seen}")
    if wanted is not None:
        return wanted
    return Backend.GPU if hopper_gpus() else Backend.EMULATOR


def inherited_settings() -> dict[str, str]:
    """What the emulator may hear of the grader's own environment: nothing that decides what it finds."""
    return {name: value for name, value in os.environ.items() if name == "TMAEMU_THREADS"}


DECIDING_POLICY = "late"  # of the emulator: what correctness is judged with


@dataclass(frozen=True)
class Engine:
    """One way of executing a submission: on a GPU, or on the emulator under one timing policy."""

    name: str  # "gpu", or a value of TMAEMU_ASYNC
    gpu: Gpu | None = None
    host_threads: int | None = None  # of the emulator, where it is not alone on the machine

    @property
    def has_long_cases(self) -> bool:
        """Whether it judges cases of long arrays: on the emulator one policy does, since they take most of the time.

        What is found in them depends on no policy.
        """
        return self.gpu is not None or self.name == DECIDING_POLICY

    @property
    def identity(self) -> str:
        """What a verdict under this engine depends on; which of several equal GPUs ran it does not matter."""
        return self.name if self.gpu is None else f"{self.gpu.name}, driver {self.gpu.driver}"

    def variables(self, repository: Repository, toolkit: Toolkit) -> dict[str, str]:
        """Which CUDA libraries a process loads is all that decides who executes."""
        if self.gpu is None:
            threads = {} if self.host_threads is None else {"TMAEMU_THREADS": str(self.host_threads)}
            return {"LD_LIBRARY_PATH": str(repository.emulator_libraries), "TMAEMU_ASYNC": self.name} | threads
        return {
            "LD_LIBRARY_PATH": str(toolkit.libraries),
            # The driver's own tool counts GPUs by their place on the bus, CUDA by their speed unless told.
            "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
            "CUDA_VISIBLE_DEVICES": str(self.gpu.index),
        }

    def environment(self, repository: Repository, toolkit: Toolkit) -> dict[str, str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TMAEMU_")}
        environment |= inherited_settings() | self.variables(repository, toolkit)
        if inherited := os.environ.get("LD_LIBRARY_PATH"):
            environment["LD_LIBRARY_PATH"] += f":{inherited}"
        return environment


# Whichever GPU a cluster's node has: known only to the node.
ANY_GPU = Engine("gpu", Gpu(0, "any GPU of the cluster", "9.0", ""))


def side_by_side(engines: Sequence[Engine], cores: int) -> list[Engine]:
    """The emulator's engines as they share the processors, for who is alone on the machine.

    More threads than processors would wait for each other; and a call's time stands still meanwhile, so that an endless
    loop would cost twice what it may.
    """
    if inherited_settings():
        return list(engines)
    return [replace(engine, host_threads=max(1, cores // len(engines))) for engine in engines]


def gpu_engines(gpus: list[Gpu]) -> list[Engine]:
    return [Engine("gpu", gpu) for gpu in gpus]


def is_policy(name: str) -> bool:
    """Whether the emulator has a timing policy of this name."""
    return re.fullmatch(r"late|early|random:[0-9]{1,19}", name) is not None


def emulator_engines(seeds: int) -> list[Engine]:
    """The engines of the hygiene points. The first is the one that correctness is judged with."""
    return [Engine(DECIDING_POLICY), Engine("early"), *(Engine(f"random:{seed}") for seed in range(1, seeds + 1))]
