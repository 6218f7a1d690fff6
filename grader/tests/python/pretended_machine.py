"""A machine that only pretends to compile and to judge, all in the grader's own process, and that fails where it is
told to.

What it makes of a text is what the programs of conftest.py make of it, without the time that a process takes: so
thousands of classes can be graded. What it is to do wrong is a list of faults, each from one event to another, and an
event is a program that is started or a file that is touched.
"""

import errno
import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tmagrade.basics.errors import GraderFault
from tmagrade.building.compiler import COMPILER_TIMEOUT_SECONDS
from tmagrade.machine.processes import Finished, Processes

PARTS = {"lab3-bulk-copy": ["one-tile", "pipeline"], "lab4-single-tile": ["load"], "canary": ["add-one"]}

# How a compiler or a judge ends on a machine that has not enough of something: status, what it says.
ENDINGS = {
    "is killed": (-9, ""),
    "says nothing": (1, ""),
    "cannot fork": (2, "sh: 1: Cannot fork"),
    "has no memory": (1, "virtual memory exhausted: Cannot allocate memory"),
    "has no room": (1, "lab3.cu(1): fatal error: cannot write: No space left on device"),
    "cannot link": (1, "collect2: error: ld returned 127 exit status"),
    "has no library": (127, "nvcc: error while loading shared libraries: libstdc++.so.6: cannot open shared object"),
    "has no sandbox": (1, "bwrap: No permissions to create new namespace"),
    "aborts": (-6, "terminate called after throwing an instance of 'std::bad_alloc'"),
}
STARTS_NOTHING = "starts nothing"
HANGS = "hangs"
# The judge does its work, and what it judges does not get what it needs.
CRASHES, TIMES_OUT = "lets submissions crash", "lets submissions time out"

PROGRAM_FAULTS = (*ENDINGS, STARTS_NOTHING, HANGS, CRASHES, TIMES_OUT)
FILE_FAULTS = tuple(errno.errorcode[number] for number in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE))
KILL = "kills the grader"

# What Python tells its audit hooks of files: https://docs.python.org/3/library/audit_events.html
FILE_EVENTS = ("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.scandir", "os.listdir", "tempfile.mkstemp")


@dataclass(frozen=True)
class Fault:
    """What the machine does wrong from its event `first` on, `length` events long."""

    kind: str
    first: int
    length: int = 1

    def holds_at(self, event: int) -> bool:
        return self.first <= event < self.first + self.length


class PretendedMachine(Processes):
    """Takes the place of tmagrade's Processes."""

    def __init__(self, faults: Sequence[Fault], root: Path) -> None:
        self.faults = faults
        self.root = str(root)
        self.programs = 0
        self.files = 0
        self.seconds = 0.0
        self.longest_wait = 0.0

    def monotonic(self) -> float:
        """The time on this machine, on which only programs that hang take any."""
        return self.seconds

    def watch_files(self) -> None:
        """Has what is done to files below the course go wrong, too. There is no way back: for a child process."""
        if any(fault.kind in (*FILE_FAULTS, KILL) for fault in self.faults):
            sys.addaudithook(self._see)

    def _see(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in FILE_EVENTS or not str(arguments[0]).startswith(self.root):
            return
        self.files += 1
        for fault in self.faults:
            if fault.kind == KILL and fault.holds_at(self.files):
                os.kill(os.getpid(), signal.SIGKILL)
            if fault.kind in FILE_FAULTS and fault.holds_at(self.files):
                number = getattr(errno, fault.kind)
                raise OSError(number, os.strerror(number), str(arguments[0]))

    def run(
        self,
        command: list[str],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        timeout_seconds: float,
        processor_seconds: float = math.inf,
        stderr: int = subprocess.STDOUT,
    ) -> Finished:
        self.longest_wait = max(self.longest_wait, timeout_seconds)
        self.programs += 1
        kind = next((fault.kind for fault in self.faults if fault.holds_at(self.programs)), "")
        if kind == STARTS_NOTHING:
            raise GraderFault("this machine starts no process any more: Resource temporarily unavailable")
        if kind == HANGS:
            self.seconds += timeout_seconds
            return Finished(-9, "", timed_out=True)
        if kind in ENDINGS:
            return Finished(*ENDINGS[kind])
        if Path(command[0]).parent.name == "judges":
            return self._judge(command, environment.get("TMAEMU_ASYNC", "gpu"), kind)
        if "--dryrun" in command:  # it tells no plan, and is asked to compile
            return Finished(1, "")
        return Finished(0, "") if "nm" in command else self._compile(cwd)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass

    def _compile(self, stage: Path) -> Finished:
        text = "".join(path.read_text(errors="replace") for path in sorted(stage.iterdir()) if is_source(path))
        if "never compiles" in text:
            self.seconds += COMPILER_TIMEOUT_SECONDS
            return Finished(-9, "", timed_out=True)
        if "cannot be linked" in text:
            return Finished(1, "collect2: error: ld returned 1 exit status")
        if "#error" in text:
            return Finished(1, "lab3.cu(1): error: told to\n" + "x" * text.count("at length") * (1 << 20))
        if "makes no library" not in text:
            (stage / "submission.so").write_text("// the library\n" + text)
        return Finished(0, "")

    def _judge(self, command: list[str], engine: str, kind: str) -> Finished:
        words = command[1 : command.index("--")]
        options = {name.removeprefix("--"): value for name, value in pairwise([*words, ""]) if name.startswith("--")}
        text = Path(options["submission"]).read_text()
        endings = {"judge dies": 3, "judge crashes": -11, "judge is killed": -9, "judge wants memory": 4}
        for said, status in endings.items():
            if said in text:
                return Finished(status, said)
        if "judge hangs" in text:
            return Finished(-9, "", timed_out=True)
        report = (
            "not JSON"
            if "judge mumbles" in text
            else json.dumps(_report(Path(command[0]), options, text, engine, kind))
        )
        Path(options["output"]).write_text(report)
        return Finished(0, "")


def is_source(path: Path) -> bool:
    return path.suffix.casefold() == ".cu"


def _report(judge: Path, options: Mapping[str, str], text: str, engine: str, kind: str) -> dict[str, Any]:
    """A judge whose own file says "strict" fails what a line `PART strict VERDICT` names."""
    lab = judge.name
    said = {tuple(words[:2]): words[2] for line in text.splitlines() if len(words := line.split()) == 3}
    if "strict" in judge.read_text():
        said |= {(part, "any"): verdict for (part, when), verdict in said.items() if when == "strict"}
    everywhere = {CRASHES: "crash", TIMES_OUT: "timeout"}.get(kind)
    only = options.get("filter")
    parts = [part for part in PARTS[lab] if only in (None, part)]
    verdicts = {part: everywhere or said.get((part, engine), said.get((part, "any"), "pass")) for part in parts}
    measured = {
        "part": "pipeline",
        "verdict": "pass",
        "message": "",
        "bytes": 1,
        "gb_per_s": 4047.0,
        "roofline_gb_per_s": 4260.0,
        "fraction": 0.95,
        "protocol_overhead_fraction": 0.001,
    }
    return {
        "schema": 5,
        "ways": {},
        "seed": options.get("seed", "7"),
        "device": {"name": "pretended", "sm": 90},
        "cases": [
            {"part": part, "case": case, "verdict": verdict, "message": verdict, "bypasses_tma": False, "findings": []}
            for part, verdict in verdicts.items()
            for case in ("small", "large")
        ],
    } | ({"bandwidth": measured} if "bandwidth" in options else {})
