"""What takes long: tests with the mark `long`, and cases that show once more, with another lab or page, what a case of
`make test` shows. `make test-long` takes them, a share of their files at a time if it is asked to.
"""

import os
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

import pytest


def long_but(short: Collection[str], cases: Iterable[Any], name: Callable[[Any], str] = str) -> list[Any]:
    """The cases; all are long but those with these names. Each of the names has to be a case's."""
    every = list(cases)
    missing = set(short) - {name(case) for case in every}
    assert not missing, f"no case is called {missing}"
    return [case if name(case) in short else _long(case) for case in every]


def _long(case: Any) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)


def files_of_share(files: Iterable[Path], share: str) -> set[Path]:
    """Of `2/3` each third one, from the second on."""
    number, of = map(int, share.split("/"))
    return set(sorted(set(files))[number - 1 :: of])


def left_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """The long tests that are in other shares than the one that is asked for."""
    long = [item for item in items if item.get_closest_marker("long")]
    mine = files_of_share((item.path for item in long), os.environ.get("SHARE") or "1/1")
    return [item for item in long if item.path not in mine]
