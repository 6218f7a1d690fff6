"""Says when a student has saved something."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

SOURCES = ("*.cu", "*.cuh", "*.h")
POLL_SECONDS = 0.2


def saves(folder: Path, sleep: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """At once, and then each time that a source in the folder is another than it was. Does not end by itself."""
    known = None
    while True:
        seen = _seen(folder)
        if seen != known:
            known = seen
            yield
        else:
            sleep(POLL_SECONDS)


def _seen(folder: Path) -> dict[Path, tuple[int, int]]:
    found: dict[Path, tuple[int, int]] = {}
    for pattern in SOURCES:
        for path in folder.glob(pattern):
            try:
                status = path.stat()
            except FileNotFoundError:  # an editor puts another file in its place
                continue
            found[path] = (status.st_mtime_ns, status.st_size)
    return found
