"""Lab 0: the bandwidth that a number of bytes in flight allows, by Little's law."""

from canvas import WIDTH, Canvas
from solution import LAB0, LAB0_README, constant, number

LATENCY_NS = constant(LAB0, "LATENCY_NS")
PEAK = number(LAB0_README, r"memory's peak +(\d+) GB/s")
SMS = number(LAB0_README, r"SMs +(\d+)")
THREADS = number(LAB0_README, r"threads per SM +(\d+)")
NEEDED = number(LAB0_README, r"must be in flight per SM (\d+) bytes")

LEFT, RIGHT, TOP, BOTTOM = 62, WIDTH - 24, 62, 262
MOST_BYTES, MOST_GB_PER_S = 40_000, 5500
# What an SM full of threads has in flight, by the bytes that each thread asks for.
THREAD_BYTES = (4, 8, 16)


def x_of(in_flight: float) -> float:
    return LEFT + (RIGHT - LEFT) * in_flight / MOST_BYTES


def y_of(gb_per_s: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * gb_per_s / MOST_GB_PER_S


def gb_per_s(in_flight: float) -> float:
    """Little's law: a byte per nanosecond is a GB/s."""
    return min(float(PEAK), in_flight * SMS / LATENCY_NS)


def draw() -> str:
    canvas = Canvas(
        BOTTOM + 62,
        "Bandwidth and bytes in flight",
        f"With a latency of {LATENCY_NS} ns, bandwidth grows in proportion to the bytes in flight per SM, up to "
        f"the peak of {PEAK} GB/s at {NEEDED} bytes.",
    )
    canvas.text(14, 22, f"What {SMS} SMs can get at {LATENCY_NS} ns of latency", size=15, bold=True)
    canvas.text(14, 44, "GB/s", style="quiet")
    canvas.line([(LEFT, TOP), (LEFT, BOTTOM), (RIGHT, BOTTOM)])
    for value in range(0, MOST_GB_PER_S, 1000):
        canvas.text(LEFT - 8, y_of(value), str(value), size=12, anchor="end", style="quiet")
    for kilobytes in range(0, MOST_BYTES // 1000 + 1, 10):
        canvas.text(x_of(1000 * kilobytes), BOTTOM + 16, str(kilobytes), size=12, anchor="middle", style="quiet")
    canvas.text(RIGHT, BOTTOM + 36, "KB in flight per SM", size=12, anchor="end", style="quiet")

    canvas.line([(x_of(0), y_of(0)), (x_of(NEEDED), y_of(PEAK)), (RIGHT, y_of(PEAK))], role="engine", width=3)
    canvas.text(RIGHT, y_of(PEAK) - 14, f"the memory's peak: {PEAK} GB/s", size=12.5, anchor="end", style="as-engine")
    canvas.line([(x_of(NEEDED), y_of(PEAK)), (x_of(NEEDED), y_of(1300))], role="wait", dashed=True)
    canvas.text(x_of(NEEDED) + 8, y_of(2500), f"{NEEDED} bytes", size=12.5)
    for size in THREAD_BYTES:
        in_flight = THREADS * size
        x, y = x_of(in_flight), y_of(gb_per_s(in_flight))
        canvas.box(x - 4, y - 4, 8, 8, "thread")
        canvas.text(x + 2, y + 18, str(size), size=12.5, style="as-thread")
    canvas.box(x_of(17_000), y_of(900) - 4, 8, 8, "thread")
    canvas.text(x_of(17_000) + 14, y_of(900), f"{THREADS} threads, this many bytes each", size=12, style="as-thread")
    return canvas.svg()
