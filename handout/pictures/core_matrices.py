"""Lab 12: core matrices, and what the leading and the stride byte offset of a descriptor count.

Where a core matrix lies is the emulator's answer, as in the other pictures of descriptors.
"""

from functools import cache

from canvas import Canvas
from matrix import answer_of

ROWS = 32
EIGHTS = ROWS // 8  # core matrices below each other
UNITS = 2  # and side by side: 16 elements of k
CORE_BYTES = 128
LAYOUTS = (
    ("k first: the two of 8 rows follow each other", 128, 256),
    ("rows first: all of k 0 to 7, then the rest", 512, 128),
)
MARKED = (17, 10)  # row and k of an element

ASK = """
#include <cstdio>
#include <initializer_list>
#include "emulator/tensor/shared_matrix.h"
using namespace tmaemu;
int main() {
  for (u64 bits : {%s}) {
    const tensor::SharedMatrix matrix(tensor::MatrixDescriptor(bits), false);
    for (u32 row = 0; row < %d; ++row) {
      for (u32 unit = 0; unit < 2; ++unit) std::printf("%%u ", matrix.unit(row, unit));
    }
    std::printf("\\n");
  }
}
"""


@cache
def places() -> list[dict[tuple[int, int], int]]:
    """Of each layout: the byte at which the 16 bytes of a row lie that are the first or second of its 16 elements."""
    bits = ", ".join(f"u64{{{leading // 16}}} << 16 | u64{{{stride // 16}}} << 32" for _, leading, stride in LAYOUTS)
    answer = answer_of(ASK % (bits, ROWS), "emulator/tensor/shared_matrix.cpp")
    lines = ([int(number) for number in line.split()] for line in answer.splitlines())
    return [{divmod(at, UNITS): place for at, place in enumerate(line)} for line in lines]


def role_of(unit: int) -> str:
    return ("thread", "store")[unit]


def name_of(eight: int, unit: int) -> str:
    """What the formula divides: r / 8 and b / 16."""
    return f"{eight}, {unit}"


def draw_matrix(canvas: Canvas, left: float, top: float, width: float, height: float) -> None:
    """The matrix: core matrices of 8 rows of 16 bytes."""
    for unit in range(UNITS):
        x = left + unit * width
        canvas.text(x + width / 2, top - 12, f"k {8 * unit} to {8 * unit + 7}", size=12, anchor="middle", style="quiet")
        for eight in range(EIGHTS):
            canvas.label(x, top + eight * height, width - 3, height - 3, role_of(unit), name_of(eight, unit), size=14)
    for eight in range(EIGHTS):
        y = top + (eight + 0.5) * height - 1.5
        canvas.text(left - 8, y, f"rows {8 * eight} to {8 * eight + 7}", size=12, anchor="end", style="quiet")


def draw_core(canvas: Canvas, left: float, top: float, line: float) -> None:
    """The core matrix of the marked element, row by row."""
    row, k = MARKED
    eight, unit = row // 8, k // 8
    canvas.text(left, top - 12, f"{name_of(eight, unit)}: 128 contiguous bytes", size=12, style="quiet")
    for number in range(8 * eight, 8 * eight + 8):
        role = "mark" if number == row else role_of(unit)
        y = top + number % 8 * line
        canvas.label(left, y, 150, line - 2, role, f"row {number}: 16 bytes", size=12)


def draw_layout(canvas: Canvas, top: float, number: int) -> None:
    """A row of memory with the core matrices of a layout in it, and its two offsets."""
    name, leading, stride = LAYOUTS[number]
    left, cell, height = 14.0, 56.5, 30.0
    canvas.text(12, top, name, size=13, bold=True)
    y = top + 60
    at = {}
    for eight in range(EIGHTS):
        for unit in range(UNITS):
            at[eight, unit] = x = left + places()[number][8 * eight, unit] / CORE_BYTES * cell
            canvas.label(x, y, cell - 2, height, role_of(unit), name_of(eight, unit), size=13)
    for index in range(EIGHTS * UNITS):
        canvas.text(left + index * cell, y + height + 12, str(index * CORE_BYTES), size=12, style="code quiet")
    for what, offset, there, role in (("LBO", leading, at[0, 1], "store"), ("SBO", stride, at[1, 0], "thread")):
        is_longer = offset == max(leading, stride)
        start = at[0, 0] + (6 if is_longer else 12)
        end = start + there - at[0, 0]
        level = y - (34 if is_longer else 10)
        canvas.line([(start, y - 2), (start, level), (end, level)], role=role)
        canvas.arrow((end, level), (end, y - 1), role)
        canvas.text(start + 3, level - 9, f"{what} {offset}", size=12, style=f"as-{role}", bold=True)
    row, k = MARKED
    place = places()[number][row, k // 8] + k % 8 * 2
    sum_of_parts = f"{row // 8} * {stride} + {k // 8} * {leading} + {row % 8} * 16 + {k % 8 * 2}"
    canvas.text(12, y + height + 34, f"row {row}, k {k}: {sum_of_parts} = byte {place}", size=12, style="code as-mark")


def draw() -> str:
    height = 40.0
    top = 68.0
    first = top + EIGHTS * height + 26
    second = first + 160
    canvas = Canvas(
        second + 146,
        "Core matrices, and the two offsets",
        "A matrix of 32 rows of 16 elements is four core matrices of 8 rows below each other, and two side by side. In "
        "memory each is 128 bytes. If the two of 8 rows follow each other, LBO is 128 and SBO 256; if all of the first "
        "eight elements of k come first, LBO is 512 and SBO 128.",
    )
    canvas.text(12, 22, "32 rows of 16 elements of k, as core matrices", size=15, bold=True)
    draw_matrix(canvas, 106, top, 62, height)
    draw_core(canvas, 290, top, 20)
    draw_layout(canvas, first, 0)
    draw_layout(canvas, second, 1)
    return canvas.svg()
