"""Lab 8: where a swizzle puts the 16-byte chunks of shared memory, and what that does for the banks.

The places are the emulator's: a program of a few lines asks its function swizzle_address.
"""

import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from canvas import Canvas

GRADER = Path(__file__).resolve().parents[2] / "grader"
CHUNK = 16
CHUNKS = 8  # in a line of 128 bytes
LINES = 8  # the longest pattern repeats after so many
MODES = {"none": 0, "bytes32": 32, "bytes64": 64, "bytes128": 128}

ASK = """
#include <cstdio>
#include <initializer_list>
#include "emulator/memory/swizzle.h"
int main() {
  using tmaemu::Swizzle;
  for (Swizzle mode : {Swizzle::none, Swizzle::bytes32, Swizzle::bytes64, Swizzle::bytes128}) {
    for (unsigned chunk = 0; chunk < 64; ++chunk) {
      std::printf("%u ", tmaemu::swizzle_address(mode, chunk * 16) / 16);
    }
    std::printf("\\n");
  }
}
"""


@cache
def places() -> dict[int, list[int]]:
    """For each swizzle, by its bytes: the place of every chunk, both counted in chunks from a multiple of 1024."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "ask.cpp"), Path(folder, "ask")
        source.write_text(ASK, encoding="utf-8")
        compiler = os.environ.get("CXX", "g++")
        subprocess.run([compiler, "-std=c++20", f"-I{GRADER}", source, "-o", program], check=True)
        answer = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return dict(zip(MODES.values(), ([int(place) for place in line.split()] for line in answer.splitlines())))


def chunk_in(mode: int, line: int, position: int) -> int:
    """The chunk, counted within its line, that lies at this position."""
    return places()[mode].index(line * CHUNKS + position) % CHUNKS


def draw_patterns() -> str:
    cell, left, gap, top = 17.0, 40.0, 14.0, 78.0
    bottom = top + LINES * cell
    canvas = Canvas(
        bottom + 66,
        "Where the chunks lie",
        "Eight lines of shared memory for the 32, 64 and 128-byte swizzles. Chunk 0 of each line is marked: with 32 "
        "bytes it takes two places, with 64 bytes four, with 128 bytes all eight.",
    )
    canvas.text(12, 22, "Which chunk lies where: 8 lines of 128 bytes", size=15, bold=True)
    for line in range(LINES):
        canvas.text(left - 8, top + (line + 0.5) * cell, str(line), size=12, anchor="end", style="code quiet")
    canvas.text(12, top - 14, "line", size=12, style="quiet")
    for column, mode in enumerate((32, 64, 128)):
        x = left + column * (CHUNKS * cell + gap)
        canvas.text(x, 50, f"{mode} bytes", size=13, bold=True)
        for line in range(LINES):
            for position in range(CHUNKS):
                chunk = chunk_in(mode, line, position)
                role = "mark" if chunk == 0 else "plain"
                canvas.label(
                    x + position * cell, top + line * cell, cell - 1, cell - 1, role, str(chunk), size=12, style="code"
                )
        for bank in (0, CHUNKS // 2):
            canvas.text(x + bank * cell, top - 14, f"bank {bank * 4}", size=12, style="quiet")
    canvas.text(12, bottom + 22, "A line spans all 32 banks, a chunk four of them. Chunk 0 is marked:", size=12.5)
    canvas.text(12, bottom + 42, "it is the first in every line without a swizzle.", size=12.5)
    return canvas.svg()


def wavefronts(mode: int, column: int) -> int:
    """How often the busiest bank is accessed when eight threads read one column of chunks."""
    positions = [places()[mode][line * CHUNKS + column] % CHUNKS for line in range(LINES)]
    return max(positions.count(position) for position in positions)


def draw_banks() -> str:
    column = 2
    cell, left, gap, top = 25.0, 40.0, 28.0, 80.0
    bottom = top + LINES * cell
    canvas = Canvas(
        bottom + 48,
        "Eight threads read a column",
        f"Threads 0 to 7 each read chunk {column} of one row. Without a swizzle all eight chunks are in the same four "
        "banks; with the 128-byte swizzle no two share a bank.",
    )
    canvas.text(12, 22, f"Threads 0 to 7 read chunk {column} of rows 0 to 7", size=15, bold=True)
    for line in range(LINES):
        canvas.text(left - 8, top + (line + 0.5) * cell, str(line), size=12, anchor="end", style="code quiet")
    for number, (mode, name) in enumerate(((0, "no swizzle"), (128, "128 bytes"))):
        x = left + number * (CHUNKS * cell + gap)
        canvas.text(x, 48, name, size=13, bold=True)
        for position in range(CHUNKS):
            canvas.text(
                x + (position + 0.5) * cell, top - 12, str(position * 4), size=12, anchor="middle", style="quiet"
            )
        for line in range(LINES):
            for position in range(CHUNKS):
                here = chunk_in(mode, line, position) == column
                role = ("wrong" if mode == 0 else "thread") if here else "plain"
                label = f"t{line}" if here else ""
                canvas.label(x + position * cell, top + line * cell, cell - 1, cell - 1, role, label, size=12)
        times = wavefronts(mode, column)
        canvas.text(
            x,
            bottom + 20,
            f"the same four banks, {times} times" if times > 1 else "every bank once",
            size=12.5,
            style="as-wrong" if times > 1 else "as-thread",
            bold=True,
        )
    canvas.text(12, top - 12, "bank", size=12, style="quiet")
    return canvas.svg()
