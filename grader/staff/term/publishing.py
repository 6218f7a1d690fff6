"""What was published of a lab, what a publication now would change, and what a grade book has since."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from staff.term.grade_book import number_in
from staff.term.store import Decision, Published, Result


@dataclass(frozen=True)
class Happened:
    """All that was kept of one lab, by the person, in order."""

    results: Mapping[str, list[Result]]
    decisions: Mapping[str, list[Decision]]

    @staticmethod
    def of(results: Iterable[Result], decisions: Iterable[Decision], lab: str) -> "Happened":
        graded: dict[str, list[Result]] = {}
        decided: dict[str, list[Decision]] = {}
        for result in results:
            if result.lab == lab:
                graded.setdefault(result.person, []).append(result)
        for decision in decisions:
            if decision.lab == lab:
                decided.setdefault(decision.person, []).append(decision)
        return Happened(graded, decided)

    def counts(self, person: str) -> tuple[int, int]:
        return len(self.results.get(person, [])), len(self.decisions.get(person, []))

    def since(self, last: Published) -> Iterator[str]:
        """What has happened to a person's lab since something was published, as far as it changed anything."""
        graded = self.results.get(last.person, [])
        if graded and not last.results:
            yield f"graded since ({graded[0].why or 'all right'})"
        for old, new in pairwise(graded[max(last.results - 1, 0) :]):
            if (old.score, old.pending, old.why) != (new.score, new.pending, new.why):
                yield f"graded again ({new.why or 'all right'})"
        for one in self.decisions.get(last.person, [])[last.decisions :]:
            yield f"{one.kind} {one.value}".rstrip() + f": {one.reason}"


def last_published(rows: Iterable[Published], lab: str, target: str) -> dict[str, Published]:
    """The last cell of each person in one grade book."""
    return {row.person: row for row in rows if (row.lab, row.target) == (lab, target)}


def changes_since(last: Mapping[str, Published], cells: Mapping[str, str], happened: Happened) -> Iterator[str]:
    """A line for each cell that says something else than what was published, with what has happened since."""
    for person, cell in cells.items():
        if person in last and last[person].cell != cell:
            why = "; ".join(happened.since(last[person])) or "late days went elsewhere, or term.toml has changed"
            yield f"{person}: {last[person].cell} -> {cell}: {why}"


def taken_back_since(last: Mapping[str, Published], cells: Mapping[str, str], happened: Happened) -> Iterator[str]:
    """A line for each score that was published and is none any more. A grade book keeps it: no cell is emptied."""
    for person, published in last.items():
        if person not in cells:
            why = "; ".join(happened.since(published)) or "points are pending, or term.toml has changed"
            yield f"{person}: {published.cell} was published, no score now: {why}"


def differences(
    there: Mapping[str, str], here: Mapping[str, str], last: Mapping[str, Published], people: Iterable[str]
) -> Iterator[str]:
    """A line for each cell of a grade book that does not say what the term would put there, and where that comes
    from."""
    for person in people:
        said, counts = there.get(person, ""), here.get(person, "")
        if is_same_score(said, counts):
            continue
        published = last[person].cell if person in last else ""
        if not counts and not published:
            why = "the term has no score to put there"
        elif is_same_score(said, published):
            why = "not published yet" if person not in last else "changed here since it was published"
        else:
            why = "changed there" if person in last else "entered there"
        yield f"{person}: {said.strip() or 'empty'} there, {counts or 'empty'} here: {why}"


def changed_there(there: Mapping[str, str], last: Mapping[str, Published], cells: Mapping[str, str]) -> Iterator[str]:
    """A line for each cell that would be written over, and that says something else than what was published."""
    for person, cell in cells.items():
        said, published = there.get(person, ""), last[person].cell if person in last else ""
        if not is_same_score(said, cell) and not is_same_score(said, published):
            before = f"{published} was" if published else "nothing was"
            yield f"{person}: {said.strip() or 'empty'} -> {cell}: {before} published"


def is_same_score(one: str, other: str) -> bool:
    """Platforms write 75.00 where they were given 75."""
    numbers = number_in(one), number_in(other)
    return numbers[0] == numbers[1] if None not in numbers else one.strip() == other.strip()
