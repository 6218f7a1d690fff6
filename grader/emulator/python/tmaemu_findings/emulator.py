"""What the emulator says of itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tmaemu_findings.findings import UsageError

# Above this package's folder: build/lib/emulator/python, or the same in a wheel.
TMAEMU = Path(__file__).resolve().parents[4] / "bin/tmaemu"


def mistakes() -> dict[str, str]:
    """What tmaemu can find: what each code stands for, in a sentence."""
    rows = re.findall(r"^  ([a-z0-9-]+) {2,}(\S.*(?:\n {4,}\S.*)*)$", _say("--explain"), re.MULTILINE)
    return {code: " ".join(sentence.split()) for code, sentence in rows if code != "code"}


def version() -> str:
    return _say("--version").split()[1]


def _say(option: str) -> str:
    try:
        return subprocess.run([TMAEMU, option], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise UsageError(f"cannot ask {TMAEMU} for {option}: {error}") from error
