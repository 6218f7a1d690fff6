"""How well copies are told from texts that two people wrote: precision and recall, a line a lab.

The corpus: every text of a lab that somebody wrote alone (the solution, the sample class's students with texts of their
own, and the right answers of texts/), and a copy of each in every disguise of disguises.py.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

from disguises import all_of_them, in_another_order, padded, reflowed, renamed, with_while, without_comments

from staff.sample_class.tables import read_class
from staff.similarity.alike import SHOWN_FROM, Given, runs_of, share_of
from staff.similarity.given import given_texts
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab, load_labs

LABS = ("lab3", "lab6", "lab8")
TEXTS = Path(__file__).parent / "texts"


@dataclass(frozen=True)
class Measured:
    lab: str
    independent: int
    copies: int
    found: int  # of the pairs of a copy and what it was made from
    missed: tuple[str, ...]
    blamed: tuple[str, ...]  # pairs of texts that two people wrote
    least: float  # that a copy has of what it was made from
    most: float  # that two people have in common

    @property
    def precision(self) -> float:
        return self.found / max(self.found + len(self.blamed), 1)

    @property
    def recall(self) -> float:
        return self.found / max(self.found + len(self.missed), 1)


def independent_texts(lab: Lab) -> dict[str, str]:
    """By who wrote it."""
    solution = "\n".join(path.read_text() for path in sorted((HERE.solutions / lab.id).glob("*.cu")))
    own = HERE.class_tables / lab.id
    students = [student for student in read_class(HERE, load_labs(HERE.labs)) if student.lab.id == lab.id]
    texts = {one.name: "\n".join(one.files.values()) for one in students if (own / one.name).is_dir()}
    more = {path.stem: path.read_text() for path in sorted((TEXTS / lab.id).glob("*.cu"))}
    return {"the solution": solution} | texts | more


def disguises(text: str, given: frozenset[str]) -> Iterator[tuple[str, str]]:
    yield "as it was", text
    yield "renamed", renamed(text, given)
    yield "without comments", without_comments(text)
    yield "reflowed", reflowed(text)
    yield "in another order", in_another_order(text)
    yield "padded", padded(text)
    yield "other loops", with_while(text)
    yield "all of them", all_of_them(text, given)


@cache
def measure(lab: Lab) -> Measured:
    given = Given.of(given_texts(HERE, lab))
    texts = independent_texts(lab)
    own = {who: runs_of(text, given) for who, text in texts.items()}
    shares = {
        f"{who}, {how}": share_of(own[who], runs_of(copy, given))
        for who, text in texts.items()
        for how, copy in disguises(text, given.names)
    }
    common = {f"{one} and {other}": share_of(own[one], own[other]) for one, other in combinations(texts, 2)}
    missed = tuple(pair for pair, share in shares.items() if share < SHOWN_FROM)
    blamed = tuple(pair for pair, share in common.items() if share >= SHOWN_FROM)
    found = len(shares) - len(missed)
    least, most = min(shares.values()), max(common.values())
    return Measured(lab.id, len(texts), len(shares), found, missed, blamed, least, most)


def main(names: Sequence[str] = LABS) -> None:
    for lab in load_labs(HERE.labs):
        if lab.id.split("-")[0] in names:
            said = measure(lab)
            print(
                f"{lab.id}: {said.independent} independent texts, {said.copies} copies: "
                f"precision {said.precision:.2f}, recall {said.recall:.2f}; "
                f"copies have {said.least:.0%} or more in common, two who wrote alone at most {said.most:.0%}"
            )
            for line in (*(f"missed: {one}" for one in said.missed), *(f"blamed: {one}" for one in said.blamed)):
                print(f"  {line}")


if __name__ == "__main__":
    main(sys.argv[1:] or LABS)
