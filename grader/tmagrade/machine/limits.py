"""The limits that this machine sets to every process, and how many processes it lets the user start.

A compiler or a judge that meets one of them fails as if the student's text were wrong. So they are looked at before
anybody is graded: what may be raised is raised, and what may not is said.
"""

import os
import resource
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tmagrade.basics.errors import GraderFault

# More than one submission's compiler, judge and sandbox have together, threads included.
PROCESSES_NEEDED = 256

CGROUPS = Path("/sys/fs/cgroup")
PROC = Path("/proc")


@dataclass(frozen=True)
class Lack:
    """Something that grading needs and this machine does not give, and what to do about it."""

    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.what}: {self.remedy}"


@dataclass(frozen=True)
class Limit:
    resource: int
    option: str  # of ulimit
    what: str
    least: int
    unit: int = 1  # of ulimit's numbers


LIMITS = (
    # The judge's memory for replays is a file with 256 GiB of holes, mapped by it and by the replay.
    Limit(resource.RLIMIT_AS, "-v", "addresses of a process", 1 << 40, 1 << 10),
    Limit(resource.RLIMIT_FSIZE, "-f", "size of a file", 1 << 40, 1 << 10),
    Limit(resource.RLIMIT_DATA, "-d", "memory of a process", 16 << 30, 1 << 10),
    Limit(resource.RLIMIT_STACK, "-s", "stack of a process", 8 << 20, 1 << 10),
    Limit(resource.RLIMIT_NOFILE, "-n", "open files", 1024),
    Limit(resource.RLIMIT_CPU, "-t", "seconds of a processor", 3600),
)


def raise_limits() -> None:
    """Takes as much as the machine allows of what is needed."""
    for limit in LIMITS:
        soft, hard = resource.getrlimit(limit.resource)
        if not _is_enough(soft, limit.least):
            resource.setrlimit(limit.resource, (limit.least if _is_enough(hard, limit.least) else hard, hard))


def lacking_limits() -> list[Lack]:
    return [*_low_limits(), *_lacking_processes()]


def described() -> str:
    """All limits of this process: a machine with other limits is another machine."""
    kinds = [limit.resource for limit in LIMITS] + [resource.RLIMIT_NPROC]
    return " ".join(str(resource.getrlimit(kind)) for kind in kinds)


def _is_enough(value: int, least: int) -> bool:
    return value in (resource.RLIM_INFINITY, -1) or value >= least


def _low_limits() -> Iterator[Lack]:
    for limit in LIMITS:
        soft, _ = resource.getrlimit(limit.resource)
        if not _is_enough(soft, limit.least):
            is_whole = limit.least >= 1 << 40
            wanted = "unlimited" if is_whole else str(limit.least // limit.unit)
            yield Lack(
                f"the limit on {limit.what} (ulimit {limit.option}) is {soft // limit.unit}, too low to grade with",
                f"`ulimit {limit.option} {wanted}` in a new shell, or ask who set it (limits.conf, Slurm, systemd)",
            )


def _lacking_processes() -> Iterator[Lack]:
    remedy = "end what runs, or have the limit raised"
    for what, most, used in _counts_of_processes():
        if most - used < PROCESSES_NEEDED:
            yield Lack(
                f"{what}: {most}, of which {used} are taken, and a submission may need {PROCESSES_NEEDED}", remedy
            )


def _counts_of_processes() -> Iterator[tuple[str, int, int]]:
    """What is limited, the limit, and how much of it is taken; threads count as processes."""
    most, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if not _is_enough(most, 1 << 20):
        yield "the limit on the user's processes (ulimit -u)", most, _processes_of_this_user()
    for name in ("kernel/pid_max", "kernel/threads-max"):
        if (number := _number_in(PROC / "sys" / name)) is not None:
            yield f"the machine's table of processes ({name})", number, _processes_of_the_machine()
    for folder in _own_cgroups():
        limit, used = _number_in(folder / "pids.max"), _number_in(folder / "pids.current")
        if limit is not None and used is not None:
            yield f"the limit on this container's or session's processes ({folder}/pids.max)", limit, used


def _number_in(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # "max": none
        return None


def _processes_of_the_machine() -> int:
    try:
        return int((PROC / "loadavg").read_text().split()[3].split("/")[1])
    except (OSError, ValueError, IndexError):
        return 0


def _processes_of_this_user() -> int:
    return sum(_threads(folder) for folder in PROC.glob("[0-9]*"))


def _threads(process: Path) -> int:
    try:
        return sum(1 for _ in (process / "task").iterdir()) if process.stat().st_uid == os.getuid() else 0
    except OSError:  # it has ended
        return 0


def _own_cgroups() -> Iterator[Path]:
    """The folders in which limits of this process may stand, from the innermost outward."""
    try:
        lines = (PROC / "self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers in ("", "pids"):
            root = CGROUPS / controllers
            own = root / path.lstrip("/")
            yield from (folder for folder in (own, *own.parents) if folder.is_relative_to(root))


def demand_limits() -> None:
    """GraderFault where this machine lets no process have what grading needs."""
    raise_limits()
    if lacking := lacking_limits():
        raise GraderFault("; ".join(map(str, lacking)))
