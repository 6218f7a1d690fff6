"""`make bench-judge`: how far the judge's figure of a bandwidth can be relied on, on this machine's sm_90 GPU.

Grades each lab's solution ten times and prints what an empty call costs as a part of a timed request (to be under
1%), how far the ten figures lie apart (under 2%), and the judge's figure over that of CUDA events recorded around the
very same calls (within 1%).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tmagrade.basics.paths import HERE
from tmagrade.building.nvcc import library_command
from tmagrade.course.labs import Lab, load_labs, select_labs
from tmagrade.machine.backend import Engine, gpu_engines, hopper_gpus
from tmagrade.machine.toolkit import Toolkit, find_toolkit
from tmagrade.submissions.staging import stage

ENTRY = Path(__file__).parent / "entry_with_events.cu"
# What each figure has to stay below.
EMPTY_CALL = 0.01
SPREAD = 0.02
DEVIATION = 0.01


@dataclass(frozen=True)
class Evidence:
    lab: str
    gb_per_s: list[float]
    empty_call: float  # as a part of a request
    over_events: list[float]  # the judge's figure over that of the events

    @property
    def spread(self) -> float:
        return (max(self.gb_per_s) - min(self.gb_per_s)) / statistics.median(self.gb_per_s)

    @property
    def deviation(self) -> float:
        """From 1, of that ratio which is farthest from it."""
        return max(abs(ratio - 1) for ratio in self.over_events)


def build(toolkit: Toolkit, lab: Lab, folder: Path) -> Path:
    """The lab's solution as a library that also times its calls with events."""
    stage(HERE.solutions / lab.id, folder)
    entry = HERE.grader / "checks" / lab.id / "entry.cu"
    command = [
        os.path.relpath(ENTRY, folder) if word == os.path.relpath(entry, folder) else word
        for word in library_command(toolkit, HERE, lab, folder)
    ]
    subprocess.run([*command, f'-DENTRY="{entry.relative_to(HERE.grader)}"'], cwd=folder, check=True)
    return folder / "submission.so"


def judge(toolkit: Toolkit, engine: Engine, lab: Lab, library: Path) -> tuple[dict[str, Any], float]:
    """What the judge says of the bandwidth, and the GB/s by events of the rounds that it timed."""
    assert lab.bandwidth is not None
    with tempfile.TemporaryDirectory() as folder:
        output, times = Path(folder, "verdicts.json"), Path(folder, "times")
        command = [
            str(HERE.judge(lab.id)),
            *["--submission", str(library), "--output", str(output)],
            *["--filter", lab.bandwidth.part, "--bandwidth", "--", str(HERE.runner), str(library)],
        ]
        times.touch()
        environment = engine.environment(HERE, toolkit) | {"TIMES_FILE": str(times)}
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        measured = json.loads(output.read_text())["bandwidth"]
        if measured["verdict"] != "pass":
            raise SystemExit(f"{lab.id}: {measured['verdict']}: {measured['message']}")
        rows = [line.split() for line in times.read_text().splitlines()]
    calls = max(int(row[0]) for row in rows)
    # The first round warms up; the last one's times are written when the next begins, and there is none.
    seconds = [float(row[1]) / 1e3 for row in rows if int(row[0]) == calls][1:]
    return measured, measured["bytes"] / statistics.median(seconds) / 1e9


def gather(toolkit: Toolkit, engine: Engine, lab: Lab, times: int) -> Evidence:
    figures: list[float] = []
    costs: list[float] = []
    ratios: list[float] = []
    # Below the repository, because the entry is included by a relative path.
    HERE.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=HERE.work) as folder:
        library = build(toolkit, lab, Path(folder, "stage"))
        for number in range(times):
            measured, by_events = judge(toolkit, engine, lab, library)
            figures.append(measured["gb_per_s"])
            costs.append(measured["protocol_overhead_fraction"])
            # The rounds that the events have seen, too.
            ratios.append(statistics.median(measured["rounds_gb_per_s"][:-1]) / by_events)
            print(f"{lab.id} {number + 1}/{times}: {figures[-1]:.0f} GB/s", file=sys.stderr)
    return Evidence(lab.id, figures, max(costs), ratios)


def cells(lab: Evidence) -> list[tuple[float, float]]:
    """Each figure with what it has to stay below."""
    return [(lab.empty_call, EMPTY_CALL), (lab.spread, SPREAD), (lab.deviation, DEVIATION)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labs", help="only these, comma-separated; beginnings of names will do")
    parser.add_argument("--times", type=int, default=10, help="how often each is graded")
    options = parser.parse_args()
    gpus = hopper_gpus()
    if not gpus:
        raise SystemExit("bench-judge: there is no GPU of compute capability 9.0 here")
    labs = [lab for lab in select_labs(load_labs(HERE.labs), options.labs) if lab.bandwidth is not None]
    toolkit = find_toolkit(HERE)
    evidence = [gather(toolkit, gpu_engines(gpus)[0], lab, options.times) for lab in labs]

    table = Table(title=f"{gpus[0].name}, driver {gpus[0].driver}: each solution graded {options.times} times")
    for column in ("lab", "GB/s", "empty call (< 1%)", "spread (< 2%)", "off the events (< 1%)"):
        table.add_column(column, justify="left" if column == "lab" else "right")
    for lab in evidence:
        texts = [Text(f"{value:.2%}", "green" if value < limit else "red") for value, limit in cells(lab)]
        table.add_row(lab.lab, f"{statistics.median(lab.gb_per_s):.0f}", *texts)
    Console(width=100).print(table)
    return 0 if all(value < limit for lab in evidence for value, limit in cells(lab)) else 1


if __name__ == "__main__":
    sys.exit(main())
