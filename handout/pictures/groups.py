"""Lab 1, part ring: which groups are complete, waited for and in flight in each iteration of the loop.

The cells are not drawn by hand: `simulate` walks through the loop of reverse_ring.
"""

from canvas import WIDTH, Canvas
from solution import LAB1, constant

STAGES = constant(LAB1, "STAGES")
ITERATIONS = TILES = 5  # of this CTA: the last group is empty
GROUPS = ITERATIONS + STAGES - 2  # committed when the last iteration waits

LABEL, TOP, ROW, BAR = 92, 96, 36, 26
COLUMN = (WIDTH - LABEL - 12) / GROUPS


def simulate() -> list[list[str]]:
    """For each iteration, what has become of each group when the thread waits: "" where it is not committed yet."""
    committed = STAGES - 1  # before the loop
    iterations = []
    for _ in range(ITERATIONS):
        # wait_group<STAGES - 2>: all but the youngest STAGES - 2 groups are complete.
        complete = committed - (STAGES - 2)
        states = ["complete"] * (complete - 1) + ["waited for"] + ["in flight"] * (STAGES - 2)
        iterations.append(states)
        committed += 1
    return iterations


def draw() -> str:
    roles = {"complete": "wait", "waited for": "thread", "in flight": "engine"}
    bottom = TOP + ITERATIONS * ROW
    canvas = Canvas(
        bottom + 66,
        "Groups of a ring",
        f"{STAGES} stages. Each iteration waits for the oldest group that is not complete, then commits one more. The "
        "group after the last tile is empty.",
    )
    canvas.text(12, 22, f"cp_async_wait_group<{STAGES - 2}>() with {STAGES} stages, {TILES} tiles", size=15, bold=True)
    canvas.text(12, 50, "group", size=12, style="quiet")
    canvas.text(12, 70, "copies tile", size=12, style="quiet")
    for group in range(GROUPS):
        middle = LABEL + (group + 0.5) * COLUMN
        canvas.text(middle, 50, str(group), size=12.5, anchor="middle", style="code")
        tile = str(group) if group < TILES else "none"
        canvas.text(middle, 70, tile, size=12.5, anchor="middle")
    for iteration, states in enumerate(simulate()):
        y = TOP + iteration * ROW
        canvas.text(12, y + BAR / 2, f"iteration {iteration}", size=12.5)
        for group, state in enumerate(states):
            if state:
                canvas.box(LABEL + group * COLUMN + 2, y, COLUMN - 4, BAR, roles[state])
    left = 12.0
    for state, words in (
        ("complete", "complete"),
        ("waited for", "this iteration's tile"),
        ("in flight", "may be in flight"),
    ):
        canvas.box(left, bottom + 8, 20, 16, roles[state])
        canvas.text(left + 26, bottom + 16, words, size=12.5)
        left += 152
    canvas.text(12, bottom + 44, "One group per iteration: the number means the same every time.", size=12.5)
    return canvas.svg()
