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
    def __init__(self, places: Places) -> None:
        self._places = places

    def accept(self, one: Waiting, at: float) -> None:
        write_json(
            self._path(one),
            asdict(Entry(one.student, one.ticket.lab, one.ticket.nickname, one.ticket.ticket, at)),
        )

    def end(self, one: Waiting, **became: object) -> None:
        known = self._read(self._path(one)) or Entry(
            one.student, one.ticket.lab, one.ticket.nickname, one.ticket.ticket, one.number / 1e9
        )
        write_json(self._path(one), asdict(replace(known, **became)))  # type: ignore[arg-type]

    def of(self, student: str) -> list[Entry]:
        """The student's, in order."""
        return [
            entry for path in sorted((self._places.history / student).glob("*.json")) if (entry := self._read(path))
        ]

    def all(self) -> Iterator[Entry]:
        for folder in sorted(self._places.history.iterdir()):
            yield from self.of(folder.name)

    def next_turn(self, student: str, an_hour: int, now: float) -> float | None:
        """When the student may hand in again, if not now: so many an hour. What the grader did not grade is not
        counted."""
        recent = [
            entry.accepted
            for entry in self.of(student)
            if entry.accepted > now - HOUR_SECONDS and entry.state not in ("replaced", "failed")
        ]
        return None if len(recent) < an_hour else recent[-an_hour] + HOUR_SECONDS

    def _path(self, one: Waiting) -> Path:
        return self._places.history / one.student / f"{one.number:020}-{one.ticket.ticket}.json"

    def _read(self, path: Path) -> Entry | None:
        try:
            return Entry(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
