"""What each person's labs count: from the store, the settings and the roster. The same ones give the same sheet."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction

from staff.term.deadlines import Deadline
from staff.term.decisions import all_in_force, platforms_times
from staff.term.groups import RosterOf
from staff.term.late_days import Worth, best_use, dropped
from staff.term.roster import Person, Roster
from staff.term.scores import Counted, Decided, Graded, Step, count, shown
from staff.term.settings import Settings, TermLab
from staff.term.store import Decision, LeftOut, Result
from staff.term.which_counts import counting
from tmagrade.course.labs import Lab


@dataclass(frozen=True)
class Cell:
    """One person's lab."""

    lab: str
    counted: Counted
    result: Result | None
    days_late: int
    late_days: int  # that cover some of them
    handed_in: datetime | None  # in the course's own time
    is_excused: bool = False
    decisions: tuple[Decision, ...] = ()  # that hold; of a time that a platform says, for whose hand-in it is
    remarks: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        return "no score" if self.counted.score is None else shown(self.counted.score)


@dataclass(frozen=True)
class Row:
    person: Person
    cells: Mapping[str, Cell]
    dropped: tuple[str, ...]

    @property
    def counting(self) -> list[Cell]:
        return [cell for cell in self.cells.values() if cell.counted.score is not None and cell.lab not in self.dropped]

    @property
    def total(self) -> Fraction:
        return sum((cell.counted.score or Fraction(0) for cell in self.counting), Fraction(0))

    @property
    def max(self) -> Fraction:
        return sum((cell.counted.max for cell in self.counting), Fraction(0))

    @property
    def pending(self) -> Fraction:
        return sum((cell.counted.pending for cell in self.counting), Fraction(0))


@dataclass(frozen=True)
class Sheet:
    labs: tuple[str, ...]
    rows: tuple[Row, ...]  # one for everybody on the roster

    def of_sections(self, sections: Container[str]) -> "Sheet":
        return replace(self, rows=tuple(row for row in self.rows if row.person.section in sections))

    def row_of(self, person: Person) -> Row:
        return next(row for row in self.rows if row.person.id == person.id)


def make_sheet(
    settings: Settings,
    roster: Roster,
    roster_of: RosterOf,
    labs: Sequence[Lab],
    results: Iterable[Result],
    decisions: Iterable[Decision],
    left_out: Iterable[LeftOut],
    at: datetime,
) -> Sheet:
    """The sheet as it is at a moment, which decides only whose labs are overdue. Who has dropped has no row."""
    decided = all_in_force(decisions)
    latest = counting(results, roster_of, platforms_times(decided))
    ignored = {(one.person, one.lab): one.said for one in left_out if one.person}

    def decided_of_lab(person: Person, lab: str) -> list[Decision]:
        own = decided.get((person.id, lab), [])
        result = latest.get((person.id, lab))
        whose = [] if result is None else roster_of(lab).who(result.platform, result.called)
        if len(whose) != 1 or whose[0].id == person.id:
            return own
        # It is another member's alone, and so is the time that the platform says of it.
        theirs = decided.get((whose[0].id, lab), [])
        return [one for one in theirs if one.is_platforms_time] + [one for one in own if not one.is_platforms_time]

    points = {lab.id: Fraction(str(lab.points.total)) for lab in labs}
    rows = tuple(
        _row(
            settings,
            person,
            {one.lab: latest.get((person.id, one.lab)) for one in settings.labs},
            {one.lab: decided_of_lab(person, one.lab) for one in settings.labs},
            {one.lab: ignored.get((person.id, one.lab), "") for one in settings.labs},
            points,
            at,
        )
        for person in roster.present
    )
    return Sheet(tuple(one.lab for one in settings.labs), rows)


def _row(
    settings: Settings,
    person: Person,
    results: Mapping[str, Result | None],
    decisions: Mapping[str, list[Decision]],
    ignored: Mapping[str, str],
    points: Mapping[str, Fraction],
    at: datetime,
) -> Row:
    rule = settings.late.rule
    each: list[list[Cell]] = []  # a lab's cells with no late day, one, two ...
    for lab in settings.labs:
        late = days_late(settings, lab, results[lab.lab], decisions[lab.lab])
        given = (settings, lab, results[lab.lab], decisions[lab.lab], ignored[lab.lab])
        each.append([_cell(*given, (late, used), points, at) for used in range(rule.most(late) + 1)])
    worths = [Worth(tuple(cell.counted.score for cell in cells), cells[0].counted.max) for cells in each]
    used = best_use(worths, rule, settings.drop_lowest)
    chosen = [cells[days] for cells, days in zip(each, used)]
    lowest = dropped(worths, used, settings.drop_lowest)
    return Row(person, {cell.lab: cell for cell in chosen}, tuple(chosen[index].lab for index in sorted(lowest)))


def _cell(
    settings: Settings,
    lab: TermLab,
    result: Result | None,
    decisions: list[Decision],
    ignored: str,
    late: tuple[int, int],
    points: Mapping[str, Fraction],
    at: datetime,
) -> Cell:
    decided = decided_of(decisions)
    max_ = points[lab.lab] if result is None else Fraction(result.max)
    graded = None if result is None else _graded(result)
    counted = count(graded, max_, *late, settings.late.rule, decided, settings.pending == "scale")
    remarks: tuple[str, ...] = ()
    if counted.score is None and not decided.is_excused:
        overdue = at > deadline_of(settings, lab, decisions).end_of_day(0)
        if ignored:
            remarks = (f"has no score and no 0, for something of theirs was not graded: {ignored}",)
        elif settings.missing == "zero" and overdue:
            steps = (*counted.steps, Step("overdue: 0", Fraction(0)))
            counted = Counted(Fraction(0), max_, Fraction(0), steps)
    when = None if result is None else handed_in(result, decisions)
    if result is not None and result.is_late and when is None:
        remarks = (f"{result.source} says that it was late, and not by how much: tmagrade term times says it",)
    local = None if when is None else when.astimezone(settings.zone)
    return Cell(lab.lab, counted, result, *late, local, decided.is_excused, tuple(decisions), remarks)


def _graded(result: Result) -> Graded:
    return Graded(Fraction(result.score), Fraction(result.max), Fraction(result.pending))


def decided_of(decisions: Sequence[Decision]) -> Decided:
    overrides = [Fraction(one.value) for one in decisions if one.kind == "override"]
    added = sum((Fraction(one.value) for one in decisions if one.kind == "add"), Fraction(0))
    is_excused = any(one.kind == "excuse" for one in decisions)
    return Decided(overrides[-1] if overrides else None, added, is_excused)


def deadline_of(settings: Settings, lab: TermLab, decisions: Sequence[Decision]) -> Deadline:
    until = [datetime.fromisoformat(one.value) for one in decisions if one.kind == "extend"]
    return settings.deadline(lab).extended(until)


def handed_in(result: Result, decisions: Sequence[Decision]) -> datetime | None:
    """When: as somebody has decided, else as the platform says; None where nobody does."""
    said = [one.value for one in decisions if one.kind == "time"] or [result.handed_in]
    return datetime.fromisoformat(said[-1]) if said[-1] else None


def days_late(settings: Settings, lab: TermLab, result: Result | None, decisions: Sequence[Decision]) -> int:
    when = None if result is None else handed_in(result, decisions)
    return 0 if when is None else deadline_of(settings, lab, decisions).days_late(when)
