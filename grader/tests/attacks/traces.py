"""What attacks could leave behind: files outside, processes, changes in what others handed in or the grader is."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tmagrade.basics.paths import HERE

# Whatever an attack leaves behind has this in its name: files and processes.
MARK = "tma-attack"

# Where an attack that got out could have written.
OUTSIDE = ("/", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/etc", "/usr", "/usr/lib", "/usr/local/bin", "/root", "/home")

SHARED_MEMORY = Path("/dev/shm")

# What the grader is made of, and what it knows.
OURS = ("labs", "solutions", "grader", "handout", "build/bin", "build/lib")


def state_of(handed_in: Path) -> dict[Path, tuple[int, ...]]:
    """Kind, size and age of every file that no attack may change."""
    return {path: _state(path) for top in (handed_in, *(HERE.root / name for name in OURS)) for path in _below(top)}


def _below(top: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (Path(place, name) for name in (*folders, *names))


def _state(path: Path) -> tuple[int, ...]:
    try:
        status = path.lstat()
    except OSError as error:  # a path too long to be asked for
        return (error.errno or 0,)
    return (status.st_mode, status.st_size, status.st_mtime_ns)


def changes(before: dict[Path, tuple[int, ...]], after: dict[Path, tuple[int, ...]]) -> list[str]:
    return [str(path) for path in sorted({*before, *after}) if before.get(path) != after.get(path)]


def files_left(*more: Path) -> list[str]:
    """Files with the mark in the usual places, and anywhere below `more`."""
    places: Iterable[Path] = (Path(place) for place in OUTSIDE)
    usual = [path for place in places for path in _entries(place) if MARK in path.name]
    return [str(path) for path in usual] + [str(path) for top in more for path in _below(top) if MARK in path.name]


def _entries(folder: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return list(folder.iterdir())
    return []


def processes_left(state: Path) -> list[str]:
    """Processes with the mark as their name, and those that hold something of the grading's state."""
    left: list[str] = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            name = (process / "comm").read_text().strip()
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if name == MARK or f"{state}/" in command:
                left.append(f"{process.name} {name}: {command[:200]}")
    return left


def shared_memory_names() -> set[str]:
    """What lies in shared memory now."""
    return {path.name for path in _entries(SHARED_MEMORY)}


def shared_memory_left(grader: int, before: set[str]) -> list[str]:
    """What lies in shared memory of the grader that was this process, and emulated memory whose makers are gone.

    `before`: the names that lay there when the grader started; a process of somebody else, killed, may have left them.
    """
    return [
        str(path)
        for path in _entries(SHARED_MEMORY)
        if path.name not in before and (path.name.startswith(f"tmagrade-{grader}-") or _lost(path))
    ]


def _lost(path: Path) -> bool:
    return path.name.startswith("tmaemu-") and not Path("/proc", path.name.split("-")[1]).exists()
