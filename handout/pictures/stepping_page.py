"""The index: what a stepping page shows, from what record.py has recorded of the kernel of one page."""

import json
from pathlib import Path
from typing import Any

from canvas import WIDTH, Canvas

RECORDED = Path(__file__).resolve().parent / "recorded" / "stepping-ring.json"
LINE, CELL = 17.0, 26.0
WORDS_A_ROW = 16


def draw() -> str:
    step: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    lines, mbarriers, tiles = step["lines"], step["mbarriers"], step["tiles"]
    top = 62.0
    canvas = Canvas(
        top + len(lines) * LINE + 30 * len(mbarriers) + 72 * len(tiles) + 44,
        "A step of a kernel",
        "The lines of a kernel with the warps that stand at them; below them two mbarriers with their parity, arrivals "
        "and tx-count, and two tiles, of which the first has just landed.",
    )
    canvas.text(12, 22, "A kernel, step by step", size=15, bold=True)
    canvas.text(12, 44, step["words"], size=12, style="as-engine")
    y = top
    for number, text, warps in lines:
        if number == step["line"]:
            canvas.box(6, y - 1, WIDTH - 12, LINE, "engine")
        canvas.text(34, y + LINE / 2, str(number), size=12, anchor="end", style="code quiet")
        # Spaces at the beginning of a text are not drawn.
        indent = len(text) - len(text.lstrip())
        canvas.text(42 + indent * 7, y + LINE / 2, text.strip(), size=12, style="code")
        for place, warp in enumerate(warps):
            canvas.label(WIDTH - 14 - 30 * (place + 1), y + 1, 26, LINE - 3, "thread", warp, size=12)
        y += LINE
    y += 18
    for name, parity, pending, expected, tx_count in mbarriers:
        canvas.label(12, y, 66, 22, "sync", name, size=12, style="code")
        words = f"parity {parity}, {pending} of {expected} arrivals pending, tx-count {tx_count}"
        canvas.text(90, y + 11, words, size=12.5)
        y += 30
    for name, words in tiles:
        canvas.text(12, y + 10, name, size=12, style="code")
        for index, word in enumerate(words):
            row, column = divmod(index, WORDS_A_ROW)
            role = "plain" if word is None else "engine"
            x = 12 + column * (CELL + 2)
            canvas.label(x, y + 20 + row * 22, CELL, 20, role, "·" if word is None else str(word), size=12)
        y += 72
    return canvas.svg()
