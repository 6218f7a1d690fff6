"""One CTA of a trace: the one in which the TMA engine does the most, and as much of it as can be looked at."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

# Of each row; with more, nobody finds anything, and a browser takes long.
MOST_SLICES = 4000

Event = dict[str, Any]


@dataclass(frozen=True)
class Slice:
    begin: int
    ticks: int
    kind: str  # "run", "wait", "tma" or "phase"
    name: str
    details: str


@dataclass(frozen=True)
class Row:
    name: str
    slices: Sequence[Slice]


@dataclass(frozen=True)
class Arrow:
    """From one row and tick to another."""

    rows: tuple[int, int]
    ticks: tuple[int, int]


@dataclass(frozen=True)
class OneCta:
    name: str
    rows: Sequence[Row]
    arrows: Sequence[Arrow]
    ticks: int  # that are shown
    left_out: int  # ticks after these


def busiest_cta(trace: dict[str, Any]) -> OneCta:
    events: list[Event] = trace["traceEvents"]
    operations = Counter(event["pid"] for event in events if event.get("cat") == "tma")
    runs = Counter(event["pid"] for event in events if event.get("cat") == "run")
    # Of equals the first: that of the first launch, nearest to CTA 0.
    chosen = min(runs, key=lambda pid: (-operations[pid], pid))
    return _cta([event for event in events if event["pid"] == chosen])


def _cta(events: Sequence[Event]) -> OneCta:
    name = next(event["args"]["name"] for event in events if event["name"] == "process_name")
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    slices: dict[int, list[Slice]] = defaultdict(list)
    begin = min(event["ts"] for event in events if event["ph"] == "X")
    for event in events:
        if event["ph"] == "X" and event["dur"] > 0:
            slices[event["tid"]].append(_slice(event, begin))
    end = max(one.begin + one.ticks for row in slices.values() for one in row)
    shown = min([end, *(row[MOST_SLICES].begin for row in map(_sorted, slices.values()) if len(row) > MOST_SLICES)])
    order = sorted(tid for tid, row in slices.items() if min(one.begin for one in row) < shown)
    rows = [Row(names[tid], [one for one in _sorted(slices[tid]) if one.begin < shown]) for tid in order]
    places = {tid: index for index, tid in enumerate(order)}
    return OneCta(name, rows, _arrows(events, places, begin, shown), shown, end - shown)


def _sorted(slices: list[Slice]) -> list[Slice]:
    # What lies within another is drawn after it.
    return sorted(slices, key=lambda one: (one.begin, -one.ticks))


def _slice(event: Event, begin: int) -> Slice:
    told = {name.replace("_", " "): value for name, value in event["args"].items() if value is not None}
    details = ", ".join(f"{name}: {value}" for name, value in told.items())
    return Slice(event["ts"] - begin, event["dur"], event["cat"], event["name"], details)


def _arrows(events: Sequence[Event], places: dict[int, int], begin: int, shown: int) -> list[Arrow]:
    points: dict[int, list[Event]] = defaultdict(list)
    for event in events:
        if event.get("cat") == "flow" and event["tid"] in places and event["ts"] - begin < shown:
            points[event["id"]].append(event)
    return [
        Arrow((places[one["tid"]], places[other["tid"]]), (one["ts"] - begin, other["ts"] - begin))
        for chain in points.values()
        for one, other in pairwise(chain)
    ]
