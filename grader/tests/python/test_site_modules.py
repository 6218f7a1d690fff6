"""The modules of the site's pages: their own tests, by Deno, and that they read what the emulator writes."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tmagrade.basics.paths import HERE

sys.path.insert(0, str(HERE.root / "handout/site/stepping"))

from launch_archive import launches

TESTS = HERE.root / "grader/tests/site"
# `make lint` installs it.
DENO = HERE.root / ".venv/bin/deno"
RUN_LAUNCH = HERE.build / "tests/run-launch"
TMAEMU = HERE.build / "bin/tmaemu"
# One load, store and reduction of each kind.
COPIES = HERE.build / "tests/stats/tma_copies"


def deno(command: str, *arguments: str | Path, given: str = "") -> str:
    """What Deno prints; all that it needs is in the repository."""
    assert DENO.exists(), "make lint could not install grader/setup/requirements-deno.txt"
    settings = {"DENO_DIR": str(HERE.build / "deno"), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        [DENO, command, "-q", "--no-remote", "--config", HERE.root / "handout/site/deno.json", *arguments],
        input=given,
        capture_output=True,
        text=True,
        env=os.environ | settings,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def written_for_pages(launch: str, policy: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TMAEMU_")}
    done = subprocess.run(
        [RUN_LAUNCH],
        input=launch,
        capture_output=True,
        text=True,
        env=environment | {"TMAEMU_ASYNC": policy, "TMAEMU_RECORD": "-"},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(lines: str) -> list[str]:
    """What a page says of the lines that it does not read."""
    *complaints, count = deno("run", TESTS / "read_messages.ts", given=lines).splitlines()
    assert count == f"{len(lines.splitlines())} lines read"
    return complaints


def test_the_modules_pass_their_tests() -> None:
    assert " 0 failed" in deno("test", TESTS / "modules")


def test_pages_read_what_the_emulator_writes_of_every_launch() -> None:
    runs = [written_for_pages(launch, policy) for launch in launches().values() for policy in ("late", "early")]
    assert all(len(run.splitlines()) == 2 for run in runs), "a recording, and what has come of it"
    assert refused("".join(runs)) == []


def test_pages_read_a_recording_of_every_kind_of_copy(tmp_path: Path) -> None:
    file = tmp_path / "recording.jsonl"
    subprocess.run([TMAEMU, f"--record={file}", COPIES], capture_output=True, timeout=120, check=True)
    assert refused(file.read_text(encoding="utf-8")) == []


def test_a_line_of_another_shape_is_refused() -> None:
    right, wrong, more = {"findings": [], "memory": ["00"]}, {"findings": [], "memory": [0]}, {"memory": [], "more": 1}
    assert refused(json.dumps(right)) == []
    assert len(refused("\n".join(map(json.dumps, (wrong, right, more))))) == 2
