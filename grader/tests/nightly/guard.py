"""make guard: what a landing can break and `make test` does not see. Compiles what only fuzzers, sanitized builds and
GPUs run, and then runs one part of the nightly: those that are short enough have their turns. Goes on where something
fails; what each one says is in build/guard/NAME.log, and the end of it is printed where it failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nightly import FAILED, PASSED, ROOT, STOPPED, Ended, Step, chosen, clock, run, steps

LOGS = ROOT / "build/guard"
# In minutes on two cores: a landing waits for make test in a new clone, for all that is guarded, and for the longest
# turn.
PATIENCE = 50
OF_TESTS = 28
LONGEST_TURN = 4
CLASSES_OF_TURN = 300
LAST_LINES = 40
DAY = 24 * 3600


def guarded(more: Sequence[str] = ()) -> list[Step]:
    """What is compiled at each landing; `more` is told each make: SETUP=none."""

    def make(target: str, minutes: float) -> Step:
        return Step(target.removeprefix("test-"), (("make", target, *more),), minutes, hours=0.5)

    return [
        make("test-pages", minutes=6),
        make("compile-fuzzers", minutes=1),
        make("compile-sanitized", minutes=2),
        make("bench-programs", minutes=1),
    ]


def turns(every: Sequence[Step], at_each_landing: Sequence[Step]) -> list[Step]:
    """The parts of the nightly of which a landing runs one."""
    seen = {step.commands for step in at_each_landing}
    return [step for step in every if step.minutes <= LONGEST_TURN and not step.needs and step.commands not in seen]


@dataclass(frozen=True)
class Landing:
    """Which one this is: by the number of its commits; by the day where the clone has not all of them."""

    number: int
    by: str


def landing(folder: Path, now: float) -> Landing:
    try:
        if _git(folder, "rev-parse", "--is-shallow-repository") == "false":
            commits = int(_git(folder, "rev-list", "--count", "HEAD"))
            return Landing(commits, f"by its {commits} commits")
    except (OSError, subprocess.CalledProcessError):
        pass  # no git, or no clone
    day = int(now // DAY)
    return Landing(day, "by the day, since this is no clone with all commits")


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def told(step: Step) -> str:
    """What to type to run it alone."""
    return " && ".join(" ".join(command) for command in step.commands)


def verdict(ended: Ended, logs: Path) -> str:
    """A line where it passed; the end of what it said where it did not."""
    name, took = ended.step.name, clock(ended.seconds)
    if ended.verdict == PASSED:
        return f"guard: {name} passed in {took}"
    log = logs / f"{name}.log"
    last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
    how = f"{STOPPED} after {took}" if ended.verdict == STOPPED else f"{FAILED} in {took}"
    first = f"guard: {name} {how}. To run it alone: {told(ended.step)}"
    return "\n".join([first, *(f"    {line}" for line in last), f"guard: {name} {FAILED}; all of it is in {log}"])


def summary(ended: Sequence[Ended]) -> str:
    """As pytest's last line."""
    failed = [one.step.name for one in ended if one.verdict != PASSED]
    passed = len(ended) - len(failed)
    counts = ([f"{len(failed)} failed"] if failed else []) + ([f"{passed} passed"] if passed else [])
    names = f": {', '.join(failed)}" if failed else ""
    return f"{', '.join(counts)} in {sum(one.seconds for one in ended):.2f}s{names}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="pages,compile-fuzzers: no other, and no part of the nightly")
    parser.add_argument("more", nargs="*", help="what each make is told: SETUP=none")
    asked = parser.parse_args()
    LOGS.mkdir(parents=True, exist_ok=True)
    always = guarded(asked.more)
    to_run = chosen(always, asked.only)
    if not asked.only:
        by_turns = turns(steps(more=asked.more, classes=CLASSES_OF_TURN), always)
        this = landing(ROOT, time.time())
        to_run.append(by_turns[this.number % len(by_turns)])
        print(f"guard: of the nightly's {len(by_turns)} short parts this landing runs {to_run[-1].name}, {this.by}")
        print(f"guard: to run that alone: {told(to_run[-1])}", flush=True)
    ended = []
    for step in to_run:
        print(f"guard: {step.name}: {told(step)}", flush=True)
        ended.append(run(step, LOGS))
        print(verdict(ended[-1], LOGS), flush=True)
    print(summary(ended))
    return 0 if all(one.verdict == PASSED for one in ended) else 1


if __name__ == "__main__":
    sys.exit(main())
