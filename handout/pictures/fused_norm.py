"""Lab 10, part add-rms-norm: who uses which row of shared memory, and when."""

from canvas import WIDTH, Canvas

STEPS = ["load", "add", "sum up", "scale", "store"]
LABEL, TOP = 88.0, 84.0
COLUMN = (WIDTH - LABEL - 12) / len(STEPS)
BAR, LANE = 32.0, 46.0

# Row, step, role, text.
SPANS = [
    (0, 0, "engine", "residual in"),
    (0, 1, "thread", "+= x"),
    (0, 3, "thread", "read"),
    (0, 4, "store", "residual out"),
    (1, 0, "engine", "x in"),
    (1, 1, "thread", "read"),
    (1, 3, "thread", "y written"),
    (1, 4, "store", "y out"),
]


def left_of(step: int) -> float:
    return LABEL + step * COLUMN


def draw() -> str:
    bottom = TOP + 2 * LANE
    canvas = Canvas(
        bottom + 50,
        "Two rows of shared memory over time",
        "The engine loads residual and x; the threads add x to the residual's row and sum up its squares, then write y "
        "where x has been; the engine stores both rows.",
    )
    canvas.text(12, 22, "One CTA: two rows of shared memory over time", size=15, bold=True)
    for i, name in enumerate(STEPS):
        canvas.text(left_of(i) + COLUMN / 2, 56, name, anchor="middle", style="quiet")
        canvas.line([(left_of(i), 68), (left_of(i), bottom - 8)], width=0.75)
    for row, name in enumerate(("sum_row", "y_row")):
        canvas.text(12, TOP + row * LANE + BAR / 2, name, size=12.5, style="code")
    for row, step, role, text in SPANS:
        canvas.label(left_of(step) + 2, TOP + row * LANE, COLUMN - 4, BAR, role, text, size=12)
    for step in (1, 3, 4):  # what the steps after these lines wait for
        canvas.line([(left_of(step), 66), (left_of(step), bottom - 6)], role="sync", width=2.5)
    canvas.text(12, bottom + 12, "Green: the mbarrier's phase; cta_sum's barrier; a fence and a barrier.", size=12.5)
    canvas.text(12, bottom + 32, "Blue: threads. Orange and purple: the engine, loading and storing.", size=12.5)
    return canvas.svg()
