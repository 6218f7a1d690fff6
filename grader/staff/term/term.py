"""A term as a folder: its settings, its roster and its store together."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from staff.term.author import author
from staff.term.decisions import PlatformsTimes, all_in_force, platforms_times
from staff.term.groups import ALONE, Membership, RosterOf, read_groups, rosters
from staff.term.identities import different_texts, not_counting, whose
from staff.term.left_out import still_left_out
from staff.term.roster import Person, Roster, read_roster
from staff.term.scores import points_of, shown
from staff.term.settings import SETTINGS_FILE, Settings, read_settings
from staff.term.sheet import Cell, Sheet, make_sheet
from staff.term.store import Decision, LeftOut, Result, Store
from staff.term.which_counts import passed_over, said_of
from tmagrade.basics.moment import now
from tmagrade.basics.untrusted import visible_line
from tmagrade.course.labs import Lab
from tmagrade.judging.scoring import LabResult
from tmagrade.outputs.grades import Facts
from tmagrade.submissions.names import student_folder_name
from tmagrade.submissions.submission import Submission


@dataclass(frozen=True)
class Term:
    settings: Settings
    roster: Roster
    store: Store
    labs: tuple[Lab, ...]
    memberships: tuple[Membership, ...] = ()

    def sheet(self, more: Sequence[Result] = ()) -> Sheet:
        """`more`: as it would be with these results besides those that are kept."""
        results, decisions = [*self.store.read(Result), *more], self.store.read(Decision)
        left_out = still_left_out(self.store.read(LeftOut), results)
        known = (self.settings, self.roster, rosters(self.roster, self.memberships, results), self.labs)
        return make_sheet(*known, results, decisions, left_out, datetime.now(UTC))

    @cached_property
    def roster_of(self) -> RosterOf:
        """The roster with a lab's groups, as far as it was graded when this was first asked."""
        return rosters(self.roster, self.memberships, self.store.read(Result))

    def decisions_of(self, person: Person, lab: str) -> list[Decision]:
        """Those that hold."""
        return self.decisions_in_force().get((person.id, lab), [])

    def decisions_in_force(self) -> dict[tuple[str, str], list[Decision]]:
        """Those that hold, by the person and the lab."""
        return all_in_force(self.store.read(Decision))

    @property
    def platforms_times(self) -> PlatformsTimes:
        return platforms_times(self.decisions_in_force())

    def graded_as(self, result: Result) -> str:
        """Whose name a result has in the grades: the person's who handed it in, or that of a group."""
        people = self.roster_of(result.lab).who(result.platform, result.called)
        return people[0].id if len(people) == 1 else student_folder_name(result.called)

    def told_of_group(self, cell: Cell, person: Person) -> Iterator[str]:
        """Whose text counts for somebody who shares hand-ins, and which other ones there are."""
        result = cell.result
        if result is None:
            return
        roster = self.roster_of(cell.lab)
        others = passed_over(self.store.read(Result), person, cell.lab, self.roster_of, self.platforms_times)
        if len(roster.members(person)) == 1 and not others:
            return
        group = roster.by_id[person.id].group
        whose = f"what {self._names(result)} handed in counts" + (f", for the group {group}" if group else "")
        yield visible_line(whose)
        for one, why in others:
            score = f"graded {one.score} of {one.max}"
            yield visible_line(f"not what {self._names(one)} handed in ({one.platform}), {score}: {why}")

    def _names(self, result: Result) -> str:
        people = self.roster_of(result.lab).who(result.platform, result.called)
        if len(people) == 1:
            return f"{people[0].id} ({people[0].name})"
        return f"all of them as {result.called}" if people else result.called

    def decide(self, person: Person, lab: str, kind: str, value: str, reason: str) -> Decision:
        decision = Decision(now(), author(), person.id, lab, kind, value, reason)
        self.store.add([decision])
        return decision

    def results_of(self, graded: Iterable[tuple[Submission, str, LabResult]], facts: Facts) -> list[Result]:
        """What a grading has found of everybody on the roster: of each hand-in for whose it is, and then of what counts
        for each person. A platform's table that comes later may say that another one of a group's is the newest. A
        fault of the grader is no result."""
        known = {(one.student, one.lab.id): (one, digest, result) for one, digest, result in graded}
        submissions = [one for one, _, result in known.values() if result.fault is None]
        by = author()
        count = whose(submissions, self.roster_of, self.platforms_times)
        return [
            replace(_result(person, *known[one.student, one.lab.id], facts, by), group=person.group or ALONE)
            for person, one in [*not_counting(submissions, count, self.roster_of), *count]
        ]

    def said_of(self, graded: Iterable[tuple[Submission, str, LabResult]], results: Sequence[Result]) -> Iterator[str]:
        """What a grading has to say of which hand-ins count, before its results are kept."""
        yield from different_texts(
            [(one, digest) for one, digest, result in graded if result.fault is None],
            self.roster_of,
            self.platforms_times,
        )
        known = (self.roster_of, self.platforms_times, self.settings.zone)
        yield from said_of(self.store.read(Result), results, *known)


def open_term(folder: Path, labs: Sequence[Lab]) -> Term | None:
    """The term in a folder; None where there is none. UsageError where its files have mistakes."""
    if not (folder / SETTINGS_FILE).exists():
        return None
    settings, roster = read_settings(folder, labs), read_roster(folder)
    return Term(settings, roster, Store(folder), tuple(labs), read_groups(folder, roster, settings))


def _result(person: Person, one: Submission, digest: str, result: LabResult, facts: Facts, by: str) -> Result:
    time = one.time
    lost = [f"{part.id}: {part.verdict}" for part in result.parts if part.score < part.max and not part.pending]
    return Result(
        grading=facts.finished,
        by=by,
        person=person.id,
        lab=one.lab.id,
        called=one.called,
        platform=one.platform,
        score=shown(points_of(result.score)),
        max=shown(points_of(result.max)),
        pending=shown(points_of(result.pending)),
        why="; ".join(lost),
        hand_in=result.hand_in or digest,
        handed_in=time.at.astimezone(UTC).isoformat() if time is not None and time.at is not None else "",
        source=time.source if time is not None else "",
        is_late=int(time is not None and time.is_late),
        backend=facts.backend,
        grader=facts.grader,
    )
