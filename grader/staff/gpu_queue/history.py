"""What was accepted of whom, and what became of it. Files are added, and written again when there is a verdict."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tmagrade.basics.cache import write_json
from tmagrade.gpu_queue.places import Places, Waiting

HOUR_SECONDS = 3600


@dataclass(frozen=True)
class Entry:
    student: str
    lab: str
    nickname: str
    ticket: str
    accepted: float  # seconds since 1970
    state: str = "waiting"
    score: float | None = None
    max: float | None = None
    figure: str = ""  # the bandwidth, as "4047 GB/s"
    fraction: float | None = None  # of what the lab compares with; None: not measured, or it does not count


class History:
    """Each student's is read once: only one server is at work in the folder, and has written all of it."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._read_of: dict[str, dict[Path, Entry]] = {}

    def accept(self, one: Waiting, at: float) -> None:
        self._write(one, Entry(one.student, one.ticket.lab, one.ticket.nickname, one.ticket.ticket, at))

    def end(self, one: Waiting, **became: object) -> None:
        known = self._of(one.student).get(self._path(one)) or Entry(
            one.student, one.ticket.lab, one.ticket.nickname, one.ticket.ticket, one.number / 1e9
        )
        self._write(one, replace(known, **became))  # type: ignore[arg-type]

    def all(self) -> Iterator[Entry]:
        for folder in sorted(self._places.history.iterdir()):
            yield from self._of(folder.name).values()

    def next_turn(self, student: str, an_hour: int, now: float) -> float | None:
        """When the student may hand in again, if not now: so many an hour. What the grader did not grade is not
        counted, unless that was the student's own doing."""
        recent: list[float] = []
        for entry in reversed(self._of(student).values()):
            if entry.accepted <= now - HOUR_SECONDS:
                break
            if entry.state != "failed":
                recent.append(entry.accepted)
            if len(recent) == an_hour:
                return recent[-1] + HOUR_SECONDS
        return None

    def _of(self, student: str) -> dict[Path, Entry]:
        """The student's, in order."""
        if student not in self._read_of:
            paths = sorted((self._places.history / student).glob("*.json"))
            self._read_of[student] = {path: entry for path in paths if (entry := self._read(path))}
        return self._read_of[student]

    def _write(self, one: Waiting, entry: Entry) -> None:
        write_json(self._path(one), asdict(entry))
        self._of(one.student)[self._path(one)] = entry

    def _path(self, one: Waiting) -> Path:
        return self._places.history / one.student / f"{one.number:020}-{one.ticket.ticket}.json"

    def _read(self, path: Path) -> Entry | None:
        try:
            return Entry(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
