"""What Perfetto's importer of the Chrome trace event format drops or shows in the wrong place, each as a complaint.

The format's description leaves much open, so this is stricter: it knows the phases that the emulator writes, and takes
the events as the importer does, in the order of their times and, at one time, in the order in which they stand.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]
Row = tuple[int, int]  # a process and one of its threads

# Each phase of the format that is written, and the members that such an event has, no more and no fewer.
MEMBERS = {
    "X": {"cat", "name", "pid", "tid", "ts", "dur", "args"},
    "C": {"name", "pid", "ts", "args"},
    "M": {"name", "pid", "tid", "args"},
    "s": {"cat", "name", "id", "pid", "tid", "ts", "bp"},
    "t": {"cat", "name", "id", "pid", "tid", "ts", "bp"},
    "f": {"cat", "name", "id", "pid", "tid", "ts", "bp"},
}
METADATA = {
    "process_name": "name",
    "thread_name": "name",
    "process_sort_index": "sort_index",
    "thread_sort_index": "sort_index",
}
TEXTS = {"cat", "name"}
# The importer reads processes and threads as 32 bits; a double, as JavaScript has it, is exact for the others.
LIMITS = {"pid": 2**31, "tid": 2**31, "ts": 2**53, "dur": 2**53, "id": 2**53}
# What holds the points of an arrow: where it begins, where what was issued lands, and where it ends. A wait for a group
# of stores has no slice of its own.
HOLDERS = {"s": {"run"}, "t": {"tma"}, "f": {"run", "wait", "tma"}}


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _no_twin(members: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(found := dict(members)) < len(members):
        raise ValueError(f"a member stands twice in {members}")
    return found


def parsed(text: str) -> dict[str, Any]:
    """JSON as its standard has it: Python would take NaN, Infinity and members that stand twice."""
    trace: dict[str, Any] = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_twin)
    return trace


def complaints(trace: dict[str, Any]) -> Iterator[str]:
    if unknown := set(trace) - {"traceEvents", "displayTimeUnit", "otherData"}:
        yield f"the importer takes no {unknown}"
    if trace.get("displayTimeUnit") not in ("ms", "ns"):
        yield "displayTimeUnit is ms or ns"
    events = trace["traceEvents"]
    wrong = [complaint for event in events for complaint in _of_members(event)]
    yield from wrong
    if not wrong:
        yield from _of_names(events)
        yield from _of_order(events)


def _of_members(event: Event) -> Iterator[str]:
    expected = MEMBERS.get(event.get("ph", ""))
    if expected is None or set(event) != expected | {"ph"}:
        yield f"members of a phase that is not known, or others than it has: {event}"
        return
    for member in sorted(expected & set(LIMITS)):
        value = event[member]
        if type(value) is not int or not 0 <= value < LIMITS[member]:
            yield f"{member} is not a whole number in its range: {event}"
    if not all(isinstance(event[member], str) and event[member] for member in expected & TEXTS):
        yield f"a category or name is no text: {event}"
    if event["ph"] == "C" and not all(type(value) is int for value in event["args"].values()):
        yield f"a counter's values are numbers: {event}"
    if event["ph"] == "M" and list(event["args"]) != [METADATA.get(event["name"])]:
        yield f"metadata that is not known: {event}"
    if event["ph"] in HOLDERS and event["bp"] != "e":
        yield f"an arrow's point does not say that it belongs to the slice around it: {event}"


def _of_names(events: list[Event]) -> Iterator[str]:
    names: dict[tuple[str, Row], list[str]] = defaultdict(list)
    for event in events:
        if event["ph"] == "M":
            row = (event["pid"], 0 if event["name"].startswith("process") else event["tid"])
            names[event["name"], row].append(event["args"][METADATA[event["name"]]])
    yield from (f"{what} of {row} is said {len(said)} times" for (what, row), said in names.items() if len(said) > 1)
    for event in events:
        if event["ph"] != "M" and ("process_name", (event["pid"], 0)) not in names:
            yield f"a process without a name: {event}"
        if "tid" in event and event["ph"] != "M" and ("thread_name", (event["pid"], event["tid"])) not in names:
            yield f"a row without a name: {event}"


@dataclass
class _Arrow:
    began: Event
    is_over: bool = False


@dataclass
class _Importer:
    open: dict[Row, list[Event]] = field(default_factory=lambda: defaultdict(list))
    arrows: dict[int, _Arrow] = field(default_factory=dict)

    def take(self, event: Event) -> Iterator[str]:
        if event["ph"] not in ("X", *HOLDERS):
            return
        stack = self.open[event["pid"], event["tid"]]
        while stack and stack[-1]["ts"] + stack[-1]["dur"] <= event["ts"]:
            stack.pop()
        if event["ph"] != "X":
            yield from self._take_point(event, stack)
            return
        if stack and event["ts"] + event["dur"] > stack[-1]["ts"] + stack[-1]["dur"]:
            yield f"{event} reaches beyond {stack[-1]}, in which it begins"
        stack.append(event)

    def _take_point(self, event: Event, stack: list[Event]) -> Iterator[str]:
        if not stack or stack[-1]["cat"] not in HOLDERS[event["ph"]]:
            yield f"an arrow's point in {stack[-1]['cat'] if stack else 'no'} slice: {event}"
        arrow = self.arrows.get(event["id"])
        if event["ph"] == "s":
            if arrow is not None:
                yield f"two arrows have one id: {event}"
            self.arrows[event["id"]] = _Arrow(event)
        elif arrow is None or arrow.is_over:
            yield f"an arrow that has not begun, or is over: {event}"
        else:
            arrow.is_over = event["ph"] == "f"
            if (event["cat"], event["name"]) != (arrow.began["cat"], arrow.began["name"]):
                yield f"the importer takes {event} for another arrow than {arrow.began}"


def _of_order(events: list[Event]) -> Iterator[str]:
    importer = _Importer()
    for event in sorted((event for event in events if event["ph"] != "M"), key=lambda event: event["ts"]):
        yield from importer.take(event)
    yield from (f"an arrow without an end: {arrow.began}" for arrow in importer.arrows.values() if not arrow.is_over)
