"""make nightly: everything that `make test` leaves out, one after another; goes on where something fails, and ends with
a table of what failed and how long each took. What each one says is in build/nightly/NAME.log.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[3]
LOGS = ROOT / "build/nightly"
HOUR = 3600.0
FUZZ_SECONDS = 3600
MUTANT_MINUTES = 60
CLASSES = 2000
LONG_SHARES = 3  # each short enough to have its turn at a landing
CLASSES_A_MINUTE = 87
PASSED, FAILED, STOPPED = "passed", "failed", "stopped"


@dataclass(frozen=True)
class Step:
    """One target, or several commands, the first of which that fails ends it."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    minutes: float  # on two cores that do nothing else, with what it builds; rounded up
    hours: float = 2  # then it is stopped, and has failed
    needs: str = ""  # what `make` does not install


@dataclass(frozen=True)
class Ended:
    step: Step
    verdict: str
    seconds: float


def steps(
    fuzz_seconds: int = FUZZ_SECONDS,
    mutant_minutes: int = MUTANT_MINUTES,
    more: Sequence[str] = (),
    classes: int = CLASSES,
) -> list[Step]:
    """All of them. `more` is told each make: SETUP=none."""

    def make(name: str, target: str, *words: str, minutes: float, hours: float = 2, needs: str = "") -> Step:
        return Step(name, (("make", target, *words, *more),), minutes, hours, needs)

    unchanged = ("git", "diff", "--exit-code", "--", "handout/reference/attacks.md")
    return [
        make("conformance", "conformance", minutes=4),
        make("real", "test-real", minutes=45),
        make("repositories", "test-repositories", minutes=60, needs="github.com"),
        make("torch", "test-torch", minutes=8, needs="8 GB of disk"),
        make("libraries", "test-libraries", minutes=60, needs="github.com, and 8 GB of disk"),
        make("hazard-engines", "hazard-engines", minutes=6),
        make("hazard-forms", "hazard-forms", minutes=10),
        make("class", "test-class", minutes=30),
        make(
            "properties",
            "test-properties",
            f"PROPERTIES_CLASSES={classes}",
            minutes=math.ceil(classes / CLASSES_A_MINUTE),
        ),
        make("editors", "test-editors", minutes=5),
        make("bench-programs", "bench-programs", minutes=4),
        make("arithmetic", "arithmetic", minutes=29),
        make("site", "test-site", minutes=30),
        *(
            make(f"long-{share}", "test-long", f"SHARE={share}/{LONG_SHARES}", minutes=4)
            for share in range(1, LONG_SHARES + 1)
        ),
        make("includes", "test-includes", minutes=10),
        Step("attacks", (("make", "attacks", *more), ("make", "attacks-served", *more), unchanged), minutes=18),
        make("sanitized", "test-sanitized", minutes=200, hours=5),
        make("docker", "test-docker", minutes=60, needs="root, and debootstrap and buildah"),
        make("aarch64", "test-aarch64", minutes=20, needs="Debian or Ubuntu, and Linux 6.7"),
        make("slurm", "test-slurm", minutes=10, needs="root, and Slurm"),
        # These end when their time does; the first minutes are the build's.
        make("fuzz", "fuzz", f"SECONDS={fuzz_seconds}", minutes=8 + fuzz_seconds / 60, hours=fuzz_seconds / HOUR + 1),
        make(
            "mutants",
            "mutants",
            f"MINUTES={mutant_minutes}",
            minutes=4 + mutant_minutes,
            hours=mutant_minutes / 60 + 1,
        ),
    ]


def chosen(every: Sequence[Step], names: str) -> list[Step]:
    """Those that are named: `fuzz,real`, or as their targets are, `test-real`. All where none is."""
    wanted = [name.strip().removeprefix("test-") for name in names.split(",") if name.strip()]
    known = {step.name: step for step in every}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise SystemExit(f"nightly: there is no {', '.join(unknown)}; there are: {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(wanted)] or list(every)


def run(step: Step, logs: Path, folder: Path = ROOT) -> Ended:
    """Runs a step to its end, or to that of its time."""
    begin = time.monotonic()
    verdict = PASSED
    with (logs / f"{step.name}.log").open("w", encoding="utf-8") as log:
        for command in step.commands:
            left = step.hours * HOUR - (time.monotonic() - begin)
            verdict = _run(command, folder, log.fileno(), left)
            if verdict != PASSED:
                break
    return Ended(step, verdict, time.monotonic() - begin)


def _run(command: Sequence[str], folder: Path, log: int, seconds: float) -> str:
    # A make below is told what it is told here, not what this one was.
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "ONLY")}
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
    )
    try:
        return PASSED if process.wait(max(seconds, 0)) == 0 else FAILED
    except subprocess.TimeoutExpired:
        return STOPPED
    finally:  # nothing that it started goes on beside the next one
        if process.poll() is None or _has_children(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _has_children(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def table(ended: Sequence[Ended]) -> Table:
    rows = Table("what", "", "h:min:s", box=None, pad_edge=False)
    for one in ended:
        color = "green" if one.verdict == PASSED else "red"
        rows.add_row(one.step.name, f"[{color}]{one.verdict}[/]", clock(one.seconds))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="fuzz,real")
    parser.add_argument("--fuzz-seconds", type=int, default=FUZZ_SECONDS)
    parser.add_argument("--mutant-minutes", type=int, default=MUTANT_MINUTES)
    parser.add_argument("more", nargs="*", help="what each make is told: SETUP=none")
    asked = parser.parse_args()
    if parts := [word for word in asked.more if "=" not in word]:
        parser.error(f"each make is told NAME=value; to run these alone: --only {','.join(parts)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    console = Console()
    ended = []
    for step in chosen(steps(asked.fuzz_seconds, asked.mutant_minutes, asked.more), asked.only):
        console.print(f"nightly: {step.name}: build/nightly/{step.name}.log", highlight=False)
        ended.append(run(step, LOGS))
    console.print(table(ended))
    return 0 if all(one.verdict == PASSED for one in ended) else 1


if __name__ == "__main__":
    sys.exit(main())
