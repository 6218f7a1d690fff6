"""Which hand-in of a lab counts for a person, of several: of two platforms, of two weeks, of two members of a group.

The newer one does, in whatever order they are graded. Where nobody says which that is, the person's own does, before
what another member of the group has handed in; of equals, what is graded last. What files and commits say is their
authors' word, so it is never later than the first grading of that hand-in; and what a platform's table says goes
before that. Such a table knows one time of each person, that of the last hand-in: of one member's several it says
nothing, but which member's is the newest.

What a group shares is found when it is asked for, and not when it is graded: a group that is entered later needs no
other grading.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import reduce

from staff.term.decisions import PlatformsTimes
from staff.term.groups import RosterOf
from staff.term.roster import Person, Roster
from staff.term.store import Result

AUTHORS_WORD = ("file", "git")  # sources of times that who hands in may set


@dataclass(frozen=True)
class Claim:
    """What decides."""

    at: datetime | None  # when it was handed in; None: nobody says
    is_own: bool


def takes_over(new: Claim, old: Claim) -> bool:
    """Whether `new`, which is graded after `old` or with it, counts in its place."""
    if new.at is not None and old.at is not None and new.at != old.at:
        return new.at > old.at
    return new.is_own or not old.is_own


def counting(results: Iterable[Result], roster_of: RosterOf, times: PlatformsTimes) -> dict[tuple[str, str], Result]:
    """Of each person's lab, the last result of the hand-in that counts, of the person's own and the group's. Results
    are in the order of the gradings."""
    found: dict[tuple[str, str], Result] = {}
    for key, roster, newest in _newest_of_each(results, roster_of):
        found[key] = _latest(newest, roster, times)
    return found


def passed_over(
    results: Iterable[Result], person: Person, lab: str, roster_of: RosterOf, times: PlatformsTimes
) -> list[tuple[Result, str]]:
    """What others of the group, or the person alone, have handed in besides what counts; and why that counts."""
    for key, roster, newest in _newest_of_each(results, roster_of):
        if key == (person.id, lab):
            counts = _latest(newest, roster, times)
            return [(one, _why(counts, one, roster, times)) for one in newest if one is not counts]
    return []


def _newest_of_each(
    results: Iterable[Result], roster_of: RosterOf
) -> Iterator[tuple[tuple[str, str], Roster, list[Result]]]:
    """For each person's lab, the newest of each member's, and of what the group has handed in as one."""
    graded: dict[tuple[str, str], list[tuple[int, Result]]] = {}
    for order, result in enumerate(no_later_than_graded(results)):
        before = graded.setdefault((result.person, result.lab), [])
        before[:] = [*(one for one in before if not _is_same_hand_in(one[1], result)), (order, result)]
    for lab in dict.fromkeys(lab for _, lab in graded):
        roster = roster_of(lab)
        for person in roster.people:
            ids = [one.id for one in roster.members(person)]
            own = sorted(
                row for id_ in ids for row in graded.get((id_, lab), []) if _is_for(row[1], person, ids, roster)
            )
            if shared := [replace(result, person=person.id) for _, result in own]:
                yield (person.id, lab), roster, _newest_of(shared, roster)


def _is_for(result: Result, person: Person, ids: Sequence[str], roster: Roster) -> bool:
    """Whether those who have handed it in are the person, or in the person's group here."""
    whose = [one.id for one in roster.who(result.platform, result.called)]
    return {*whose} <= {*ids} if whose else result.person == person.id


def _newest_of(results: Sequence[Result], roster: Roster) -> list[Result]:
    newest: dict[tuple[str, ...], Result] = {}  # of whose they are, in the order of the gradings
    for one in results:
        owners = tuple(person.id for person in roster.who(one.platform, one.called)) or (one.called,)
        if owners not in newest or takes_over(_claim(one, roster, {}), _claim(newest[owners], roster, {})):
            newest.pop(owners, None)
            newest[owners] = one
    return list(newest.values())


def _latest(newest: Sequence[Result], roster: Roster, times: PlatformsTimes) -> Result:
    def later(old: Result, new: Result) -> Result:
        return new if takes_over(_claim(new, roster, times), _claim(old, roster, times)) else old

    return reduce(later, newest)


def no_later_than_graded(results: Iterable[Result]) -> Iterator[Result]:
    first: dict[tuple[str, ...], str] = {}
    for result in results:
        hand_in = (result.person, result.lab, result.platform, result.called, result.hand_in)
        graded = first.setdefault(hand_in, result.grading)
        is_theirs = result.source in AUTHORS_WORD and result.handed_in
        if is_theirs and datetime.fromisoformat(result.handed_in) > datetime.fromisoformat(graded):
            yield replace(result, handed_in=graded)
        else:
            yield result


def said_of(
    before: Sequence[Result], new: Sequence[Result], roster_of: RosterOf, times: PlatformsTimes, zone: tzinfo
) -> Iterator[str]:
    """A line for each new result that does not count, and for each that counts in the place of what came under another
    name: from another platform, or from another member of the group."""
    new = [*no_later_than_graded([*before, *new])][len(before) :]
    was, now = counting(before, roster_of, times), counting([*before, *new], roster_of, times)
    for one in new:
        counts, counted = now[one.person, one.lab], was.get((one.person, one.lab))
        whose = f"{one.person}, {one.lab}"
        known = (roster_of(one.lab), times)
        if counts != one and counts not in new:  # of several of this grading, it is said which counts
            said = f"{_told(counts, *known, zone)} counts, not {_told(one, *known, zone)}"
            yield f"{whose}: {said}: {_why(counts, one, *known)}"
        elif counts == one and counted is not None and (counted.platform, counted.called) != (one.platform, one.called):
            said = f"{_told(one, *known, zone)} counts now, not {_told(counted, *known, zone)}"
            yield f"{whose}: {said}: {_why(one, counted, *known)}"


def is_own(people: Sequence[Person], person: str) -> bool:
    """Whether what `people` are called by is one person's own hand-in; also of a name that is on the roster no more."""
    return not people or [one.id for one in people] == [person]


def _is_same_hand_in(one: Result, other: Result) -> bool:
    """Graded again, perhaps by another check, or with its time set right."""
    is_same_name = (one.platform, one.called) == (other.platform, other.called)
    return is_same_name and (one.hand_in == other.hand_in or one.handed_in == other.handed_in != "")


def platforms_time(people: Iterable[Person], lab: str, times: PlatformsTimes) -> datetime | None:
    """When a hand-in of these people came, by the platform's table."""
    said = [times[one.id, lab] for one in people if (one.id, lab) in times]
    return max(said, default=None)


def _claim(result: Result, roster: Roster, times: PlatformsTimes) -> Claim:
    people = roster.who(result.platform, result.called)
    return Claim(_time(result, roster, times), is_own(people, result.person))


def _time(result: Result, roster: Roster, times: PlatformsTimes) -> datetime | None:
    by_platform = platforms_time(roster.who(result.platform, result.called), result.lab, times)
    if by_platform is not None:
        return by_platform
    return datetime.fromisoformat(result.handed_in) if result.handed_in else None


def _told(result: Result, roster: Roster, times: PlatformsTimes, zone: tzinfo) -> str:
    at = _time(result, roster, times)
    when = "at a time that nobody says" if at is None else f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S}"
    return f"{result.called} ({result.platform}), handed in {when}, with {result.score} points"


def _why(counts: Result, other: Result, roster: Roster, times: PlatformsTimes) -> str:
    at, others = _time(counts, roster, times), _time(other, roster, times)
    if at is not None and others is not None and at != others:
        return "the newer one counts"
    if _claim(counts, roster, times).is_own and not _claim(other, roster, times).is_own:
        return "nobody says which is newer, so the student's own counts"
    return "nobody says which is newer, so what is graded last counts"
