"""What was published of a lab, and what a publication now would change."""

from collections.abc import Iterable, Iterator, Mapping

from tmagrade.term.store import Decision, Published, Result


def last_published(rows: Iterable[Published], lab: str, target: str) -> dict[str, Published]:
    """The last cell of each person in one grade book."""
    return {row.person: row for row in rows if (row.lab, row.target) == (lab, target)}


def changes_since(
    last: Mapping[str, Published],
    cells: Mapping[str, str],
    results: Iterable[Result],
    decisions: Iterable[Decision],
    lab: str,
) -> Iterator[str]:
    """A line for each cell that says something else than what was published, with what has happened since."""
    results, decisions = list(results), list(decisions)
    for person, cell in cells.items():
        if person in last and last[person].cell != cell:
            graded = [one for one in results if (one.person, one.lab) == (person, lab)]
            since = [f"graded again ({one.why or 'all right'})" for one in graded if one.grading >= last[person].at]
            since += [
                f"{one.kind} {one.value}: {one.reason}"
                for one in decisions
                if (one.person, one.lab) == (person, lab) and one.at >= last[person].at
            ]
            yield f"{person}: {last[person].cell} -> {cell}: {'; '.join(since) or 'term.toml has changed'}"
