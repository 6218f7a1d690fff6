"""Guide: what threads and engine see of the same word of shared memory, line by line of lab 3."""

from canvas import WIDTH, Canvas

CODE = 12
GENERIC, ASYNC, VIEW = 250, 368, 100
TOP, PITCH, BOX = 92, 44, 30

LOADED = "a load lands; wait() returns"
STORED = "the engine stores the tile"
EVENTS = (LOADED, STORED)  # the other lines are code

# What happens, and what tile[0] then is: for the threads, for the engine.
LINES = [
    (LOADED, "0", "0"),
    ("tile[0] += 1", "1", "0"),
    ("async_proxy_fence()", "1", "1"),
    ("__syncthreads()", "1", "1"),
    (STORED, "1", "1"),
]


def draw() -> str:
    bottom = TOP + len(LINES) * PITCH
    canvas = Canvas(
        bottom + 54,
        "Two proxies, two views of one word",
        "A completed load is seen by threads and engine alike. A thread's addition is seen by threads only, until "
        "its proxy fence makes it visible to the engine; then __syncthreads() tells thread 0 that all have fenced.",
    )
    canvas.text(CODE, 22, "tile[0], as the threads and as the engine see it", size=15, bold=True)
    canvas.text(GENERIC + VIEW / 2, 52, "generic proxy", anchor="middle", style="as-thread", bold=True)
    canvas.text(GENERIC + VIEW / 2, 70, "threads", size=12, anchor="middle", style="quiet")
    canvas.text(ASYNC + VIEW / 2, 52, "async proxy", anchor="middle", style="as-engine", bold=True)
    canvas.text(ASYNC + VIEW / 2, 70, "TMA engine", size=12, anchor="middle", style="quiet")
    for i, (code, generic, asynchronous) in enumerate(LINES):
        y = TOP + i * PITCH
        middle = y + BOX / 2
        canvas.text(CODE, middle, code, size=12.5, style="" if code in EVENTS else "code")
        stale = generic != asynchronous
        canvas.label(GENERIC, y, VIEW, BOX, "thread", generic, style="code", size=14)
        canvas.label(ASYNC, y, VIEW, BOX, "wrong" if stale else "engine", asynchronous, style="code", size=14)
        if code.startswith("async_proxy_fence"):
            canvas.arrow((GENERIC + VIEW, middle), (ASYNC, middle), "sync")
        if code == LOADED:
            canvas.arrow((ASYNC, middle), (GENERIC + VIEW, middle), "engine")
    canvas.line([(CODE, bottom - 2), (WIDTH - 12, bottom - 2)], width=0.75)
    canvas.text(CODE, bottom + 16, "Red: stale. A store that reads the tile now would write 0. Without", size=12.5)
    canvas.text(CODE, bottom + 34, "a fence it stays red: __syncthreads() does not cross proxies.", size=12.5)
    return canvas.svg()
