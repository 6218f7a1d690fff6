"""Whose a hand-in is, by the roster. Who is not found keeps the platform's name, and is listed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from staff.term.decisions import PlatformsTimes
from staff.term.groups import RosterOf
from staff.term.roster import Person, Roster
from staff.term.which_counts import Claim, is_own, platforms_time, takes_over
from tmagrade.course.labs import number_of
from tmagrade.submissions.submission import Submission


@dataclass(frozen=True)
class Identified:
    submissions: tuple[Submission, ...]  # with the course's own names of those who are found
    unknown: tuple[tuple[str, str], ...]  # of which lab, and who handed it in that nobody knows
    older: tuple[str, ...]  # a line each: hand-ins of people who have a newer one
    dropped: tuple[str, ...]  # people who have left the course, of whom nothing is graded
    former: Mapping[str, str]  # what people are called in grades without the roster, and by it


def identify(submissions: Sequence[Submission], roster_of: RosterOf) -> Identified:
    """Gives each hand-in the roster's id of who handed it in. Of two hand-ins of one person, under two names of the
    platform's, the newer has it; the other is listed."""
    found: dict[tuple[str, str], Submission] = {}
    unknown: dict[tuple[str, str], None] = {}
    older: list[str] = []
    dropped: dict[str, None] = {}
    former: dict[str, str] = {}
    for submission in sorted(submissions, key=_newest_first):
        roster = roster_of(submission.lab.id)
        people = roster.who(submission.platform, submission.called)
        if not people:
            called = f"{submission.called} ({submission.platform}){_why(submission, roster)}"
            unknown[submission.lab.id, called] = None
        name = people[0].id if len(people) == 1 else submission.student
        if name != submission.student and submission.student not in roster.by_id:
            former[submission.student] = name
        key = (name, submission.lab.id)
        if people and all(one.dropped for one in people):
            dropped[name] = None
        elif key in found:
            older.append(f"{submission.called} ({submission.platform}): {name} has a newer hand-in of {key[1]}")
        else:
            found[key] = replace(submission, student=name)
    ordered = sorted(found.values(), key=lambda one: (one.student, number_of(one.lab.id), one.lab.id))
    return Identified(tuple(ordered), tuple(unknown), tuple(older), tuple(dropped), former)


def _why(submission: Submission, roster: Roster) -> str:
    several = roster.called_so(submission.platform, submission.called)
    if not several:
        return ""
    who = ", ".join(one.id for one in several)
    return f": it could be {who}; put the id in place of the name, in the download's own name of it"


def _newest_first(submission: Submission) -> tuple[float, str]:
    at = _time(submission)
    return (-at.timestamp() if at is not None else 0.0, submission.called)


def _time(submission: Submission) -> datetime | None:
    return submission.time.at if submission.time is not None else None


def whose(
    submissions: Iterable[Submission], roster_of: RosterOf, times: PlatformsTimes
) -> list[tuple[Person, Submission]]:
    """Each person with the hand-in that counts for them, of their own and those of their group."""
    found: dict[tuple[str, str], tuple[Person, Submission, Claim]] = {}
    for submission in reversed(list(submissions)):  # of equals the first counts
        roster = roster_of(submission.lab.id)
        people = roster.who(submission.platform, submission.called)
        for person in roster.members(people[0]) if len(people) == 1 else people:
            at = platforms_time(people, submission.lab.id, times) or _time(submission)
            claim = Claim(at, is_own(people, person.id))
            key = (person.id, submission.lab.id)
            if key not in found or takes_over(claim, found[key][2]):
                found[key] = (person, submission, claim)
    return [(person, submission) for person, submission, _ in reversed(found.values())]


def not_counting(
    submissions: Iterable[Submission], count: Iterable[tuple[Person, Submission]], roster_of: RosterOf
) -> Iterator[tuple[Person, Submission]]:
    """People's own hand-ins in whose place another one of the group counts."""
    taken = {(person.id, one.lab.id): one for person, one in count}
    for submission in submissions:
        people = roster_of(submission.lab.id).who(submission.platform, submission.called)
        if len(people) == 1 and taken.get((people[0].id, submission.lab.id), submission) is not submission:
            yield people[0], submission


def different_texts(
    handed_in: Iterable[tuple[Submission, str]], roster_of: RosterOf, times: PlatformsTimes
) -> Iterator[str]:
    """A line for each group whose members have handed in different texts of a lab, with what counts for whom. Each
    hand-in comes with its digest."""
    of_group: dict[tuple[str, str], dict[str, Submission]] = {}  # the first of each text
    for submission, digest in handed_in:
        people = roster_of(submission.lab.id).who(submission.platform, submission.called)
        if people and people[0].group:
            of_group.setdefault((people[0].group, submission.lab.id), {}).setdefault(digest, submission)
    for (group, lab), texts in of_group.items():
        if len(texts) > 1:
            counted = whose(texts.values(), roster_of, times)
            counts = {person.id: one.student for person, one in counted if person.group == group}
            said = ", ".join(f"{name}'s for {person}" for person, name in sorted(counts.items()))
            rule = "the newest counts, or everybody's own where nobody says which that is"
            yield f"the group {group} has handed in different texts of {lab}: {rule}: {said}"


def who_handed_in_for(name: str, submissions: Sequence[Submission], roster_of: RosterOf, times: PlatformsTimes) -> str:
    """Under which name lies what counts for somebody, which a member of the group may have handed in; the name itself
    where that is not one."""
    names = {submission.student for person, submission in whose(submissions, roster_of, times) if person.id == name}
    return names.pop() if len(names) == 1 else name
