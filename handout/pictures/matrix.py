"""Lab 12: which chunks of shared memory a matrix descriptor names, and which thread holds which sum of a product.

The places are the emulator's, which a program of a few lines asks; whose sum is whose say the solution's own functions.
"""

import os
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from canvas import Canvas
from solution import ROOT, SOLUTIONS

GRADER = ROOT / "grader"
LAB12 = SOLUTIONS / "lab12-matmul" / "lab12.cu"
ROWS = 16  # two core matrices
CHUNKS = 8  # of 16 bytes, in a line of 128

ASK_PLACES = """
#include <cstdio>
#include <initializer_list>
#include "emulator/tensor/shared_matrix.h"
using namespace tmaemu;
int main() {
  // Leading offset 128 and stride 256 bytes without a swizzle; stride 1024 with that of 128 bytes.
  for (u64 bits : {u64{128 / 16} << 16 | u64{256 / 16} << 32, u64{1024 / 16} << 32 | u64{1} << 62}) {
    const tensor::SharedMatrix matrix(tensor::MatrixDescriptor(bits), false);
    for (u32 row = 0; row < 16; ++row) {
      for (u32 unit = 0; unit < 2; ++unit) std::printf("%u ", matrix.unit(row, unit) / 16);
    }
    std::printf("\\n");
  }
}
"""

ASK_OWNERS = """
#include <cstdio>
struct { unsigned x; } threadIdx;
constexpr int WARP = 32, WARPGROUP = 128;
%s
int main() {
  for (threadIdx.x = 0; threadIdx.x < 32; ++threadIdx.x) {
    for (int i = 0; i < 4; ++i) std::printf("%%d %%d ", row_of(i), column_of(i));
  }
}
"""


def answer_of(program_text: str, *sources: str) -> str:
    """What a C++ program prints."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "ask.cpp"), Path(folder, "ask")
        source.write_text(program_text, encoding="utf-8")
        files = [str(source), *(str(GRADER / name) for name in sources)]
        subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", f"-I{GRADER}", *files, "-o", program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout


@cache
def places() -> list[dict[int, tuple[int, int]]]:
    """Without a swizzle and with that of 128 bytes: the row and the unit that lie at a place, counted in chunks."""
    found = []
    for line in answer_of(ASK_PLACES, "emulator/tensor/shared_matrix.cpp").splitlines():
        found.append({int(place): divmod(number, 2) for number, place in enumerate(line.split())})
    return found


def draw_descriptors() -> str:
    cell, left, gap, top = 25.0, 40.0, 28.0, 80.0
    lines = max(place for each in places() for place in each) // CHUNKS + 1
    bottom = top + lines * cell
    canvas = Canvas(
        bottom + 66,
        "What a descriptor names",
        "The 32 bytes of each of 16 rows that one wgmma reads. Without a swizzle they are four core matrices, each a "
        "line of 128 bytes with one chunk of eight rows. With the 128-byte swizzle each row has a line of its own, and "
        "its two chunks lie in other places from row to row.",
    )
    canvas.text(12, 22, "The chunks of rows 0 to 15 that one wgmma reads", size=15, bold=True)
    names = ("no swizzle: 128, 256", "128 bytes: stride 1024")
    for number, (name, found) in enumerate(zip(names, places(), strict=True)):
        x = left + number * (CHUNKS * cell + gap)
        canvas.text(x, 48, name, size=13, bold=True)
        for place in range(lines * CHUNKS):
            line, position = divmod(place, CHUNKS)
            row, unit = found.get(place, (-1, 0))
            role = "plain" if row < 0 else ("thread", "store")[unit]
            label = "" if row < 0 else str(row)
            canvas.label(x + position * cell, top + line * cell, cell - 1, cell - 1, role, label, size=12, style="code")
    for line in range(lines):
        canvas.text(left - 8, top + (line + 0.5) * cell, str(line), size=12, anchor="end", style="code quiet")
    canvas.text(12, top - 12, "line of 128 bytes", size=12, style="quiet")
    canvas.box(12, bottom + 14, 16, 16, "thread")
    canvas.text(36, bottom + 22, "bytes 0 to 15 of the row with this number", size=12.5)
    canvas.box(12, bottom + 38, 16, 16, "store")
    canvas.text(36, bottom + 46, "bytes 16 to 31", size=12.5)
    return canvas.svg()


@cache
def owners() -> dict[tuple[int, int], tuple[int, int]]:
    """For each row and column that warp 0 has of the first eight: the lane, and the number of its sum."""
    text = LAB12.read_text(encoding="utf-8")
    functions = re.findall(r"^__device__ (int (?:row_of|column_of)\(int i\) \{.*?^\})", text, re.MULTILINE | re.DOTALL)
    if len(functions) != 2:
        raise SystemExit(f"{LAB12.name}: row_of and column_of are not to be found; draw.py must follow")
    numbers = [int(number) for number in answer_of(ASK_OWNERS % "\n".join(functions)).split()]
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    return {pair: divmod(number, 4) for number, pair in enumerate(pairs)}


def draw_fragments() -> str:
    cell, height, left, top = 50.0, 20.0, 56.0, 74.0
    bottom = top + ROWS * height
    canvas = Canvas(
        bottom + 62,
        "Which lane holds which sum",
        "The first eight columns of the 16 rows of warp 0. Lane 0 holds two neighbors in row 0 and the two below them "
        "in row 8; lane 1 the next two; lane 4 begins row 1.",
    )
    canvas.text(12, 22, "Sums of warp 0: its 16 rows, the first 8 columns", size=15, bold=True)
    for column in range(8):
        x = left + (column + 0.5) * cell
        canvas.text(x, top - 14, str(column), size=12, anchor="middle", style="code quiet")
    canvas.text(12, top - 14, "row", size=12, style="quiet")
    for row in range(ROWS):
        canvas.text(left - 10, top + (row + 0.5) * height, str(row), size=12, anchor="end", style="code quiet")
        for column in range(8):
            lane, number = owners()[row, column]
            role = "mark" if lane == 0 else ("plain", "thread")[row // 8]
            x, y = left + column * cell, top + row * height
            canvas.label(x, y, cell - 1, height - 1, role, f"{lane}: {number}", size=12, style="code")
    canvas.text(12, bottom + 22, "The lane, and the number of its accumulator; lane 0 is marked.", size=12.5)
    canvas.text(12, bottom + 42, "Accumulators 4 to 7 are the same for columns 8 to 15, and so on.", size=12.5)
    return canvas.svg()
