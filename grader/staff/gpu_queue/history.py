"""What was accepted of whom, and what became of it. Files are added, and written again when there is a verdict."""

import json
from collections.abc import Callable, Iterator, Reversible
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tmagrade.gpu_queue.places import Places, Waiting


@dataclass(frozen=True)
class Entry:
    student: str
    lab: str
    nickname: str
    ticket: str
    accepted: float  # seconds since 1970
    size: int = 0  # bytes
    state: str = "waiting"
    score: float | None = None
    max: float | None = None
    figure: str = ""  # the bandwidth, as "4047 GB/s"
    fraction: float | None = None  # of what the lab compares with; None: not measured, or it does not count
    start: float = 0.0  # of its last run, as FairTurns counts
    seconds: float = 0.0  # that the run took


class History:
    """Each student's is read once: only one server is at work in the folder, and has written all of it."""

    def __init__(self, places: Places, write: Callable[[Path, Any], None]) -> None:
        self._places = places
        self._write_json = write
        self._read_of: dict[str, dict[Path, Entry]] = {}

    def accept(self, one: Waiting, at: float, size: int) -> None:
        self._write(one, Entry(one.student, one.ticket.lab, one.ticket.nickname, one.ticket.ticket, at, size))

    def add(self, one: Waiting, **became: Any) -> None:
        known = self._of(one.student).get(self._path(one)) or Entry(
            one.student, one.ticket.lab, one.ticket.nickname, one.ticket.ticket, one.number / 1e9
        )
        self._write(one, replace(known, **became))

    def all(self) -> Iterator[Entry]:
        for folder in sorted(self._places.history.iterdir()):
            yield from self._of(folder.name).values()

    def of(self, student: str) -> Reversible[Entry]:
        return self._of(student).values()

    def _of(self, student: str) -> dict[Path, Entry]:
        """The student's, in order."""
        if student not in self._read_of:
            paths = sorted((self._places.history / student).glob("*.json"))
            self._read_of[student] = {path: entry for path in paths if (entry := self._read(path))}
        return self._read_of[student]

    def _write(self, one: Waiting, entry: Entry) -> None:
        self._write_json(self._path(one), asdict(entry))
        self._of(one.student)[self._path(one)] = entry

    def _path(self, one: Waiting) -> Path:
        return self._places.history / one.student / f"{one.number:020}-{one.ticket.ticket}.json"

    def _read(self, path: Path) -> Entry | None:
        try:
            return Entry(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
