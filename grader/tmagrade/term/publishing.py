"""What was published of a lab, and what a publication now would change."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from tmagrade.term.store import Decision, Published, Result


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
