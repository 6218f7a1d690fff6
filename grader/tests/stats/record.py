"""Records what Nsight Compute counts for the programs here: record.py FOLDER-OF-PROGRAMS OUTPUT

The output says on which machine. A program has its metrics' names once, and a line for each launch in order:
the kernel's name and the metrics' values.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

GLOBAL = [
    f"{counter}_mem_global_op_{operation}"
    for counter in ("l1tex__t_requests_pipe_lsu", "l1tex__t_sectors_pipe_lsu", "smsp__sass_data_bytes")
    for operation in ("ld", "st", "atom", "red")
]
WAVEFRONTS = [
    f"l1tex__data_{counter}_mem_shared{operation}"
    for counter in ("pipe_lsu_wavefronts", "bank_conflicts_pipe_lsu")
    for operation in ("", "_op_ld", "_op_st")
]
SHARED_BYTES = [f"smsp__sass_data_bytes_mem_shared_op_{operation}" for operation in ("ld", "st", "atom")]
EVERYTHING = GLOBAL + WAVEFRONTS + SHARED_BYTES
# Between the SM's memory pipeline and the crossbar to L2, and to other SMs' shared memory.
TMA = [
    *(f"l1tex__m_xbar2l1tex_read_{unit}_mem_global_op_tma_ld" for unit in ("bytes", "sectors")),
    *(
        f"l1tex__m_l1tex2xbar_write_{unit}_mem_{space}_op_tma_{operation}"
        for unit in ("bytes", "sectors")
        for space in ("global", "dshared")
        for operation in ("st", "red")
    ),
    *(f"sm__sass_inst_executed_op_tma_{operation}" for operation in ("ld", "st", "red")),
    "sm__sass_inst_executed_op_dshared_tma_st",
]

# Hundreds of launches need few passes each.
METRICS = {
    "global_accesses": GLOBAL,
    "shared_accesses": EVERYTHING,
    "shared_patterns": WAVEFRONTS,
    "tma_copies": EVERYTHING + TMA,
    "tma_shapes": TMA,
}

Launch = list[str | int]


def kernel_name(demangled: str) -> str:
    """The last component without parameters: "<unnamed>::copy(const float *)" is "copy"."""
    return demangled.partition("(")[0].rpartition("::")[2].split()[-1]


def launches(report: Iterable[str], metrics: list[str]) -> list[Launch]:
    """From ncu's page `raw` as CSV. Its second row holds the units, which have no ID."""
    rows = csv.DictReader(line for line in report if line.startswith('"'))
    return [
        [kernel_name(row["Kernel Name"]), *(int(row[f"{metric}.sum"].replace(",", "")) for metric in metrics)]
        for row in rows
        if row["ID"]
    ]


def profile(program: Path, metrics: list[str]) -> list[Launch]:
    options = ["--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base"]
    names = ",".join(f"{metric}.sum" for metric in metrics)
    run = subprocess.run(["ncu", *options, "--metrics", names, program], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"ncu {program}: exit status {run.returncode}\n{run.stdout}{run.stderr}")
    return launches(run.stdout.splitlines(), metrics)


def said_by(command: list[str], pattern: str) -> str:
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(pattern, output)
    if found is None:
        sys.exit(f"{command[0]} does not say what was expected: {output}")
    return found[1].strip()


def machine() -> dict[str, str]:
    query = ["nvidia-smi", "--format=csv,noheader", "--id=0"]
    return {
        "gpu": said_by([*query, "--query-gpu=name"], "(.+)"),
        "driver": said_by([*query, "--query-gpu=driver_version"], "(.+)"),
        "toolkit": said_by(["nvcc", "--version"], r"V([\d.]+)"),
        "ncu": said_by(["ncu", "--version"], r"Version ([\d.]+)"),
    }


def write(output: Path, recorded_on: dict[str, str], programs: dict[str, list[Launch]]) -> None:
    """One launch a line, so that a change can be read."""
    text = "{\n" + f'"machine": {json.dumps(recorded_on)},\n"programs": {{'
    blocks = [
        f'\n"{name}": {{\n"metrics": {json.dumps(METRICS[name])},\n"launches": [\n'
        + ",\n".join(json.dumps(launch) for launch in recorded)
        + "\n]}"
        for name, recorded in programs.items()
    ]
    output.write_text(text + ",".join(blocks) + "\n}}\n")


def main() -> None:
    folder, output = map(Path, sys.argv[1:])
    write(output, machine(), {name: profile(folder / name, metrics) for name, metrics in METRICS.items()})


if __name__ == "__main__":
    main()
