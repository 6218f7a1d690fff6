"""Lab 3, part pipeline: which stage does what in which iteration of the loop.

The spans are not drawn by hand: `simulate` walks through the loop of add_one_pipeline.
"""

from dataclasses import dataclass

from canvas import WIDTH, Canvas
from solution import INT_BYTES, LAB3, constant

STAGES = constant(LAB3, "STAGES")
STAGE_BYTES = constant(LAB3, "STAGE_INTS") * INT_BYTES
ITERATIONS = 2 * STAGES  # two laps: both parities

LABEL = 62
TOP = 92
ROW, BAR = 46, 34
COLUMN = (WIDTH - LABEL - 10) / (ITERATIONS + 1)  # one more: before the loop


@dataclass(frozen=True)
class Span:
    stage: int
    first: int  # iteration; -1 is before the loop
    last: int
    what: str
    tile: int


def simulate() -> list[Span]:
    """What add_one_pipeline does on its first iterations, for a CTA that has more tiles than iterations."""
    spans: list[Span] = []
    loaded_from = dict.fromkeys(range(STAGES - 1), -1)
    for iteration in range(ITERATIONS):
        stage = iteration % STAGES
        spans.append(Span(stage, loaded_from[iteration], iteration - 1, "load", iteration))
        spans.append(Span(stage, iteration, iteration, "add", iteration))
        # Its store is issued at this iteration's end, and known to have read the tile at the next iteration's
        # end (pending_read<1>); then the stage is loaded again.
        spans.append(Span(stage, iteration + 1, iteration + 1, "store", iteration))
        loaded_from[iteration + STAGES - 1] = iteration + 1  # seen from the next iteration on
    for tile in range(ITERATIONS, ITERATIONS + STAGES):
        if tile in loaded_from and loaded_from[tile] < ITERATIONS:
            spans.append(Span(tile % STAGES, loaded_from[tile], ITERATIONS - 1, "load", tile))
    return [span for span in spans if span.first < ITERATIONS]


def left_of(iteration: int) -> float:
    return LABEL + (iteration + 1) * COLUMN


def draw() -> str:
    roles = {"load": "engine", "add": "thread", "store": "store"}
    bottom = TOP + STAGES * ROW
    canvas = Canvas(
        bottom + 74,
        "The ring of stages over time",
        f"{STAGES} stages. In each iteration one stage is added to, the previous one is stored, the others are loaded.",
    )
    canvas.text(12, 22, f"A ring of {STAGES} stages, {STAGE_BYTES} bytes each", size=15, bold=True)
    canvas.text(left_of(-1) + COLUMN / 2, 46, "before", size=12, anchor="middle", style="quiet")
    for iteration in range(ITERATIONS):
        canvas.text(left_of(iteration) + COLUMN / 2, 46, f"{iteration}", size=12, anchor="middle", style="quiet")
        canvas.text(
            left_of(iteration) + COLUMN / 2, 64, f"{iteration // STAGES % 2}", size=12.5, anchor="middle", style="code"
        )
    canvas.text(12, 46, "iteration", size=12, style="quiet")
    canvas.text(12, 64, "wait for parity", size=12, style="quiet")
    for iteration in range(ITERATIONS + 1):
        canvas.line([(left_of(iteration), 76), (left_of(iteration), bottom)], width=0.75)
    for stage in range(STAGES):
        canvas.text(12, TOP + stage * ROW + BAR / 2, f"stage {stage}", size=12.5)
    for span in simulate():
        left = left_of(span.first)
        width = left_of(span.last + 1) - left
        canvas.label(
            left + 2, TOP + span.stage * ROW, width - 4, BAR, roles[span.what], f"{span.what} {span.tile}", size=12.5
        )
    canvas.text(
        12,
        bottom + 14,
        "load n: from its issue to the last moment at which it may land.",
        size=12.5,
    )
    canvas.text(12, bottom + 34, "add n: wait, add, fence, __syncthreads().", size=12.5)
    canvas.text(12, bottom + 54, "store n: the engine may still read the tile; no load may touch the stage.", size=12.5)
    return canvas.svg()
