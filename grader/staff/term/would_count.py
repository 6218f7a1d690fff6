"""What a grading would change in a term, before anything of it is kept."""

from collections.abc import Iterator, Sequence

from staff.term.grade_book import Target
from staff.term.publishing import last_published
from staff.term.scores import shown
from staff.term.sheet import Cell, Sheet
from staff.term.store import Published, Result
from staff.term.term import Term


def would_count(term: Term, results: Sequence[Result]) -> Iterator[str]:
    """Of the term: each score that would count as another one, and in which grade book the old one stands."""
    labs = dict.fromkeys(one.lab for one in results)
    now, then = term.sheet(), term.sheet(results)
    for lab in labs:
        if term.settings.of_lab(lab) is None:
            continue
        lines = list(_of_lab(term, now, then, lab))
        yield f"in the term, {lab}: {len(lines)} scores would count as others" + (":" if lines else "")
        yield from (f"  {line}" for line in lines)


def _of_lab(term: Term, now: Sheet, then: Sheet, lab: str) -> Iterator[str]:
    published = {target: last_published(term.store.read(Published), lab, target) for target in Target}
    for before, after in zip(now.rows, then.rows):
        was, is_ = _shown(before.cells[lab]), _shown(after.cells[lab])
        if was != is_:
            whose = before.person.id
            books = [f"{target} has {cells[whose].cell}" for target, cells in published.items() if whose in cells]
            yield "; ".join([f"{whose}: {was} -> {is_}", *books])


def _shown(cell: Cell) -> str:
    counted = cell.counted
    pending = f" +{shown(counted.pending)} pending" if counted.pending else ""
    return "no score" if counted.score is None else shown(counted.score) + pending
