#!/usr/bin/env python3
"""Writes the speeds of the ladders to the chapters' tables: `python3 solutions/ladders/speeds.py`.

<lab>.<gpu>.json beside this file says what the rungs of a lab's ladder reached on a GPU; `solutions/bench/run.py
--ladder --write` measures it. In the chapter the last two columns of the table below `<!-- ladder: ... -->` are these
figures, a GPU each, the sentence below `<!-- measured: ... -->` says where and when, and that below `<!-- reaches: rung
-->` what one rung reached. What was not measured is left out.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CHAPTERS = HERE.parents[1] / "handout/labs"
GPUS = ("h100", "h200")
LABS = ("lab12-matmul",)
LIBRARY = "cublasLt's best"  # the row of the best peer
# A rung's row, up to the columns of the GPUs: `name`, or what has no name in the program.
ROW = re.compile(r"^\| (?:`(?P<rung>[a-z-]+)`|(?P<peer>[^|`]+?)) *(?:: [^|]*)?\|")


def measured(lab: str, folder: Path = HERE) -> dict[str, dict[str, Any]]:
    """What was measured of a lab's ladder, by GPU."""
    files = {gpu: folder / f"{lab}.{gpu}.json" for gpu in GPUS}
    return {gpu: json.loads(path.read_text(encoding="utf-8")) for gpu, path in files.items() if path.exists()}


def cell(figures: dict[str, Any] | None, rung: str | None) -> str:
    if figures is None or (rung and rung not in figures["rungs"]):
        return ""
    rate = figures["rungs"][rung] if rung else figures["peer"]
    return f"{rate:.1f}" if rate < 20 else f"{rate:.0f}"


def row_with_speeds(row: str, figures: dict[str, dict[str, Any]]) -> str:
    """A row of the table, whose last columns are the GPUs'."""
    named = ROW.match(row)
    if not named or not (named["rung"] or named["peer"] == LIBRARY):
        return row  # the heading
    cells = row.rstrip("|").split("|")[: -len(GPUS)]
    return "|".join([*cells, *(f" {cell(figures.get(gpu), named['rung'])} " for gpu in GPUS), ""])


def sentence(figures: dict[str, dict[str, Any]]) -> str:
    if not figures:
        return ""
    on = " and ".join(f"an {gpu.upper()} on {of['date']}" for gpu, of in figures.items())
    shape = next(iter(figures.values()))["case"].partition(",")[0]
    return f"TFLOP/s at {shape}, measured by `make bench LABS=lab12` on {on}.\n"


def reaches(figures: dict[str, dict[str, Any]], rung: str) -> str:
    """What a part's rung reached on each GPU, in words."""
    told = [
        f"{of['rungs'][rung]:.0f} TFLOP/s on an {gpu.upper()}, {of['rungs'][rung] / of['peer']:.2f} of cublasLt's best"
        for gpu, of in figures.items()
        if rung in of["rungs"]
    ]
    return f"A good one reaches {'; '.join(told)}.\n" if told else ""


def with_speeds(text: str, lab: str, folder: Path = HERE) -> str:
    """A chapter's text with what was measured in it."""
    figures = measured(lab, folder)
    before, mark, rest = text.partition(f"<!-- ladder: solutions/ladders/{lab}.cu -->\n")
    table, gap, after = rest.partition("\n\n")
    rows = "\n".join(row_with_speeds(row, figures) for row in table.split("\n"))
    text = f"{before}{mark}{rows}{gap}{after}"
    text = _between(text, rf"measured: solutions/ladders/{lab}", "what was measured", lambda _: sentence(figures))
    return _between(text, "reaches: ([a-z-]+)", "what it reaches", lambda mark: reaches(figures, mark[2]))


def _between(text: str, begin: str, end: str, made: Callable[[re.Match[str]], str]) -> str:
    """A text in which `made` stands between each mark of this kind and the mark of its end."""
    marks = re.compile(rf"(<!-- {begin} -->\n)(?:(?!<!--).*\n)*?(<!-- end of {end} -->\n)")
    return marks.sub(lambda mark: f"{mark[1]}{made(mark)}{mark[mark.re.groups]}", text)


def main() -> None:
    for lab in LABS:
        chapter = CHAPTERS / f"{lab}.md"
        text = chapter.read_text(encoding="utf-8")
        if (now := with_speeds(text, lab)) != text:
            chapter.write_text(now, encoding="utf-8")
            print(f"{chapter.name}: speeds written", file=sys.stderr)


if __name__ == "__main__":
    main()
