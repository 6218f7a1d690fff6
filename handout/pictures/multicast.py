"""Lab 9: every CTA of a cluster loads a slice into all of them, as in part row-broadcast, for four CTAs."""

from canvas import TIMES, WIDTH, Canvas
from solution import INT_BYTES, LAB9, constant

CTAS = constant(LAB9, "CLUSTER")
PIECE_BYTES = constant(LAB9, "SHARERS") * constant(LAB9, "SLICE_INTS") * INT_BYTES
SLICE_BYTES = PIECE_BYTES // CTAS

LEFT, ROW_WIDTH = 12, 92
FIRST_CTA, CTA_WIDTH, GAP = 150, 72, 8
TOP, CELL, PITCH = 92, 34, 46
INSET = 8


def left_of(rank: int) -> float:
    return FIRST_CTA + rank * (CTA_WIDTH + GAP)


def top_of(part: int) -> float:
    return TOP + part * PITCH


def draw() -> str:
    bottom = top_of(CTAS)
    canvas = Canvas(
        bottom + 132,
        "A cluster loads a piece of the row",
        f"The piece has {CTAS} slices. The CTA of rank r loads slice r, once, into the shared memory of all {CTAS}. "
        "Each CTA's own barrier counts the bytes of all slices.",
    )
    canvas.text(LEFT, 22, f"{CTAS} loads, {CTAS * CTAS} slices landed", size=15, bold=True)
    canvas.text(LEFT, 46, "global memory", style="quiet")
    canvas.text(FIRST_CTA, 46, "shared memory of the cluster's CTAs", style="quiet")
    canvas.text(LEFT + ROW_WIDTH / 2, 74, "the row", anchor="middle")

    for rank in range(CTAS):
        x = left_of(rank)
        canvas.text(x + CTA_WIDTH / 2, 74, f"rank {rank}", anchor="middle")
        canvas.box(x, TOP - 6, CTA_WIDTH, bottom - TOP + 46, "plain")

    for part in range(CTAS):
        y = top_of(part)
        canvas.label(LEFT, y, ROW_WIDTH, CELL, "plain", f"slice {part}")
        canvas.arrow((LEFT + ROW_WIDTH, y + CELL / 2), (FIRST_CTA + INSET, y + CELL / 2), "engine")
        for rank in range(CTAS):
            x = left_of(rank)
            role = "thread" if rank == part else "engine"
            canvas.label(x + INSET, y, CTA_WIDTH - 2 * INSET, CELL, role, f"slice {part}", size=12)
            if rank + 1 < CTAS:
                canvas.line(
                    [(x + CTA_WIDTH - INSET, y + CELL / 2), (x + CTA_WIDTH + GAP + INSET, y + CELL / 2)], role="engine"
                )

    for rank in range(CTAS):
        x = left_of(rank) + INSET
        canvas.label(x, bottom, CTA_WIDTH - 2 * INSET, 30, "sync", "landed", size=12, style="code")
    canvas.text(LEFT, bottom + 15, "each barrier")

    canvas.box(LEFT, bottom + 52, 12, 12, "thread")
    canvas.text(LEFT + 18, bottom + 58, "the CTA of this rank issued the load, for all", size=12)
    canvas.box(LEFT, bottom + 74, 12, 12, "engine")
    canvas.text(LEFT + 18, bottom + 80, "the engine brings it here as well, to the same offset", size=12)
    canvas.box(LEFT, bottom + 96, 12, 12, "sync")
    canvas.text(
        LEFT + 18,
        bottom + 102,
        f"expects {CTAS} {TIMES} {SLICE_BYTES} = {PIECE_BYTES} bytes: all that lands in its own CTA",
        size=12,
    )
    assert left_of(CTAS - 1) + CTA_WIDTH <= WIDTH
    return canvas.svg()
