"""What `make test` leaves out because it takes long is what `make test-long` takes, and the nightly has all of it."""

import re
import sys
from pathlib import Path

import pytest
from long_cases import files_of_share, long_but

from tmagrade.basics.paths import HERE

sys.path.append(str(HERE.grader / "tests/nightly"))

from nightly import steps

MAINTAINER = (HERE.root / "maintainer.mk").read_text()


def marks(recipe: str) -> list[str]:
    """Of the tests that a target takes, by their marks."""
    [text] = re.findall(rf"^{recipe}:.*\n((?:\t.*\n)+)", MAINTAINER, re.MULTILINE)
    return re.findall(r"-m (long|\"not [a-z_ ]+\")", text)


def test_what_one_target_leaves_out_the_other_takes() -> None:
    assert marks("test") == marks("test-quick") == ['"not whole_machine and not long"']
    assert marks("test-long") == ["long"]


def test_the_nightly_has_all_shares() -> None:
    files = [Path(f"test_{number}.py") for number in range(10)]
    shares = [command[2] for step in steps() for command in step.commands if command[1] == "test-long"]
    taken = [file for share in shares for file in files_of_share(files, share.removeprefix("SHARE="))]
    assert len(shares) > 1 and sorted(taken) == files


def test_all_cases_are_long_but_those_that_are_named() -> None:
    one, *others = long_but({"a"}, [("a", 1), ("b", 2), ("c", 3)], lambda case: str(case[0]))
    assert one == ("a", 1)
    assert [(other.values, [mark.name for mark in other.marks]) for other in others] == [
        (("b", 2), ["long"]),
        (("c", 3), ["long"]),
    ]


def test_a_name_that_no_case_has_is_told() -> None:
    with pytest.raises(AssertionError, match=r"no case is called \{'d'\}"):
        long_but({"a", "d"}, "abc")
