"""Whose a hand-in is, by the roster. Who is not found keeps the platform's name, and is listed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tmagrade.course.labs import number_of
from tmagrade.submissions.submission import Submission
from tmagrade.term.roster import Person, Roster


@dataclass(frozen=True)
class Identified:
    submissions: tuple[Submission, ...]  # with the course's own names of those who are found
    unknown: tuple[str, ...]  # a line each


def identify(submissions: Sequence[Submission], roster: Roster) -> Identified:
    """Gives each hand-in the roster's id of who handed it in. Of two hand-ins of one person, under two names of the
    platform's, the newer has it; the other is listed."""
    found: dict[tuple[str, str], Submission] = {}
    unknown: list[str] = []
    for submission in sorted(submissions, key=_newest_first):
        people = roster.who(submission.platform, submission.called)
        if not people:
            unknown.append(f"{submission.called} ({submission.platform}){_why(submission, roster)}")
        name = people[0].id if len(people) == 1 else submission.student
        key = (name, submission.lab.id)
        if key in found:
            unknown.append(f"{submission.called} ({submission.platform}): {name} has a newer hand-in of {key[1]}")
        else:
            found[key] = replace(submission, student=name)
    ordered = sorted(found.values(), key=lambda one: (one.student, number_of(one.lab.id), one.lab.id))
    return Identified(tuple(ordered), tuple(dict.fromkeys(unknown)))


def _why(submission: Submission, roster: Roster) -> str:
    several = roster.called_so(submission.platform, submission.called)
    if not several:
        return ""
    who = ", ".join(one.id for one in several)
    return f": it could be {who}; put the id in place of the name, in the download's own name of it"


def _newest_first(submission: Submission) -> tuple[float, str]:
    at = submission.time.at if submission.time is not None else None
    return (-at.timestamp() if at is not None else 0.0, submission.called)


def whose(submissions: Iterable[Submission], roster: Roster) -> list[tuple[Person, Submission]]:
    """Each person with the hand-in that counts for them: their own, else that of their group."""
    own: list[tuple[Person, Submission]] = []
    of_group: list[tuple[Person, Submission]] = []
    for submission in submissions:
        people = roster.who(submission.platform, submission.called)
        if len(people) == 1:
            own.append((people[0], submission))
            of_group += [(member, submission) for member in roster.members(people[0])[1:]]
        else:
            of_group += [(member, submission) for member in people]
    have = {(person.id, submission.lab.id) for person, submission in own}
    for person, submission in of_group:
        if (person.id, submission.lab.id) not in have:
            have.add((person.id, submission.lab.id))
            own.append((person, submission))
    return own


def who_handed_in_for(name: str, submissions: Sequence[Submission], roster: Roster) -> str:
    """Under which name lies what somebody's group has handed in; the name itself, where it has handed in of its own."""
    if any(submission.student == name for submission in submissions):
        return name
    names = {submission.student for person, submission in whose(submissions, roster) if person.id == name}
    return names.pop() if len(names) == 1 else name
