"""groups.csv: who shares hand-ins with whom, and of which labs. It is needed only where that changes in a term.

A row that a course writes there decides, whatever was graded before, and at once. Else a lab keeps the group with which
it was graded: a team that is entered in week 4 has not handed in lab 1 together. What was not graded yet has the group
of roster.csv, and so has what only one of that group was graded for, since nobody's own is taken over then.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from staff.term.own_files import refuse, rows_of
from staff.term.roster import Roster
from staff.term.settings import Settings
from staff.term.store import Result

GROUPS_FILE = "groups.csv"
COLUMNS = ("group", "id", "from", "until")
ALONE = " "  # in the store, of who was graded in no group: a cell of a table is never a blank alone

RosterOf = Callable[[str], Roster]  # a lab's: with the groups that it was handed in by


@dataclass(frozen=True)
class Membership:
    """One row."""

    group: str  # empty: alone
    person: str
    labs: frozenset[str]


def read_groups(folder: Path, roster: Roster, settings: Settings) -> tuple[Membership, ...]:
    """None where there is no such file. UsageError with every mistake, and the line where it is."""
    path = folder / GROUPS_FILE
    if not path.exists():
        return ()
    rows = rows_of(path, COLUMNS, ("group", "id"))
    mistakes: list[str] = []
    found: dict[int, Membership] = {}
    for line, row in rows.items():
        if row["id"] not in roster.by_id:
            mistakes.append(f"line {line}: the roster has no id {row['id']!r}")
        try:
            found[line] = Membership(row["group"], row["id"], _labs(row, settings))
        except ValueError as error:
            mistakes.append(f"line {line}: {error}")
    refuse(path, [*mistakes, *_twice(found)])
    return tuple(found.values())


def _labs(row: Mapping[str, str], settings: Settings) -> frozenset[str]:
    """From one deadline to another, both included; a day is that of the deadlines. ValueError where it is neither."""
    in_order = sorted(settings.labs, key=lambda one: one.due)
    names = [one.lab for one in in_order]
    days = [one.due.date() for one in in_order]

    def place(text: str, bound: Callable[[date], int], otherwise: int) -> int:
        if not text:
            return otherwise
        fitting = [name for name in names if name == text or name.startswith(f"{text}-")]
        if len(fitting) == 1:
            return names.index(fitting[0])
        try:
            return bound(date.fromisoformat(text))
        except ValueError:
            raise ValueError(f"{text!r} is neither a lab of the term nor a day, as 2026-10-02") from None

    first = place(row["from"], lambda day: sum(due < day for due in days), 0)
    last = place(row["until"], lambda day: sum(due <= day for due in days) - 1, len(names) - 1)
    return frozenset(names[first : last + 1])


def _twice(found: Mapping[int, Membership]) -> Iterator[str]:
    taken: dict[tuple[str, str], int] = {}
    for line, one in found.items():
        for lab in sorted(one.labs):
            if (before := taken.setdefault((one.person, lab), line)) != line:
                yield f"line {line}: {one.person} is in a group for {lab} in line {before}, too"


def rosters(roster: Roster, written: Sequence[Membership], results: Iterable[Result]) -> RosterOf:
    """The roster with each lab's groups."""
    named = {one.person for one in written}
    recorded: dict[str, dict[str, str]] = {}
    for result in results:
        if result.group and result.person not in named:
            recorded.setdefault(result.lab, {})[result.person] = result.group.strip()

    @cache
    def of_lab(lab: str) -> Roster:
        said = {one.person: one.group for one in written if lab in one.labs}
        graded = recorded.get(lab, {})
        alone = Counter(roster.by_id[who].group for who, group in graded.items() if not group and who in roster.by_id)
        kept = {
            who: group
            for who, group in graded.items()
            if group or (one := roster.by_id.get(who)) is None or alone[one.group] > 1
        }
        return roster.with_groups(dict.fromkeys(named, "") | kept | said)

    return of_lab
