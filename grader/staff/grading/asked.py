"""What `tmagrade grade` is asked for."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from staff.platforms.find import Layout
from tmagrade.machine.backend import Backend


class SampleClass(StrEnum):
    FEW = "few"
    ALL = "all"


class Executor(StrEnum):
    LOCAL = "local"
    SLURM = "slurm"


@dataclass(frozen=True, kw_only=True)
class ClassAsked:
    """What `tmagrade grade` was given."""

    submissions: Path | None
    labs: str | None
    layout: Layout | None
    prefix: str | None  # of the names of GitHub clones
    backend: Backend | None
    seeds: int
    jobs: int | None
    output: Path | None  # none: grades of the class, or of the sample class, where they always are
    only: str | None
    no_sandbox: bool
    executor: Executor
    sample_class: SampleClass | None
    slurm: str
    dry_run: bool = False
    bandwidth_alone: bool = False
