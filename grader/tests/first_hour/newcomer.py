"""How long a newcomer waits, in a fresh clone: for set-up, the first verdict, the default `make grade`, and at each
edit (loop.py).

The set-up is made in two clones: in the second pip has in its cache what the first has fetched, so that the two differ
by the downloads. `make bench-first-hour` runs it.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from students_environment import of_students

REPOSITORY = Path(__file__).parents[3]

LAB = "lab3-bulk-copy"
PART = "one-tile"

# The statuses of `make`: a skeleton's verdicts are no passes.
WRONG = 2


@dataclass(frozen=True)
class Took:
    seconds: float
    # What other work on the machine changes less. What a sandbox ran is not in it: nobody waits for those processes.
    cpu_seconds: float


@dataclass(frozen=True)
class Step:
    what: str
    took: Took


class Watch:
    def __init__(self) -> None:
        self._began = self._now()

    def took(self) -> Took:
        seconds, cpu_seconds = self._now()
        return Took(seconds - self._began[0], cpu_seconds - self._began[1])

    @staticmethod
    def _now() -> tuple[float, float]:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.monotonic(), used.ru_utime + used.ru_stime


class Clone:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed = ""

    def make(self, *words: str, may_be_wrong: bool = False) -> Took:
        """Ends the program where it fails. What it prints is kept until the next one."""
        watch = Watch()
        done = subprocess.run(
            ["make", "-s", *words], cwd=self.folder, env=of_students(), capture_output=True, text=True, errors="replace"
        )
        took = watch.took()
        if done.returncode not in ((0, WRONG) if may_be_wrong else (0,)):
            print(done.stdout + done.stderr, file=sys.stderr)
            raise SystemExit(f"bench-first-hour: make {' '.join(words)} failed with status {done.returncode}")
        self.printed = done.stdout
        return took


def clone(folder: Path) -> tuple[Clone, Took]:
    watch = Watch()
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", REPOSITORY, folder], check=True)
    return Clone(folder), watch.took()


def steps(folder: Path, setup: list[str]) -> Iterator[Step]:
    first, took = clone(folder / "first")
    yield Step("git clone, from this disk", took)
    yield Step("make setup, with what it downloads", first.make("setup", *setup))
    shutil.rmtree(first.folder)
    course, _ = clone(folder / "course")
    yield Step("make setup, with pip's cache", course.make("setup", *setup))
    lab = ["-C", f"labs/{LAB}"]
    first_verdict = f"first verdict: make -C {lab[1]} PART={PART}, builds what it needs"
    yield Step(first_verdict, course.make(*lab, f"PART={PART}", may_be_wrong=True))
    yield Step("make grade, builds the other labs' judges", course.make("grade"))
    yield Step("make bench-loop, which follows", course.make("bench-loop"))
    print(f"\n{course.printed}")


def machine() -> str:
    described = Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*: (.*)", described, re.MULTILINE)
    cores = len(os.sched_getaffinity(0))
    name = model[1] if model else "of which /proc/cpuinfo tells nothing"
    return f"{cores} cores ({name}); load before: {os.getloadavg()[0]:.1f}"


def main() -> None:
    print(f"{machine()}\n\n{'':<75}{'time':>10}{'CPU':>10}")
    folder = Path(tempfile.mkdtemp(prefix="first-hour-"))
    try:
        for step in steps(folder, sys.argv[1:]):
            print(f"{step.what:<75}{step.took.seconds:8.1f} s{step.took.cpu_seconds:8.1f} s", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
