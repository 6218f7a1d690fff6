"""What the emulator found, as the judge hands it on: a finding with its line, its thread and all that belongs to it.

The emulator makes it (emulator/rendering/diagnostic.h), and grades.json keeps it as it is.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

REGISTRY = Path(__file__).parent / "finding_codes.json"

Coordinates = tuple[int, int, int]


@dataclass(frozen=True)
class Code:
    """A row of the emulator's registry of findings."""

    code: str
    kind: str  # "finding", "fault", "deadlock" or "not-modeled"
    cuda_error: str | None
    page: str  # of the handout
    costs_points: bool


@cache
def codes() -> Mapping[str, Code]:
    """The registry, as `tmaemu --findings=json` prints it."""
    rows = json.loads(REGISTRY.read_text(encoding="utf-8"))["codes"]
    return {row["code"]: Code(**row) for row in rows}


@dataclass(frozen=True, slots=True)
class Place:
    """In the source; without a column, in the PTX of a function."""

    name: str
    line: int
    column: int | None = None

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> "Place":
        if "function" in value:
            return Place(value["function"], value["ptx_line"])
        return Place(value["file"], value["line"], value["column"])

    def to_json(self) -> dict[str, Any]:
        if self.column is None:
            return {"function": self.name, "ptx_line": self.line}
        return {"file": self.name, "line": self.line, "column": self.column}


@dataclass(frozen=True, slots=True)
class Excerpt:
    line: int
    column: int  # under which the caret stands; the first is 1
    text: str


@dataclass(frozen=True, slots=True)
class Bytes:
    """What the thread does with which bytes of a shared variable."""

    use: str
    of: str
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Note:
    """Another place that has to do with a finding."""

    message: str
    place: Place
    excerpt: Excerpt | None = None


@dataclass(frozen=True, slots=True)
class MbarrierWait:
    name: str
    initialized: bool
    parity: int
    current_parity: int
    arrivals_missing: int
    arrivals_expected: int
    bytes_missing: int  # negative: that many more arrived than expected
    polled: bool = False  # the threads ask again and again


@dataclass(frozen=True, slots=True)
class BarrierWait:
    number: int
    arrived: int
    expected: int


@dataclass(frozen=True, slots=True)
class ClusterBarrierWait:
    pass


@dataclass(frozen=True, slots=True)
class WarpWait:
    members: int


@dataclass(frozen=True, slots=True)
class PollWait:
    pass


WaitingFor = MbarrierWait | BarrierWait | ClusterBarrierWait | WarpWait | PollWait
WAITS: Mapping[str, type[WaitingFor]] = {
    "mbarrier": MbarrierWait,
    "barrier": BarrierWait,
    "cluster barrier": ClusterBarrierWait,
    "warp": WarpWait,
    "poll": PollWait,
}


@dataclass(frozen=True, slots=True)
class Waiters:
    """Threads that wait in a deadlock, at one place for one thing."""

    place: Place
    threads: int
    block: Coordinates  # of the first of them
    thread: Coordinates
    waiting_for: WaitingFor

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> "Waiters":
        wait = dict(value["waiting_for"])
        waiting_for = WAITS[wait.pop("kind")](**wait)
        return Waiters(
            Place.from_json(value["place"]),
            value["threads"],
            _coordinates(value["block"]),
            _coordinates(value["thread"]),
            waiting_for,
        )

    def to_json(self) -> dict[str, Any]:
        kind = next(name for name, wait in WAITS.items() if type(self.waiting_for) is wait)
        return {
            "place": self.place.to_json(),
            "threads": self.threads,
            "block": list(self.block),
            "thread": list(self.thread),
            "waiting_for": {"kind": kind} | asdict(self.waiting_for),
        }


@dataclass(frozen=True, slots=True)
class Finding:
    code: str
    message: str
    place: Place | None = None  # none of what nothing but the number is known
    excerpt: Excerpt | None = None
    block: Coordinates | None = None  # of the first thread that did it
    thread: Coordinates | None = None
    bytes: Bytes | None = None
    notes: tuple[Note, ...] = ()
    waiters: tuple[Waiters, ...] = ()
    waiters_left_out: int = 0
    rule: str = ""  # of a tensor map, or an operation with one, that was broken
    help: str = ""
    count: int = 1

    @property
    def page(self) -> str:
        """Where the handout says more."""
        known = codes().get(self.code)
        return known.page if known else "handout/emulator.md#findings"  # another version's code

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> "Finding":
        known = {field.name for field in fields(Finding)}
        if unknown := value.keys() - known:
            raise ValueError(f"a finding has no {sorted(unknown)}")
        finding = Finding(
            code=value["code"],
            message=value["message"],
            place=Place.from_json(value["place"]) if "place" in value else None,
            excerpt=Excerpt(**value["excerpt"]) if "excerpt" in value else None,
            block=_coordinates(value["block"]) if "block" in value else None,
            thread=_coordinates(value["thread"]) if "thread" in value else None,
            bytes=Bytes(**value["bytes"]) if "bytes" in value else None,
            notes=tuple(_note(note) for note in value.get("notes", ())),
            waiters=tuple(Waiters.from_json(waiters) for waiters in value.get("waiters", ())),
            waiters_left_out=value.get("waiters_left_out", 0),
            rule=value.get("rule", ""),
            help=value.get("help", ""),
            count=value["count"],
        )
        # Most of a class's findings are the same: kept once, they take little memory.
        return _shared.setdefault(finding, finding)

    def to_json(self) -> dict[str, Any]:
        """What from_json takes; nothing stands for what the finding does not have."""
        value: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.place is not None:
            value["place"] = self.place.to_json()
        if self.excerpt is not None:
            value["excerpt"] = asdict(self.excerpt)
        if self.block is not None:
            value["block"] = list(self.block)
        if self.thread is not None:
            value["thread"] = list(self.thread)
        if self.bytes is not None:
            value["bytes"] = asdict(self.bytes)
        if self.notes:
            value["notes"] = [_note_json(note) for note in self.notes]
        if self.waiters:
            value["waiters"] = [waiters.to_json() for waiters in self.waiters]
        for name in ("waiters_left_out", "rule", "help"):
            if getattr(self, name):
                value[name] = getattr(self, name)
        return value | {"count": self.count}


_shared: dict[Finding, Finding] = {}


def _coordinates(value: Any) -> Coordinates:
    x, y, z = value
    return (x, y, z)


def _note(value: Mapping[str, Any]) -> Note:
    excerpt = Excerpt(**value["excerpt"]) if "excerpt" in value else None
    return Note(value["message"], Place.from_json(value["place"]), excerpt)


def _note_json(note: Note) -> dict[str, Any]:
    value: dict[str, Any] = {"message": note.message, "place": note.place.to_json()}
    return value | ({"excerpt": asdict(note.excerpt)} if note.excerpt is not None else {})
