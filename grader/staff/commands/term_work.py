"""The work of the commands about a term; term_commands.py, which says how they are typed, starts without it."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path

from staff.commands.consent import demand_consent
from staff.commands.feedback_files import bring_feedback_up
from staff.commands.term_here import lab_of, opened_term, person_of, print_remarks, write_for_staff
from staff.term.deadlines import end_of
from staff.term.explanation import decided_text, local_time
from staff.term.plain_sheet import sheet_csv
from staff.term.roster import Person
from staff.term.scores import shown
from staff.term.settings import Settings
from staff.term.sheet import deadline_of
from staff.term.store import Decision, Published, Result
from staff.term.term import Term
from staff.term.which_counts import counting, no_later_than_graded
from tmagrade.basics.errors import UsageError
from tmagrade.basics.moment import handed_in_at
from tmagrade.basics.printing import print_line
from tmagrade.basics.untrusted import visible_line
from tmagrade.commands.command_line import out


def print_term() -> None:
    with opened_term() as term:
        print_line(out, f"{term.settings.title}: {len(term.roster.present)} students, {len(term.settings.labs)} labs")
        for one in term.settings.labs:
            print_line(out, f"  {one.lab}: due {one.due:%Y-%m-%d %H:%M} {term.settings.time_zone}")
        if groups := Counter(one.group for one in term.roster.present if one.group):
            [(largest, size)] = groups.most_common(1)
            print_line(out, f"  groups: {len(groups)}; the largest, {visible_line(largest)}: {size} who share hand-ins")


def extend(who: str, lab: str, until: str, reason: str, yes: bool) -> None:
    """Until a local time, or `+3d`: so many days after the deadline."""
    with opened_term() as term:
        one = term.settings.of_lab(lab_of(term, lab))
        assert one is not None
        if until.startswith("+") and until.endswith("d") and until[1:-1].isdigit():
            moment = one.due + timedelta(days=int(until[1:-1]))
            print_line(out, f"{until} from {one.due:%Y-%m-%d %H:%M}, when {one.lab} is due for everybody")
        else:
            moment = _moment(until, of_a_day=end_of)
        if moment.tzinfo is not None:
            raise UsageError(f"{until}: the course's own time is meant, without an offset")
        _decide(term, who, lab, "extend", moment.isoformat(timespec="minutes"), reason, yes)


def say_time(who: str, lab: str, when: str, reason: str) -> None:
    with opened_term() as term:
        moment = _moment(when, of_a_day=_beginning_of)
        moment = moment if moment.tzinfo else handed_in_at(moment, term.settings.zone)
        _decide(term, who, lab, "time", moment.astimezone(UTC).isoformat(), reason)


def override(who: str, lab: str, points: str, reason: str, yes: bool) -> None:
    with opened_term() as term:
        _decide(term, who, lab, "override", _points(points, negative=False), reason, yes)


def add(who: str, lab: str, points: str, reason: str, yes: bool) -> None:
    with opened_term() as term:
        _decide(term, who, lab, "add", _points(points, negative=True), reason, yes)


def excuse(who: str, lab: str, reason: str) -> None:
    with opened_term() as term:
        _decide(term, who, lab, "excuse", "", reason)


def withdraw(who: str, lab: str, kind: str, reason: str) -> None:
    with opened_term() as term:
        if kind not in {one.kind for one in term.decisions_of(person_of(term, who), lab_of(term, lab))}:
            raise UsageError(f"nothing of the kind {kind!r} was decided there")
        _decide(term, who, lab, "withdraw", kind, reason)


def print_history(who: str, lab: str) -> None:
    with opened_term() as term:
        person, name = person_of(term, who), lab_of(term, lab)
        results = [one for one in term.store.read(Result) if one.lab == name]
        counts = counting(results, term.roster_of, term.platforms_times).get((person.id, name))
        graded = [*no_later_than_graded(one for one in results if one.person == person.id)]
        if counts is not None and counts not in graded:  # the group's, of a time when they were none
            graded.append(counts)
        lines = [(one.grading, _graded(term.settings, one, is_counting=one == counts)) for one in graded]
        lines += [
            (one.at, f"{decided_text(term.settings, one)} by {one.by}: {one.reason}")
            for one in term.store.read(Decision)
            if (one.person, one.lab) == (person.id, name)
        ]
        lines += [
            (one.at, f"published in {one.target} by {one.by}: {one.cell}")
            for one in term.store.read(Published)
            if (one.person, one.lab) == (person.id, name)
        ]
        for at, said in sorted(lines, key=lambda line: line[0]):
            print_line(out, f"{local_time(term.settings, at)} {term.settings.time_zone}  {said}".rstrip())


def _graded(settings: Settings, one: Result, *, is_counting: bool) -> str:
    score = f"graded {one.score} of {one.max}, {one.pending} pending, {one.backend}, by {one.by}"
    when = f", handed in {local_time(settings, one.handed_in)}" if one.handed_in else ""
    return f"{score}; {one.called} ({one.platform}){when}{'; counts' if is_counting else ''} {one.why}".rstrip()


def write_sheet(to: Path | None) -> None:
    with opened_term() as term:
        sheet = term.sheet()
        print_remarks(sheet, sheet.labs)
        text = sheet_csv(sheet)
        if to is None:
            for line in text.splitlines():
                print_line(out, line)
        else:
            write_for_staff(to, text.encode())


def _decide(term: Term, who: str, lab: str, kind: str, value: str, reason: str, yes: bool = False) -> None:
    """Keeps a decision, and says what the lab counted before and counts now."""
    if not reason.strip():
        raise UsageError("--reason is empty: say why")
    person, name = person_of(term, who), lab_of(term, lab)
    doubts = list(_doubts(term, person, name, kind, value, reason))
    if doubts:
        demand_consent(f"decide, for {person.id} ({person.name})", doubts, yes)
    before = term.sheet().row_of(person).cells[name].counted.score
    decision = term.decide(person, name, kind, value, reason)
    after = term.sheet().row_of(person).cells[name].counted.score
    said = " -> ".join("no score" if score is None else shown(score) for score in (before, after))
    print_line(out, f"{person.id} ({person.name}), {name}: {decided_text(term.settings, decision)}; counts: {said}")
    bring_feedback_up(term, [person])


def _beginning_of(day: date) -> datetime:
    return datetime.combine(day, time())


def _doubts(term: Term, person: Person, lab: str, kind: str, value: str, reason: str) -> Iterator[str]:
    """What may be a slip of the hand: an override counts, and what is added twice counts twice."""
    most = next(one.points.total for one in term.labs if one.id == lab)
    if kind in ("override", "add") and Decimal(value) > most:
        yield f"{lab}: {kind} {value}, and the lab has {most:g} points"
    if kind == "extend":
        yield from _doubts_of_extension(term, person, lab, datetime.fromisoformat(value))
    before = [one for one in term.decisions_of(person, lab) if one.kind == kind == "add"]
    if any((Decimal(one.value), one.reason) == (Decimal(value), reason) for one in before):
        yield f"{lab}: {kind} {value} once more, for the same reason: {reason}"


def _doubts_of_extension(term: Term, person: Person, lab: str, until: datetime) -> Iterator[str]:
    """One that gives no time: of several the latest counts."""
    one = term.settings.of_lab(lab)
    assert one is not None
    now_due = deadline_of(term.settings, one, term.decisions_of(person, lab)).due
    if until <= now_due:
        due = f"{lab} is due for {person.id} at {now_due:%Y-%m-%d %H:%M} as it is"
        yield f"{due}, so {until:%Y-%m-%d %H:%M} gives no time"


def _moment(text: str, *, of_a_day: Callable[[date], datetime]) -> datetime:
    """Of a day alone, what is better for the student."""
    try:
        return datetime.fromisoformat(text) if len(text) > len("2026-09-25") else of_a_day(date.fromisoformat(text))
    except ValueError:
        raise UsageError(f"{text} is no time, such as 2026-09-25T23:59") from None


def _points(text: str, *, negative: bool) -> str:
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise UsageError(f"{text} is no number of points") from None
    if value.is_finite() and value < 0 and not negative:
        raise UsageError(f"{text}: no lab counts fewer than no points; `term add` takes points away")
    if not value.is_finite() or abs(value) > 10_000 or value != round(value, 2):
        raise UsageError(f"{text} is no number of points with two decimals at most")
    return str(value)
