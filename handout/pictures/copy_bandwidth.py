"""Lab 6: what was measured on an H200 with varying bytes in flight per SM.

The data is lab6-copy-bandwidth.csv: copies of 512 MiB by CTAs of one thread that works, each with one tile, where
unused shared memory limits the CTAs that an SM holds; the fraction of the copy roofline (4233 GB/s) in the same
run, 2026-11-21.
"""

import csv
import math
from pathlib import Path

from canvas import WIDTH, Canvas

DATA = Path(__file__).resolve().parent / "lab6-copy-bandwidth.csv"

LEFT, RIGHT, TOP, BOTTOM = 52.0, 130.0, 66.0, 308.0
LEAST, MOST = 10, 18  # of the logarithm of the bytes in flight
HIGHEST = 1.05
SERIES = [  # tile bytes, policies, role, label
    (1024, "no", "line1", "1 KiB tiles"),
    (2048, "no", "store", "2 KiB tiles"),  # no fifth color of lines: this one has no other meaning in a chart
    (4096, "no", "line2", "4 KiB tiles"),
    (16384, "no", "line3", "16 KiB tiles"),
    (4096, "yes", "line4", "4 KiB, policies"),
]


def x_of(in_flight: float) -> float:
    return LEFT + (math.log2(in_flight) - LEAST) / (MOST - LEAST) * (WIDTH - LEFT - RIGHT)


def y_of(fraction: float) -> float:
    return BOTTOM - fraction / HIGHEST * (BOTTOM - TOP)


def measured(tile_bytes: int, policies: str) -> list[tuple[int, float]]:
    """Bytes in flight and the fraction of the roofline."""
    with DATA.open(encoding="utf-8") as file:
        return sorted(
            (tile_bytes * int(row["ctas_per_sm"]), float(row["fraction_of_roofline"]))
            for row in csv.DictReader(file)
            if (int(row["tile_bytes"]), row["policies"]) == (tile_bytes, policies)
        )


def draw() -> str:
    canvas = Canvas(
        BOTTOM + 62,
        "Bandwidth over bytes in flight",
        "The bandwidth of a copy rises with the bytes in flight per SM and is best at 64 to 96 KiB; 1 KiB tiles stop "
        "at 0.79.",
    )
    canvas.text(12, 22, "Bandwidth of a copy (H200)", size=15, bold=True)
    canvas.text(12, 44, "fraction of the copy roofline", size=12.5, style="quiet")
    for tenths in (2, 4, 6, 8, 10):
        y = y_of(tenths / 10)
        canvas.line([(LEFT, y), (WIDTH - RIGHT, y)], width=0.75, dashed=tenths == 10)
        canvas.text(LEFT - 8, y, f"{tenths / 10:.1f}", size=12, anchor="end", style="quiet")
    for power in range(LEAST, MOST + 1):
        x = x_of(2**power)
        canvas.line([(x, BOTTOM), (x, BOTTOM + 5)], width=0.75)
        canvas.text(x, BOTTOM + 16, str(2 ** (power - 10)), size=12, anchor="middle", style="quiet")
    canvas.text(
        (LEFT + WIDTH - RIGHT) / 2,
        BOTTOM + 40,
        "KiB in flight on each SM: CTAs it holds × bytes of a tile",
        size=12.5,
        anchor="middle",
    )
    for tile_bytes, policies, role, _ in SERIES:
        points = [(x_of(in_flight), y_of(fraction)) for in_flight, fraction in measured(tile_bytes, policies)]
        canvas.line(points, role=role, width=2)
        for x, y in points:
            canvas.box(x - 2.5, y - 2.5, 5, 5, role)
    for row, (_, _, role, label) in enumerate(reversed(SERIES)):
        y = y_of(0.5) + row * 20
        canvas.line([(WIDTH - RIGHT + 10, y), (WIDTH - RIGHT + 28, y)], role=role, width=2)
        canvas.text(WIDTH - RIGHT + 34, y, label, size=12)
    return canvas.svg()
