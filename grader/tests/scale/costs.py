"""What one hand-in costs of the processors, by what takes it: the compiler, each timing policy, and the canary."""

import os
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tmagrade.basics.paths import HERE
from tmagrade.building.sandbox import NoSandbox, demand_sandbox
from tmagrade.course.labs import Lab
from tmagrade.grading.grading import Grading
from tmagrade.grading.progress import Tally
from tmagrade.grading.steps import Kind
from tmagrade.machine.backend import emulator_engines
from tmagrade.machine.processes import Finished, Processes
from tmagrade.machine.toolkit import find_toolkit
from tmagrade.submissions.staging import stage
from tmagrade.submissions.submission import Submission

COMPILER, SYMBOLS, CANARY = "compiler", "names of the library", "canary"


def processor_seconds() -> float:
    """Of the whole machine, which is to have nothing else to do. What ends with its sandbox is in no process's account:
    the sandbox's first process is killed, and the kernel collects the others."""
    user, nice, system = map(int, Path("/proc/stat").read_text().split()[1:4])  # proc(5)
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


class Silent:
    """A progress that nobody looks at."""

    def note(self, words: str) -> None: ...
    def begin(self, tally: Tally) -> None: ...
    def update(self, tally: Tally) -> None: ...
    def ended(self, kind: Kind, who: str, tally: Tally) -> None: ...


@dataclass
class _Counted(Processes):
    """Notes what each program has taken; one runs at a time."""

    seconds: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def run(self, command: list[str], **options: Any) -> Finished:
        before = processor_seconds()
        finished = super().run(command, **options)
        kind = _kind_of(command, options["environment"])
        self.seconds[kind] = self.seconds.get(kind, 0.0) + processor_seconds() - before
        return finished


def _kind_of(command: list[str], environment: dict[str, str]) -> str:
    words = " ".join(command)
    if "/canary" in words:
        return CANARY
    if "nvcc" in words or "cudafe++" in words:
        return COMPILER
    return environment["TMAEMU_ASYNC"] if "--submission" in command else SYMBOLS


def costs_of(lab: Lab, folder: Path, seeds: int = 3) -> dict[str, float]:
    """Seconds of the processors, of grading the text in `folder` as if nothing were known of it."""
    toolkit = find_toolkit(HERE)
    sandbox = demand_sandbox(HERE, toolkit)
    grading = Grading(HERE, toolkit, sandbox, emulator_engines(seeds), [], 1, Silent())
    counted = _Counted()
    grading.processes = grading.builder.compiler.processes = counted
    grading.judge = type(grading.judge)(HERE, toolkit, counted, sandbox)
    grading.run([Submission("one", lab, folder)], anew=True)
    return counted.seconds


def together(seconds: Mapping[str, Mapping[str, float]], often: Mapping[str, int]) -> list[tuple[str, float]]:
    """Seconds of the processors by what takes them, most first, and of all, where the texts are so often handed in. The
    canary is tried once, however many hand in: what the text with the least has taken of it is nobody's."""
    once = min(counted[CANARY] for counted in seconds.values())
    kinds = {kind for text in often for kind in seconds[text]}
    by_kind = {kind: sum(count * seconds[text].get(kind, 0.0) for text, count in often.items()) for kind in kinds}
    by_kind[CANARY] -= once * (sum(often.values()) - 1)
    ordered = sorted(by_kind.items(), key=lambda row: row[1], reverse=True)
    return [*ordered, ("together", sum(by_kind.values()))]


def compilers_own(lab: Lab, folders: Mapping[str, Path], into: Path, times: int = 2) -> dict[str, float]:
    """Seconds of the processors that nvcc takes for each text by itself, with no sandbox and no grader around it. As
    many run beside each other as in a grading: cores that share something are slower then."""

    def compiled(text: str, time: int) -> float:
        stage(folders[text], place := into / f"{text}-{time}")
        command = NoSandbox(HERE, find_toolkit(HERE)).compiler(lab, place)
        nvcc = subprocess.Popen(command, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(nvcc.pid, 0)
        nvcc.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        running = {text: [pool.submit(compiled, text, time) for time in range(times)] for text in folders}
        return {text: sum(one.result() for one in each) / times for text, each in running.items()}
