"""A plugin of pytest for `make test-quick`: leaves out each test that would start what was compiled here (an emulated
program, the judge, the runner), a compiler, make or the command line, at the moment when it would, and says at the end
how many there are. So nobody keeps a list of what is quick.
"""

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

COMPILED = tuple(HERE.build / folder for folder in ("bin", "lib", "tests"))
TOOLKITS = (HERE.root / ".venv/cuda", Path("/usr/local/cuda"))
OTHERS = {"make", "g++", "gcc", "tmagrade"}
SHELLS = {"bash", "sh"}
LEFT_OUT = "not quick: starts "


def program_of(words: list[str]) -> str:
    """Which of the words of a command is a program that takes time; "" where none is."""
    if Path(words[0]).name in SHELLS:
        words = [part for word in words[1:] for part in word.split()]
        return next((word for word in words if Path(word).name in OTHERS), "")
    if Path(words[0]).name in OTHERS:
        return words[0]
    if words[1:3] == ["-m", "tmagrade"]:  # what it starts is not seen from here
        return "tmagrade"
    return next((word for word in words if _is_in(word, COMPILED) or _is_in(word, TOOLKITS)), "")


def _is_in(word: str, folders: tuple[Path, ...]) -> bool:
    path = Path(word)
    return path.is_absolute() and any(path.is_relative_to(folder) for folder in folders)


def _leave_out(event: str, arguments: tuple[object, ...]) -> None:
    """Called for all that Python does (sys.addaudithook)."""
    if event != "subprocess.Popen" or "PYTEST_CURRENT_TEST" not in os.environ:
        return
    command = arguments[1]
    words = command if isinstance(command, list | tuple) else [command]
    program = program_of([os.fsdecode(word) for word in words if isinstance(word, str | bytes | os.PathLike)])
    if program:
        pytest.skip(f"{LEFT_OUT}{Path(program).name}")


def pytest_configure() -> None:
    sys.addaudithook(_leave_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    files = Counter(report.nodeid.partition("::")[0] for report in skipped if LEFT_OUT in str(report.longrepr))
    if not files:
        return
    terminalreporter.section("left out, since they start what was compiled, a compiler, make or tmagrade")
    for file, tests in files.most_common():
        terminalreporter.write_line(f"{tests:5} {Path(file).name}")
    terminalreporter.write_line(f"{files.total():5} in all: make test has them")
