"""Lab 5, part stencil: where the planes are in each iteration of the loop.

The cells are not drawn by hand: `simulate` walks through the loop of the kernel `stencil`.
"""

from canvas import WIDTH, Canvas
from solution import LAB5, constant

RING = constant(LAB5, "PLANES")
ITERATIONS = 5
PLANES = RING + ITERATIONS

LABEL, TOP, ROW, BAR = 82, 74, 34, 24
COLUMN = (WIDTH - LABEL - 12) / PLANES


def simulate() -> list[list[str]]:
    """For each iteration, where every plane is when the thread computes; "" where it is neither loaded nor needed."""
    loaded = RING  # before the loop: the planes with a lower number are loaded, or in flight
    iterations = []
    for number in range(1, ITERATIONS + 1):
        loaded = number - 1 + RING + 1  # the next one, in the place of the plane below
        states = [""] * (number - 1) + ["below", "here", "above"]
        iterations.append(states + ["in flight"] * (loaded - len(states)) + [""] * (PLANES - loaded))
    return iterations


def draw() -> str:
    roles = {"below": "wait", "here": "thread", "above": "thread", "in flight": "engine"}
    bottom = TOP + ITERATIONS * ROW
    canvas = Canvas(
        bottom + 88,
        "The planes of the stencil",
        f"A ring of {RING} planes. In each iteration the plane below is only in registers, two are read from shared "
        "memory, and the others are loaded, the last into the place of the plane below.",
    )
    canvas.text(12, 22, f"A ring of {RING} planes", size=15, bold=True)
    canvas.text(12, 52, "plane", size=12, style="quiet")
    for plane in range(PLANES):
        canvas.text(LABEL + (plane + 0.5) * COLUMN, 52, str(plane), size=12.5, anchor="middle", style="code")
    for iteration, states in enumerate(simulate(), start=1):
        y = TOP + (iteration - 1) * ROW
        canvas.text(12, y + BAR / 2, f"iteration {iteration}", size=12.5)
        for plane, state in enumerate(states):
            if state:
                canvas.box(LABEL + plane * COLUMN + 2, y, COLUMN - 4, BAR, roles[state])
    left = 12.0
    for role, words in (("wait", "only in registers"), ("thread", "read by threads"), ("engine", "may be in flight")):
        canvas.box(left, bottom + 8, 20, 16, role)
        canvas.text(left + 26, bottom + 16, words, size=12.5)
        left += 156
    canvas.text(12, bottom + 44, "The first blue plane is computed, from itself and both neighbors.", size=12.5)
    canvas.text(12, bottom + 62, "No thread reads the gray one in shared memory anymore.", size=12.5)
    return canvas.svg()
