"""A number that prose has of something in the repository is how many there are."""

import re
import sys
from collections.abc import Callable

import pytest

from staff.sample_class.tables import read_class
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs

sys.path.insert(0, str(HERE.grader / "tests/attacks"))

from attacks import read_attacks

LABS = {lab.id: lab for lab in load_labs(HERE.labs)}
WORDS = {12: "twelve", 13: "thirteen", 14: "fourteen", 15: "fifteen", 16: "sixteen"}


def attacks() -> str:
    return str(len(read_attacks()))


def hand_ins_of_the_sample_class() -> str:
    return str(len(read_class(HERE, list(LABS.values()))))


def hunts(lab: str) -> str:
    return WORDS[len(LABS[lab].parts)]


# A page, what it says around the number, and what is counted.
COUNTS: list[tuple[str, str, Callable[[], str]]] = [
    ("handout/instructors.md", r"hands in \[(\d+) attacks\]", attacks),
    ("handout/inside/claims.md", r"No hostile submission \(of (\d+)\)", attacks),
    ("handout/inside/claims.md", r"whole sample class, (\d+) hand-ins", hand_ins_of_the_sample_class),
    ("handout/labs/lab11-bug-hunts.md", r"Here are (\w+) small kernels", lambda: hunts("lab11-bug-hunts")),
    ("handout/labs/lab13-product-hunts.md", r"Here are (\w+) small kernels", lambda: hunts("lab13-product-hunts")),
    (
        "handout/labs/lab12-matmul.md",
        r"\(lab13-product-hunts.md\): (\w+) products",
        lambda: hunts("lab13-product-hunts"),
    ),
]


@pytest.mark.parametrize(("page", "words", "counted"), COUNTS, ids=[f"{page} {words}" for page, words, _ in COUNTS])
def test_a_number_in_prose_is_what_is_counted(page: str, words: str, counted: Callable[[], str]) -> None:
    said = re.findall(words, " ".join((HERE.root / page).read_text(encoding="utf-8").split()))
    assert said == [counted()]
