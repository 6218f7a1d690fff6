"""What the course's staff says of hand-ins as it reads them: which of it holds, and where it stands now."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from staff.term.settings import SETTINGS_FILE
from staff.term.store import Remark, Store
from tmagrade.basics.paths import HERE

# Of grades that are no term's.
REVIEW_FILE = "review.sqlite"

Remarks = Mapping[tuple[str, str], Sequence[Remark]]  # by student, as the grades have the name, and lab
Stands = Literal["same", "moved", "changed"]


def has_term(grades: Path) -> bool:
    """Whether these are the grades of the course's term; others are a trial."""
    return grades.absolute() == HERE.grades.absolute() and (HERE.term / SETTINGS_FILE).exists()


def store_of(grades: Path) -> Store:
    """Where a remark on these grades is kept: in the term, else beside them."""
    return Store(HERE.term) if has_term(grades) else Store(grades, REVIEW_FILE)


def remarks_on(grades: Path) -> Remarks:
    """All that holds of what was said of them, also before there was a term."""
    return in_force(ever_said_on(grades))


def ever_said_on(grades: Path) -> list[Remark]:
    kept = Store(grades, REVIEW_FILE).read(Remark)
    return [*kept, *Store(HERE.term).read(Remark)] if has_term(grades) else kept


def in_force(remarks: Iterable[Remark]) -> Remarks:
    """Those that nobody has taken back, in their last words, where they stood first."""
    remarks = list(remarks)
    gone = {one.about for one in remarks if one.kind == "withdraw"}
    last = {one.root: one for one in remarks if one.kind != "withdraw" and one.root not in gone}
    found: dict[tuple[str, str], list[Remark]] = {}
    for one in last.values():  # a dictionary keeps the place of what is written over
        found.setdefault((one.student, one.lab), []).append(one)
    return found


def is_reviewed(remarks: Collection[Remark], hand_in: str) -> bool:
    """Whether somebody has read this very hand-in to its end."""
    return any(one.kind == "reviewed" and one.hand_in == hand_in for one in remarks)


def place_now(remark: Remark, lines: Sequence[str]) -> tuple[int, Stands]:
    """Where the line of a remark is in a later text: the nearest line of the same words. Where there is none it is
    changed, and the remark stays at its number, or at the end."""
    wanted = remark.source.strip()
    same = [number for number, line in enumerate(lines, 1) if line.strip() == wanted]
    if remark.line in same:
        return remark.line, "same"
    if wanted and same:
        return min(same, key=lambda number: abs(number - remark.line)), "moved"
    return max(min(remark.line, len(lines)), 1), "changed"
