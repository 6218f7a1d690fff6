"""A program that nobody here wrote, as it ended under the emulator."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ran:
    returncode: int
    stdout: str
    stderr: str
    seconds: float = 0

    @property
    def findings(self) -> tuple[str, ...]:
        return tuple(sorted(set(re.findall(r": error: .*\[([a-z-]+)\]$", self.stderr, re.MULTILINE))))

    def unexpected(self, expected: tuple[str, ...]) -> str:
        """What was found in place of these: "" where it was these."""
        if self.findings == expected:
            return ""
        return "found {}, expected {}".format(*(", ".join(codes) or "nothing" for codes in (self.findings, expected)))


def run(
    command: Sequence[str], limit: float, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> Ran:
    """Runs it for up to so many seconds. What it prints need not be Unicode."""
    start = time.monotonic()
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=limit,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Ran(1, "", f"not done after {limit:g} s\n", limit)
    out, err = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
    return Ran(done.returncode, out, err, time.monotonic() - start)
