"""What the course's staff says of hand-ins as it reads them: which of it holds, and where it stands now."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from staff.term.roster import read_roster
from staff.term.settings import SETTINGS_FILE
from staff.term.store import Remark, Result, Store
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
    """All that holds of what was said of them, also before there was a term, and of people who had other names then:
    under each name, since the grades may still have the old one."""
    remarks = in_force(ever_said_on(grades))
    if not has_term(grades) or not remarks:
        return remarks
    now_called = _now_called({student for student, _ in remarks})
    together: dict[tuple[str, str], list[Remark]] = {}
    for (student, lab), said in remarks.items():
        together.setdefault((now_called[student], lab), []).extend(said)
    return together | {(student, lab): together[now_called[student], lab] for student, lab in remarks}


def _now_called(names: Collection[str]) -> dict[str, str]:
    """What the roster calls those who had these names in grades: by the platform's name of their results, or their
    own."""
    roster = read_roster(HERE.term)
    former = {name for name in names if name not in roster.by_id}
    handed_in = {(one.person, one.platform, one.called) for one in Store(HERE.term).read(Result)} if former else set()
    found = {name: name for name in names}
    for name in former:
        whose = {roster.who(platform, called) for person, platform, called in handed_in if person == name}
        people = {one for one in (*whose, roster.who_anywhere(name)) if len(one) == 1}
        if len(people) == 1:
            found[name] = people.pop()[0].id
    return found


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
