"""What pages run is compiled when the site is made; where that fails, the reason is said and kept for the pages."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

# In place of the Python that has the bundler and the compiler: bundles at once; `-m ziglang` does what a test says.
PYTHON = """#!/bin/sh
case "$*" in
  *ziglang*) [ "$1" = -c ] || {{ {compiler}; }} ;;
esac
"""


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A repository with nothing but what build.sh needs."""
    shutil.copytree(HERE.root / "grader/emulator", tmp_path / "grader/emulator")
    (tmp_path / "bin").mkdir()
    return tmp_path


def build(repository: Path, compiler: str, **settings: str) -> str:
    """What build.sh says where the compiler is a command."""
    python = repository / "bin/python"
    python.write_text(PYTHON.format(compiler=compiler))
    python.chmod(0o755)
    command: list[str | Path] = [repository / "grader/emulator/browser/build.sh", repository, "bin/python", "1"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | settings, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stderr


def reason(repository: Path) -> str:
    return (repository / "build/browser/missing.txt").read_text()


def test_a_compiler_that_is_ended_at_its_limit_is_said_to_have_been(built: Path) -> None:
    said = build(built, "sleep 30", BROWSER_SECONDS="0.1")
    assert "a compiler was ended after 0.1 s, its limit" in reason(built)
    assert reason(built).strip() in said


def test_a_compiler_that_fails_is_said_to_have_failed_and_where_its_messages_are(built: Path) -> None:
    said = build(built, "echo no such option >&2; exit 1")
    assert reason(built) == "the compiler failed; build/browser/log has its messages.\n"
    assert reason(built).strip() in said
    assert "no such option" in (built / "build/browser/log").read_text()


def test_an_hour_passes_before_a_compiler_counts_as_hung() -> None:
    limited = (HERE.root / "grader/emulator/browser/limited.sh").read_text()
    assert "seconds=${BROWSER_SECONDS:-3600}" in limited
