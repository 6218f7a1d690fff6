"""A plugin of pytest for `make test-quick`: leaves out each test that would start or read what was compiled here (an
emulated program, the judge, the runner, a release's programs), or start a compiler, make or the command line, at the
moment when it would, and says at the end how many there are. So nobody keeps a list of what is quick, and nothing need
be compiled for it.
"""

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

COMPILED = tuple(f"{HERE.build / folder}/" for folder in ("bin", "lib", "tests", "portable"))
TOOLKITS = (f"{HERE.root}/.venv/cuda/", "/usr/local/cuda/")
OTHERS = {"make", "g++", "gcc", "tmagrade"}
SHELLS = {"bash", "sh"}
LEFT_OUT = "not quick: needs "


def program_of(words: list[str]) -> str:
    """Which of the words of a command is a program that takes time; "" where none is."""
    if Path(words[0]).name in SHELLS:
        words = [part for word in words[1:] for part in word.split()]
        return next((word for word in words if Path(word).name in OTHERS), "")
    if Path(words[0]).name in OTHERS:
        return words[0]
    if words[1:3] == ["-m", "tmagrade"]:  # what it starts is not seen from here
        return "tmagrade"
    return next((word for word in words if word.startswith(COMPILED + TOOLKITS)), "")


def is_compiled(file: str) -> bool:
    return file.startswith(COMPILED)


def needed(event: str, arguments: tuple[object, ...]) -> str:
    """What a test is about to start or to open that it is left out for; "" where that is nothing."""
    if event == "open":
        file = arguments[0]
        return file if isinstance(file, str) and is_compiled(file) else ""
    if event == "subprocess.Popen":
        command = arguments[1]
        words = command if isinstance(command, list | tuple) else [command]
        return program_of([os.fsdecode(word) for word in words if isinstance(word, str | bytes | os.PathLike)])
    return ""


def _leave_out(event: str, arguments: tuple[object, ...]) -> None:
    """Called for all that Python does (sys.addaudithook)."""
    if "PYTEST_CURRENT_TEST" in os.environ and (what := needed(event, arguments)):
        pytest.skip(f"{LEFT_OUT}{Path(what).name}")


def pytest_configure() -> None:
    sys.addaudithook(_leave_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    files = Counter(report.nodeid.partition("::")[0] for report in skipped if LEFT_OUT in str(report.longrepr))
    if not files:
        return
    terminalreporter.section("left out, since they need what was compiled, a compiler, make or tmagrade")
    for file, tests in files.most_common():
        terminalreporter.write_line(f"{tests:5} {Path(file).name}")
    terminalreporter.write_line(f"{files.total():5} in all: make test has them")
