"""Lab 2, part ping-pong: two warps, a full and an empty barrier, tile after tile.

The waits are not drawn by hand: `simulate` lets both warps run, with barriers that keep a phase's number.
"""

from dataclasses import dataclass

from canvas import WIDTH, Canvas

TILES = 3
FILL, DRAIN = 2, 3  # how long each takes, in columns; any numbers will do
LABEL, TOP, ROW, BAR = 76, 92, 76, 34


@dataclass(frozen=True)
class Span:
    warp: int
    begin: int
    end: int
    what: str  # "fill", "drain", "wait"
    tile: int


def simulate() -> list[Span]:
    spans: list[Span] = []
    now = [0, 0]  # of each warp
    drained = 0  # when the tile before was read; at first there is none
    for tile in range(TILES):
        for warp, ready, takes, what in ((0, drained, FILL, "fill"), (1, None, DRAIN, "drain")):
            start = max(now[warp], now[0] if ready is None else ready)
            if start > now[warp]:
                spans.append(Span(warp, now[warp], start, "wait", tile))
            spans.append(Span(warp, start, start + takes, what, tile))
            now[warp] = start + takes
        drained = now[1]
    return spans


def draw() -> str:
    roles = {"fill": "thread", "drain": "thread", "wait": "wait"}
    spans = simulate()
    column = (WIDTH - LABEL - 12) / max(span.end for span in spans)
    bottom = TOP + 2 * ROW
    canvas = Canvas(
        bottom + 40,
        "Two warps and one buffer",
        "Warp 0 fills the buffer and arrives at full; warp 1 waits for full, drains the buffer and arrives at "
        "empty, for which warp 0 waits before it fills the buffer again.",
    )
    canvas.text(12, 22, "One buffer, two barriers", size=15, bold=True)
    canvas.text(12, 46, "a wait names a parity; the arrows are arrivals on a barrier", size=12.5)
    for warp in range(2):
        canvas.text(12, TOP + warp * ROW + BAR / 2, f"warp {warp}", size=13)
    for span in spans:
        left, width = LABEL + span.begin * column, (span.end - span.begin) * column
        y = TOP + span.warp * ROW
        parity = span.tile % 2 if span.warp else 1 - span.tile % 2
        words = f"wait {parity}" if span.what == "wait" else f"{span.what} {span.tile}"
        canvas.label(left + 1, y, width - 2, BAR, roles[span.what], words, size=12.5)
        if span.what != "wait":
            barrier = "full" if span.warp == 0 else "empty"
            x, down = left + width, span.warp == 0
            ends = (y + BAR, y + ROW - 2) if down else (y - 2, y - ROW + BAR + 2)
            if down or span.tile < TILES - 1:
                canvas.arrow((x, ends[0]), (x, ends[1]), "sync")
                canvas.text(x - 6, sum(ends) / 2, barrier, size=12, anchor="end", style="code")
    canvas.text(12, bottom - 6, "Before tile 0 the wait for parity 1 returns at once:", size=12.5)
    canvas.text(12, bottom + 14, "the phase before the first counts as over.", size=12.5)
    return canvas.svg()
