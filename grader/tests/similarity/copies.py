"""How well copies are told from texts that two people wrote: precision and recall, a line for each way to hide one.

The corpus: every text of a lab that somebody wrote alone (the solution, the sample class's students with texts of their
own, and the right answers of texts/), and a copy of each, hidden in every way of disguises.py that changes it.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

from disguises import WAYS

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
    shares: dict[tuple[str, str], float]  # by who wrote it and how the copy was hidden: what they have in common
    common: dict[tuple[str, str], float]  # of two people

    def missed(self) -> list[tuple[str, str]]:
        return [pair for pair, share in self.shares.items() if share < SHOWN_FROM]

    def blamed(self) -> list[tuple[str, str]]:
        return [pair for pair, share in self.common.items() if share >= SHOWN_FROM]


def independent_texts(lab: Lab) -> dict[str, str]:
    """By who wrote it."""
    solution = "\n".join(path.read_text() for path in sorted((HERE.solutions / lab.id).glob("*.cu")))
    own = HERE.class_tables / lab.id
    students = [student for student in read_class(HERE, load_labs(HERE.labs)) if student.lab.id == lab.id]
    texts = {one.name: "\n".join(one.files.values()) for one in students if (own / one.name).is_dir()}
    more = {path.stem: path.read_text() for path in sorted((TEXTS / lab.id).glob("*.cu"))}
    return {"the solution": solution} | texts | more


@cache
def measure(lab: Lab) -> Measured:
    given = Given.of(given_texts(HERE, lab))
    texts = independent_texts(lab)
    own = {who: runs_of(text, given) for who, text in texts.items()}
    shares = {
        (who, way): share_of(own[who], runs_of(copy, given))
        for who, text in texts.items()
        for way, hide in WAYS.items()
        if (copy := hide(text, given.names)) != text
    }
    common = {(one, other): share_of(own[one], own[other]) for one, other in combinations(texts, 2)}
    return Measured(lab.id, len(texts), shares, common)


def table(measured: Sequence[Measured]) -> str:
    """A line a way: copies hidden in that way are told from pairs of two people."""
    pairs, blamed = sum(len(one.common) for one in measured), sum(len(one.blamed()) for one in measured)
    most = max(share for one in measured for share in one.common.values())
    lines = ["| hidden by | copies | found | precision | recall | least in common |", "|---|---|---|---|---|---|"]
    for way in WAYS:
        shares = [share for one in measured for (_, how), share in one.shares.items() if how == way]
        found = sum(share >= SHOWN_FROM for share in shares)
        precision = found / max(found + blamed, 1)
        lines.append(
            f"| {way} | {len(shares)} | {found} | {precision:.2f} | {found / len(shares):.2f} | {min(shares):.0%} |"
        )
    by_lab = ", ".join(f"{one.independent} of {one.lab.split('-')[0]}" for one in measured)
    lines += [
        "",
        f"{by_lab}: of {pairs} pairs of texts that were written apart, {blamed} have {SHOWN_FROM:.0%} or more",
    ]
    return "\n".join([*lines[:-1], f"{lines[-1]} in common, and none more than {most:.0%}."])


def main() -> None:
    measured = [measure(lab) for lab in load_labs(HERE.labs) if lab.id.split("-")[0] in LABS]
    print(table(measured))
    for one in measured:
        for who, way in one.missed():
            print(f"missed: {one.lab}, {who}: {way} ({one.shares[who, way]:.0%})", file=sys.stderr)


if __name__ == "__main__":
    main()
