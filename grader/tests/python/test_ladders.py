"""The ladders of the chapters: every version is right, and does what the chapter's table says."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

TMAEMU = HERE.build / "bin/tmaemu"
SMS = 132
LADDERS = ["lab3-bulk-copy", "lab8-swizzle"]
ROW = re.compile(r"^\| `([a-z-]+)`[^|]* \| (.+) \|$", re.MULTILINE)


def in_lab3(launch: dict[str, Any], threads_on_an_sm: int = 2048) -> list[str]:
    """CTAs on an SM, most bytes in flight to a CTA and out of it, atomics."""
    tma = launch["tma"]
    is_persistent = tma["load"]["operations"] > 0
    ctas = launch["grid"][0] // SMS if is_persistent else threads_on_an_sm // launch["block"][0]
    counts = [tma["most_load_bytes_in_flight"], tma["most_store_bytes_in_flight"]]
    counts.append(launch["global"]["atomic"]["accesses"])
    return [str(ctas), *(f"{count:,}" for count in counts)]


def in_lab8(launch: dict[str, Any]) -> list[str]:
    """Sectors stored by what was asked for, wavefronts and conflicts of shared loads."""
    by_threads, by_tma = launch["global"]["store"], launch["tma"]["store"]
    sectors = by_threads["sectors"] + by_tma["global_sectors"]
    asked_for = by_threads["bytes"] + by_tma["global_bytes"]
    loads = launch["shared"]["load"]
    return [f"{32 * sectors / asked_for:.2f}x", f"{loads['wavefronts']:,}", f"{loads['conflicts']:,}"]


def table(lab: str) -> dict[str, list[str]]:
    chapter = (HERE.root / "handout/labs" / f"{lab}.md").read_text(encoding="utf-8")
    text = chapter.partition(f"<!-- ladder: solutions/ladders/{lab}.cu -->\n")[2].partition("\n\n")[0]
    return {name: cells.split(" | ") for name, cells in ROW.findall(text)}


@pytest.mark.parametrize("lab", LADDERS)
def test_a_ladder_is_right_and_does_what_its_chapter_says(tmp_path: Path, lab: str) -> None:
    program, stats = tmp_path / "ladder", tmp_path / "stats.json"
    command: list[str | Path] = [find_toolkit(HERE).nvcc, "-cudart", "shared", "-lineinfo", "-std=c++20"]
    command += ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", f"-I{HERE.root / 'labs/common'}"]
    subprocess.run([*command, "-o", program, HERE.solutions / "ladders" / f"{lab}.cu"], check=True)
    run = subprocess.run(
        [TMAEMU, "--stats=json", f"--stats-file={stats}", program], capture_output=True, text=True, timeout=120
    )
    steps = [line.split() for line in run.stdout.splitlines()]
    assert (run.stderr, {words[1] for words in steps}) == ("", {"right"})
    counted = {"lab3-bulk-copy": in_lab3, "lab8-swizzle": in_lab8}[lab]
    launches = json.loads(stats.read_text())["launches"]
    assert {words[0]: counted(launch) for words, launch in zip(steps, launches, strict=True)} == table(lab)
