"""A plugin of pytest for `make test-quick`: leaves out each test that would start or read what was compiled here (an
emulated program, the judge, the runner, a release's programs), that would start a compiler, make, pip or the command
line, or more than a dozen other programs, which are those of a pretended class. It does so at the moment when a test
would, and says at the end how many there are. So nobody keeps a list of what is quick, and nothing need be compiled.
"""

import os
import sys
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

COMPILED = tuple(f"{HERE.build / folder}/" for folder in ("bin", "lib", "tests", "portable"))
TOOLKITS = (f"{HERE.root}/.venv/cuda/", "/usr/local/cuda/")
OTHERS = {"make", "g++", "gcc", "tmagrade", "install.sh"}
SHELLS = {"bash", "sh"}
LEFT_OUT = "not quick: needs "
# Of programs that take little time. With a pretended compiler and judge a hand-in takes ten, and a class more.
MOST = 12
MANY = f"more than {MOST} programs"

# How many each test has started. And the tests and fixtures that started too many: with other parameters, and for other
# tests, they would again.
started: Counter[str] = Counter()
not_quick: set[str] = set()
# Why each test is left out. What it does next may not be its fault: a thread may have kept the reason to itself.
left_out: dict[str, str] = {}


def program_of(words: list[str]) -> str:
    """Which of the words of a command is a program that takes time; "" where none is."""
    if Path(words[0]).name in SHELLS:
        words = [part for word in words[1:] for part in word.split()]
        return next((word for word in words if Path(word).name in OTHERS), "")
    if Path(words[0]).name in OTHERS:
        return words[0]
    # What the command line starts is not seen from here.
    if words[1:3] == ["-m", "tmagrade"] or (words[1:] and words[1].endswith("/tmagrade/__main__.py")):
        return "tmagrade"
    return next((word for word in words if word.startswith(COMPILED + TOOLKITS)), "")


def is_compiled(file: str) -> bool:
    return file.startswith(COMPILED)


def needed(event: str, arguments: tuple[object, ...]) -> str:
    """What a test is about to start or to open that it is left out for; "" where that is nothing."""
    if event == "open":
        file = arguments[0]
        return file if isinstance(file, str) and is_compiled(file) else ""
    if event == "os.fork":
        return "a fork of itself"
    if event != "subprocess.Popen":
        return ""
    command = arguments[1]
    words = command if isinstance(command, list | tuple) else [command]
    program = program_of([os.fsdecode(word) for word in words if isinstance(word, str | bytes | os.PathLike)])
    return program or one_more()


def one_more() -> str:
    test, _, phase = os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")
    started[test] += 1
    if started[test] <= MOST:
        return ""
    if phase == "(call)":
        not_quick.add(function(test))
    return MANY


def function(test: str) -> str:
    return test.partition("[")[0]


def _leave_out(event: str, arguments: tuple[object, ...]) -> None:
    """Called for all that Python does (sys.addaudithook)."""
    if "PYTEST_CURRENT_TEST" in os.environ and (what := needed(event, arguments)):
        reason = f"{LEFT_OUT}{Path(what).name}"
        left_out[os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0]] = reason
        pytest.skip(reason)


def fixture(test: str, name: str) -> str:
    return f"{test.partition('::')[0]} {name}"


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    try:
        return (yield)
    except pytest.skip.Exception as reason:
        if str(reason) == f"{LEFT_OUT}{MANY}":
            not_quick.add(fixture(request.node.nodeid, fixturedef.argname))
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Function) -> Generator[None, object, object]:
    test = item.nodeid
    if {function(test), *(fixture(test, name) for name in item.fixturenames)} & not_quick:
        pytest.skip(f"{LEFT_OUT}{MANY}")
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Function) -> Generator[None, object, object]:
    try:
        return (yield)
    except Exception:
        if item.nodeid in left_out:
            pytest.skip(left_out[item.nodeid])
        raise


def pytest_configure() -> None:
    sys.addaudithook(_leave_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    files = Counter(report.nodeid.partition("::")[0] for report in skipped if LEFT_OUT in str(report.longrepr))
    if not files:
        return
    terminalreporter.section("left out, since they need what was compiled, a compiler, make, tmagrade or many programs")
    for file, tests in files.most_common():
        terminalreporter.write_line(f"{tests:5} {Path(file).name}")
    terminalreporter.write_line(f"{files.total():5} in all: make test has them")
