"""Lab 7, part axpy: what becomes of the stages while three kinds of warps pass them on.

The spans are not drawn by hand: `simulate` follows the waits of load_tiles, compute_tiles and store_tiles.
"""

from dataclasses import dataclass

from canvas import WIDTH, Canvas
from solution import LAB7, constant

STAGES = constant(LAB7, "STAGES")
TILES = 3 * STAGES

# Made-up durations, of the order that they have to one another on an H200.
LATENCY = 6.0  # from a load's start until its bytes have landed, when nothing else is in flight
PERIOD = 2.0  # between two tiles that land, when many are
COMPUTE = 1.2
READ = 1.0  # the engine reads the sums

SHOWN = 30.0
LABEL = 62.0
TOP, ROW, BAR = 62.0, 40.0, 30.0


@dataclass(frozen=True)
class Span:
    stage: int
    begin: float
    end: float
    what: str
    tile: int


def simulate() -> list[Span]:
    """The first tiles of a CTA."""
    spans: list[Span] = []
    empty = [0.0] * STAGES  # when each stage was handed back last
    landed = computed = 0.0
    before: tuple[int, float, float] | None = None  # the tile stored before: its number, computed, store issued
    for tile in range(TILES):
        stage = tile % STAGES
        begin = empty[stage]
        landed = max(begin + LATENCY, landed + PERIOD)
        spans.append(Span(stage, begin, landed, "load", tile))
        start = max(landed, computed)
        computed = start + COMPUTE
        spans.append(Span(stage, start, computed, "compute", tile))
        if before is not None:
            # A stage is handed back when the next tile's store has been issued and its own has read.
            number, _, issued = before
            empty[number % STAGES] = max(computed, issued + READ)
            spans.append(Span(number % STAGES, issued, empty[number % STAGES], "store", number))
        before = (tile, computed, computed)
    return spans


def x_of(time: float) -> float:
    return LABEL + min(time, SHOWN) / SHOWN * (WIDTH - LABEL - 10)


def draw() -> str:
    roles = {"load": "engine", "compute": "thread", "store": "store"}
    bottom = TOP + STAGES * ROW
    canvas = Canvas(
        bottom + 66,
        "Six stages, three jobs",
        "Every stage is loaded, computed, stored, and loaded again. At any moment most stages are loading.",
    )
    canvas.text(12, 22, f"A ring of {STAGES} stages, passed on by three kinds of warps", size=15, bold=True)
    canvas.text(LABEL, 46, "time", size=12, style="quiet")
    canvas.arrow((LABEL + 32, 46), (WIDTH - 10, 46), "wait")
    for stage in range(STAGES):
        canvas.text(12, TOP + stage * ROW + BAR / 2, f"stage {stage}", size=12.5)
    for span in simulate():
        left, width = x_of(span.begin), x_of(span.end) - x_of(span.begin)
        if width < 2:
            continue
        y = TOP + span.stage * ROW
        if span.what == "load" and width > 26:
            canvas.label(left, y, width, BAR, roles[span.what], str(span.tile), size=12.5)
        else:
            canvas.box(left, y, width, BAR, roles[span.what])
    for row, (what, says) in enumerate(
        (
            ("load", "load n: from the wait on empty until both tiles have landed (full)"),
            ("compute", "compute n: the consumers, until the last warp has arrived (computed)"),
            ("store", "store n: until the storer hands the stage back (empty)"),
        )
    ):
        y = bottom + 10 + row * 20
        canvas.box(12, y - 6, 12, 12, roles[what])
        canvas.text(30, y, says, size=12)
    return canvas.svg()
