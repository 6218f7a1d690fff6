"""make nightly: goes on where something fails, and says so."""

import re
import sys
import time
from pathlib import Path

import pytest
import yaml
from rich.console import Console

from tmagrade.basics.paths import HERE

sys.path.append(str(HERE.grader / "tests/nightly"))

from nightly import FAILED, PASSED, STOPPED, Ended, Step, chosen, run, steps, table

EVERY = steps(fuzz_seconds=60, mutant_minutes=1)


def python(name: str, *texts: str, hours: float = 1) -> Step:
    return Step(name, tuple((sys.executable, "-c", text) for text in texts), minutes=1, hours=hours)


def test_a_step_fails_with_its_program(tmp_path: Path) -> None:
    assert run(python("right", "print('said')"), tmp_path).verdict == PASSED
    assert run(python("wrong", "raise SystemExit(3)"), tmp_path).verdict == FAILED
    assert (tmp_path / "right.log").read_text() == "said\n"


def test_what_fails_ends_its_step(tmp_path: Path) -> None:
    assert run(python("two", "raise SystemExit('first')", "print('second')"), tmp_path).verdict == FAILED
    assert (tmp_path / "two.log").read_text() == "first\n"


STARTS = "import subprocess; asleep = subprocess.Popen(['sleep', '3600']); print(asleep.pid, flush=True)"


def ends(process: int) -> bool:
    """Whether it comes to its end; what has ended may be there until somebody asks for its status."""
    state = Path(f"/proc/{process}/stat")
    while state.exists() and state.read_text().split()[2] not in "ZX":
        time.sleep(0.05)
    return True


def test_what_does_not_end_is_stopped_with_what_it_has_started(tmp_path: Path) -> None:
    log = tmp_path / "endless.log"
    assert run(python("endless", f"{STARTS}; asleep.wait()", hours=3 / 3600), tmp_path).verdict == STOPPED
    assert ends(int(log.read_text()))


def test_what_a_step_leaves_behind_is_stopped_too(tmp_path: Path) -> None:
    assert run(python("leaves", STARTS), tmp_path).verdict == PASSED
    assert ends(int((tmp_path / "leaves.log").read_text()))


def test_the_steps_that_are_named_are_run_in_that_order() -> None:
    assert [step.name for step in chosen(EVERY, "fuzz, test-real")] == ["fuzz", "real"]
    assert chosen(EVERY, "") == EVERY


def test_a_step_that_there_is_not_is_refused_in_words() -> None:
    with pytest.raises(SystemExit, match=r"there is no fuz; there are: conformance, real, "):
        chosen(EVERY, "fuz,real")


def test_the_table_says_what_failed_and_how_long_it_took() -> None:
    console = Console(width=60)
    with console.capture() as printed:
        console.print(table([Ended(EVERY[0], PASSED, 59.6), Ended(EVERY[1], FAILED, 3725)]))
    assert [line.split() for line in printed.get().splitlines()[1:]] == [
        ["conformance", "passed", "0:01:00"],
        ["real", "failed", "1:02:05"],
    ]


def test_each_step_is_a_target_that_make_has() -> None:
    targets = re.findall(r"^([a-z0-9-]+):.*## ", (HERE.root / "maintainer.mk").read_text(), re.MULTILINE)
    assert {step.commands[0][1] for step in EVERY} <= set(targets)


def test_the_workflow_runs_every_step() -> None:
    workflow = yaml.safe_load((HERE.root / ".github/workflows/nightly.yml").read_text())
    assert workflow["jobs"]["nightly"]["strategy"]["matrix"]["step"] == [step.name for step in EVERY]
