"""Timelines of kernels of the solutions, right beside wrong, from what record.py has recorded on the emulator.

A stage has a row of its own, in which loads lie in one lane, and stores or products in another. Where a load is in
flight while what reads the same stage is not done, both want the same bytes: that is marked.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from canvas import WIDTH, Canvas
from record import Recording, Span, read

LABEL = 84
ROW, LANE = 26, 10
HEAD, FOOT = 44, 14


@dataclass(frozen=True)
class Panel:
    recording: str
    title: str
    text: str  # of a wrong one its findings stand there
    warps: Mapping[str, str]  # by the name in the recording: the name in the picture


def shared(load: Span, store: Span) -> Span | None:
    begin, end = max(load.begin, store.begin), min(load.end, store.end)
    return Span(begin, end) if begin < end else None


def wanted_twice(recording: Recording) -> list[list[Span]]:
    """By stage: when a load is in flight and a store reads."""
    stages = zip(recording.loads, recording.stores, strict=True)
    found = [[span for load in loads for store in stores if (span := shared(load, store))] for loads, stores in stages]
    return found if any(found) else []


def last_tick(recording: Recording) -> int:
    rows = [*recording.runs.values(), *recording.loads, *recording.stores]
    return max(span.end for row in rows for span in row)


class Timeline:
    """One panel on a canvas; ticks become places."""

    def __init__(self, canvas: Canvas, panel: Panel, top: float) -> None:
        self._canvas, self._panel, self._top = canvas, panel, top
        self._recording = read(panel.recording)
        # Each its own: ticks are no time, and nobody should compare lengths.
        self._scale = (WIDTH - LABEL - 12) / last_tick(self._recording)

    def draw(self) -> None:
        recording, canvas = self._recording, self._canvas
        is_wrong = bool(recording.findings)
        canvas.text(12, self._top, self._panel.title, size=14, bold=True, style="as-wrong" if is_wrong else "")
        below = ", ".join(recording.findings) if is_wrong else self._panel.text
        canvas.text(12, self._top + 19, below, size=12, style="as-wrong" if is_wrong else "quiet")
        y = self._top + HEAD - 8
        for warp, name in self._panel.warps.items():
            canvas.text(12, y + ROW / 2 - 3, name, size=12)
            self._spans(recording.runs[warp], y, ROW - 8, "thread")
            self._spans(recording.waits.get(warp, []), y + 4, ROW - 16, "wait")
            y += ROW
        both = wanted_twice(recording)
        for stage, (loads, stores) in enumerate(zip(recording.loads, recording.stores, strict=True)):
            canvas.text(12, y + ROW / 2 - 3, f"stage {stage}" if len(recording.loads) > 1 else "tile", size=12)
            self._spans(loads, y, LANE, "engine")
            self._spans(stores, y + LANE + 1, LANE, "store")
            if both:
                self._spans(both[stage], y, 2 * LANE + 1, "wrong")
            y += ROW

    def _spans(self, spans: list[Span], y: float, height: float, role: str) -> None:
        for span in spans:
            left = LABEL + span.begin * self._scale
            self._canvas.box(round(left, 1), y, round(max((span.end - span.begin) * self._scale, 1), 1), height, role)


def height_of(panel: Panel) -> float:
    recording = read(panel.recording)
    return HEAD + ROW * (len(panel.warps) + len(recording.loads)) + FOOT


def legend(canvas: Canvas, y: float, reader: str, *, is_wrong: bool) -> None:
    keys = [("thread", "runs"), ("wait", "waits"), ("engine", "load in flight"), ("store", reader)]
    x = 12.0
    for role, words in [*keys, *([("wrong", "both")] if is_wrong else [])]:
        canvas.box(x, y - 6, 14, 12, role)
        canvas.text(x + 19, y, words, size=12)
        x += 36 + 6.4 * len(words)


def draw(title: str, description: str, panels: list[Panel], reader: str = "store reads") -> str:
    canvas = Canvas(sum(map(height_of, panels)) + 36, title, description)
    top = 18.0
    for panel in panels:
        Timeline(canvas, panel, top).draw()
        top += height_of(panel)
    legend(canvas, top, reader, is_wrong=any(wanted_twice(read(panel.recording)) for panel in panels))
    return canvas.svg()


def draw_lab3() -> str:
    warp = {"warp 0": "warp 0"}
    return draw(
        "One stage, a ring, and a ring that forgets to wait",
        "With one stage, load, addition and store take turns. With three, two loads or stores are in flight while the "
        "warp adds. Without the wait for the store, a load lands in a stage that a store may still read.",
        [
            Panel("lab3-one-stage", "One stage", "load, add, store: each waits for the one before", warp),
            Panel("lab3-ring", "Three stages, a store in flight", "the next loads are on their way", warp),
            Panel("lab3-no-wait", "Three stages, no wait for the store", "", warp),
        ],
    )


def draw_lab7() -> str:
    warps = {"warp 0": "producer", "warp 1": "storer"}
    return draw(
        "A ring of four stages, one that is too short, and a stage that is given back too early",
        "With four stages both warps find work. With one they take turns. Without the storer's wait a load lands in a "
        "stage that a store may still read.",
        [
            Panel("lab7-ring", "Four stages", "the producer is up to four tiles ahead", warps),
            Panel("lab7-short-ring", "One stage: right, and slow", "whoever runs, the other waits", warps),
            Panel("lab7-freed-early", "Four stages, given back too early", "", warps),
        ],
    )


def draw_lab8() -> str:
    warps = {f"warp {number}": f"warp {number}" for number in range(4)}
    return draw(
        "A transpose that waits for its tile, and one that does not",
        "In the first, the warps go on when the load has landed. In the second, they read and write the tile while the "
        "load is in flight.",
        [
            Panel("lab8-transpose", "With the wait", "nobody touches the tile before both panels are there", warps),
            Panel("lab8-no-wait", "Without the wait", "", warps),
        ],
    )


def draw_lab12() -> str:
    warps = {"warp 4": "producer", "warp 0": "consumer"}
    return draw(
        "A matrix product whose stages are given back when they have been read, and one that gives them back too early",
        "In the first, the load of a stage begins when the products that read it are done. In the second, the consumer "
        "gives a stage back while the products that read it are pending, and loads are in flight at the same time.",
        [
            Panel("lab12-ring", "Wait, then give back", "loads of other stages are in flight meanwhile", warps),
            Panel("lab12-released-early", "One group pending, its stage given back", "", warps),
        ],
        "products read",
    )
