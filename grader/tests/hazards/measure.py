"""What a GPU, and compute-sanitizer on it, see of the mistakes in programs/.

This file needs nothing but the programs, Python's standard library, CUDA's driver and, if it is there,
compute-sanitizer. So it can be copied to a machine that has no more than that:

    python3 measure.py --measure h200.json --binaries build/tests/hazards --seconds 500

A file that is there already is continued: what it holds is not measured again. hazard_table.py makes the page of it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BINARIES = Path(__file__).resolve().parents[3] / "build/tests/hazards"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
HARDWARE = "hardware"
BUSY = "busy-hardware"  # the same, while other kernels keep every SM busy
ON_HARDWARE = (HARDWARE, BUSY)
ALL_RIGHT = "unusual-right"  # programs without a mistake
HANG = ("deadlock", "expect-too-many")  # most of these programs hang, and a GPU that they share is slow
REPEAT = 200
HARDWARE_SECONDS = 30.0  # 200 runs take less than two, on a GPU of their own
SANITIZER_SECONDS = 90.0
SANITIZER_SECONDS_OF_HANGS = 15.0  # of programs that hang without it
SECONDS_TO_END = 30.0  # a killed program's output ends when the driver has stopped its kernels
SECONDS_BETWEEN_SAVES = 15.0

COUNTS = re.compile(r"ok=(\d+) wrong=(\d+) error=(\d+)")
# "ERROR SUMMARY: 3 errors" and "RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)".
SUMMARY = re.compile(r"^=+ \w+ SUMMARY: (\d+) (?:error|hazard)", re.MULTILINE)
# What a tool prints before it is stopped: a line with more than its name and that of a stack frame.
REPORT = re.compile(r"^=+ (?:Invalid|Error|Warning|Uninitialized|Barrier|Race|Program hit|Unused)", re.MULTILINE)
UNUSABLE = re.compile(r"Device not supported|LibraryNotLoaded|Unable to find|not supported on this", re.IGNORECASE)

Outcome = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """One program's pair and variant, on the hardware or under a tool."""

    program: str
    pair: str
    variant: str  # "mistaken" or "right"
    tool: str

    def of(self, results: dict[str, Any]) -> dict[str, Any]:
        """Where the outcome stands, by tool."""
        pairs = results.setdefault(self.program, {})
        outcomes: dict[str, Any] = pairs.setdefault(self.pair, {}).setdefault(self.variant, {})
        return outcomes


def run(command: list[str], seconds: float) -> tuple[int | None, str]:
    """The exit status, None if it took too long, and what was printed."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True
    ) as process:
        try:
            printed, _ = process.communicate(timeout=seconds)
            return process.returncode, printed
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                return None, process.communicate(timeout=SECONDS_TO_END)[0]
            return None, ""


def on_hardware(program: Path, pair: str, variant: str, repeat: int, seconds: float, *, busy: bool) -> Outcome:
    command = [str(program), pair, variant, f"--repeat={repeat}", *(["--busy"] if busy else [])]
    status, printed = run(command, seconds)
    if status is None:
        return {"hung": True}
    counts = COUNTS.search(printed)
    if counts is None:
        return {"failed": status}
    ok, wrong, error = map(int, counts.groups())
    return {"ok": ok, "wrong": wrong, "error": error}


def under_tool(sanitizer: str, tool: str, program: Path, pair: str, variant: str, seconds: float) -> Outcome:
    status, printed = run([sanitizer, "--tool", tool, str(program), pair, variant], seconds)
    summary = SUMMARY.findall(printed)
    if not summary and UNUSABLE.search(printed):
        return {"failed": printed.strip().splitlines()[-1]}
    reports = max(map(int, summary), default=0) or len(REPORT.findall(printed))
    return {"reports": reports} | ({"hung": True} if status is None else {})


def is_wrong(outcome: Outcome) -> bool:
    """Whether the hardware showed the mistake at least once: a wrong number, an error or a hang."""
    return bool(outcome.get("hung") or "failed" in outcome or outcome["wrong"] or outcome["error"])


def pairs_of(program: Path, *launcher: Path) -> list[str]:
    """The pairs that the program lists; `launcher` runs it where there is no GPU."""
    command = [*map(str, launcher), str(program), "list"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split()


def programs_in(folder: Path, wanted: Iterable[str]) -> list[Path]:
    names = set(wanted)
    found = sorted(file for file in folder.iterdir() if file.is_file() and os.access(file, os.X_OK))
    return [file for file in found if not names or file.name in names]


def tasks_of(programs: list[Path], tools: Iterable[str]) -> list[Task]:
    """On the hardware first, then mistakes under the tools, and then whether the tools blame right programs."""
    pairs = [(program.name, pair) for program in programs for pair in pairs_of(program)]
    mistaken = [(name, pair) for name, pair in pairs if not name.startswith(ALL_RIGHT)]
    return [
        *(Task(name, pair, "right", tool) for tool in ON_HARDWARE for name, pair in pairs),
        *(
            Task(name, pair, "mistaken", tool)
            for tool in ON_HARDWARE
            for name, pair in sorted(mistaken, key=lambda pair: pair[0].partition(".")[0] in HANG)
        ),
        *(Task(name, pair, "mistaken", tool) for tool in tools for name, pair in mistaken),
        *(Task(name, pair, "right", tool) for tool in tools for name, pair in pairs),
    ]


def first_line(command: list[str]) -> str:
    try:
        printed = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next((line.strip() for line in printed.splitlines() if line.strip()), "")


def machine(sanitizer: str | None) -> dict[str, str]:
    asked = first_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    gpu, _, driver = asked.partition(", ")
    version = ""
    if sanitizer:
        version = subprocess.run([sanitizer, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"\d{4}(?:\.\d+)+", version)
    return {"gpu": gpu, "driver": driver, "sanitizer": found[0] if found else ""}


class Measurement:
    """A file of outcomes that grows: several threads measure, each with a process of its own."""

    def __init__(self, file: Path, binaries: Path, sanitizer: str | None, repeat: int) -> None:
        self.file, self.binaries, self.sanitizer, self.repeat = file, binaries, sanitizer, repeat
        self.data: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
        self.data.update(machine=machine(sanitizer), repeat=repeat)
        self.results: dict[str, Any] = self.data.setdefault("results", {})
        self.lock = threading.Lock()
        self.saved = time.monotonic()

    def is_done(self, task: Task) -> bool:
        return task.tool in task.of(self.results)

    def hangs(self, task: Task) -> bool:
        return bool(task.of(self.results).get(HARDWARE, {}).get("hung"))

    def measure(self, task: Task, deadline: float) -> None:
        if task.tool in ON_HARDWARE:
            seconds = HARDWARE_SECONDS
        else:
            seconds = SANITIZER_SECONDS_OF_HANGS if self.hangs(task) else SANITIZER_SECONDS
        if time.monotonic() + seconds > deadline:
            return  # too late: what is cut short says nothing
        program = self.binaries / task.program
        if task.tool in ON_HARDWARE:
            busy = task.tool == BUSY
            outcome = on_hardware(program, task.pair, task.variant, self.repeat, seconds, busy=busy)
        else:
            assert self.sanitizer
            outcome = under_tool(self.sanitizer, task.tool, program, task.pair, task.variant, seconds)
        with self.lock:
            task.of(self.results)[task.tool] = outcome
            if time.monotonic() - self.saved > SECONDS_BETWEEN_SAVES:
                self.save()

    def save(self) -> None:
        self.saved = time.monotonic()
        scratch = self.file.with_suffix(".new")
        scratch.write_text(text_of(self.data))
        scratch.replace(self.file)


def text_of(data: dict[str, Any]) -> str:
    """JSON with a line for each pair, so that versions can be compared."""
    head = {name: value for name, value in data.items() if name != "results"}
    programs = []
    for program, pairs in sorted(data["results"].items()):
        lines = [f"   {json.dumps(pair)}: {json.dumps(found, sort_keys=True)}" for pair, found in sorted(pairs.items())]
        programs.append(f"  {json.dumps(program)}: {{\n" + ",\n".join(lines) + "\n  }")
    rows = [f" {json.dumps(name)}: {json.dumps(value, sort_keys=True)}" for name, value in sorted(head.items())]
    return "{\n" + ",\n".join([*rows, ' "results": {\n' + ",\n".join(programs) + "\n }"]) + "\n}\n"


def measure(options: argparse.Namespace) -> int:
    deadline = time.monotonic() + options.seconds
    sanitizer = options.sanitizer or shutil.which("compute-sanitizer")
    if sanitizer is None and Path("/usr/local/cuda/bin/compute-sanitizer").exists():
        sanitizer = "/usr/local/cuda/bin/compute-sanitizer"
    if sanitizer is None:
        print("there is no compute-sanitizer: only the hardware is measured", file=sys.stderr)
    measurement = Measurement(options.measure, options.binaries, sanitizer, options.repeat)
    programs = programs_in(options.binaries, options.programs)
    tasks = [task for task in tasks_of(programs, TOOLS if sanitizer else ()) if not measurement.is_done(task)]
    on_its_own = [task for task in tasks if task.tool in ON_HARDWARE]
    with_a_tool = [task for task in tasks if task.tool not in ON_HARDWARE]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda task: measurement.measure(task, deadline), on_its_own))
        with_a_tool.sort(key=measurement.hangs)
        list(pool.map(lambda task: measurement.measure(task, deadline), with_a_tool))
    measurement.save()
    left = sum(not measurement.is_done(task) for task in tasks)
    print(f"{len(tasks) - left} measured, {left} left for another time: {options.measure}")
    return 0


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--binaries", type=Path, default=BINARIES, help="the folder of the built programs")
    parser.add_argument("--programs", nargs="*", default=[], help="only these, by name")
    parser.add_argument("--seconds", type=float, default=3600.0, help="begin nothing that may take longer than this")
    parser.add_argument("--jobs", type=int, default=min(12, os.cpu_count() or 1), help="programs at a time")
    parser.add_argument("--repeat", type=int, default=REPEAT, help="runs of each program on the hardware")
    parser.add_argument("--sanitizer", help="compute-sanitizer, if it is not in PATH")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", type=Path, required=True, metavar="OUT.json", help="where the outcomes go")
    add_options(parser)
    return measure(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
