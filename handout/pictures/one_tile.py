"""Lab 3, part one-tile: who does what, from top to bottom, for the tile of the self-test."""

from canvas import WIDTH, Canvas
from solution import INT_BYTES, LAB3, constant, number

THREADS = number(LAB3, r"add_one_tile<<<1, (\d+)>>>")
INTS = number(LAB3, r'adds_one\("one-tile", (\d+),')
BYTES = INTS * INT_BYTES
VECTORS = INTS // constant(LAB3, "INTS_PER_VECTOR")

LEFT, STEP_WIDTH = 12, 302
ENGINE = 362
ENGINE_WIDTH = WIDTH - ENGINE - 12
TOP, PITCH, STEP = 62, 33, 26
ONE, ALL = "thread 0", f"all {THREADS}"

# Who, what the code says, and what it stands for.
STEPS = [
    (ONE, "init_barrier(&loaded, 1)", "thread"),
    (ONE, "async_proxy_fence()", "sync"),
    (ONE, f"expect_bytes_and_arrive({BYTES})", "thread"),
    (ONE, "cp_async_bulk_global_to_shared", "engine"),
    (ALL, "__syncthreads()", "sync"),
    (ALL, "wait(&loaded, 0)", "wait"),
    (ALL, "add_one_to_tile(...)", "thread"),
    (ALL, "async_proxy_fence()", "sync"),
    (ALL, "__syncthreads()", "sync"),
    (ONE, "cp_async_bulk_shared_to_global", "engine"),
    (ONE, "tma_store_commit_group()", "thread"),
    (ONE, "...wait_until_pending_read<0>()", "wait"),
]


def top_of(step: int) -> float:
    return TOP + step * PITCH


def middle_of(step: int) -> float:
    return top_of(step) + STEP / 2


def step_of(code: str, first: int = 0) -> int:
    return next(i for i, step in enumerate(STEPS) if i >= first and step[1].startswith(code))


def engine_box(canvas: Canvas, top: float, bottom: float, lines: list[str], *, dashed: bool = False) -> None:
    canvas.box(ENGINE, top, ENGINE_WIDTH, bottom - top, "engine", dashed=dashed)
    middle = (top + bottom) / 2 - (len(lines) - 1) * 8
    for i, line in enumerate(lines):
        canvas.text(ENGINE + ENGINE_WIDTH / 2, middle + 16 * i, line, size=12.5, anchor="middle")


def draw() -> str:
    load, wait = step_of("cp_async_bulk_global_to_shared"), step_of("wait(")
    store, wait_read = step_of("cp_async_bulk_shared_to_global"), step_of("...wait_until")
    ends = top_of(len(STEPS)) + 4
    canvas = Canvas(
        ends + 44,
        "One tile, from top to bottom",
        f"Thread 0 starts a bulk load of {BYTES} bytes; all {THREADS} threads wait for it, add, fence and synchronize; "
        "thread 0 starts the bulk store and waits until the engine has read the tile.",
    )
    edge = LEFT + STEP_WIDTH
    canvas.text(LEFT, 22, f"One tile: {INTS} ints, {BYTES} bytes", size=15, bold=True)
    canvas.text(LEFT, 44, f"the CTA, {THREADS} threads", style="quiet")
    canvas.text(ENGINE + ENGINE_WIDTH / 2, 44, "the TMA engine", anchor="middle", style="quiet")

    for i, (who, code, role) in enumerate(STEPS):
        canvas.box(LEFT, top_of(i), STEP_WIDTH, STEP, role, dashed=role == "wait")
        canvas.text(LEFT + 7, middle_of(i), who, size=12, style="quiet")
        canvas.text(LEFT + 64, middle_of(i), code, size=12, style="code")

    canvas.arrow((edge, middle_of(load)), (ENGINE, middle_of(load)), "engine")
    engine_box(canvas, top_of(load), top_of(wait) + STEP, ["loads the tile,", f"counts {BYTES}", "bytes down"])
    canvas.arrow((ENGINE, middle_of(wait)), (edge, middle_of(wait)), "engine")

    canvas.arrow((edge, middle_of(store)), (ENGINE, middle_of(store)), "engine")
    engine_box(canvas, top_of(store), top_of(wait_read) + STEP, ["reads the tile"])
    canvas.arrow((ENGINE, middle_of(wait_read)), (edge, middle_of(wait_read)), "engine")
    engine_box(canvas, top_of(wait_read) + STEP + 4, ends + 32, ["writes global"], dashed=True)

    canvas.text(LEFT, ends + 10, "The CTA may end: its tile has been read.", size=12.5)
    canvas.text(LEFT, ends + 28, "The engine finishes the writes on its own.", size=12.5, style="quiet")
    return canvas.svg()
