"""What a grading would change, before anything of it is kept."""

from collections.abc import Iterator, Sequence

from staff.outputs.merging import in_words
from staff.outputs.regrading import changed
from staff.term.grade_book import Target
from staff.term.publishing import last_published
from staff.term.scores import shown
from staff.term.sheet import Cell, Sheet
from staff.term.store import Published, Result
from staff.term.term import Term
from tmagrade.outputs.grades import Grades, Student


def would_change(before: Grades, students: Sequence[Student]) -> Iterator[str]:
    """Of the grades: each score that would be another one, with the old one, the new one, and why."""
    known = {(one.id, result.lab.id) for one in before.students for result in one.labs}
    new = [(one.id, result.lab.id) for one in students for result in one.labs if (one.id, result.lab.id) not in known]
    faults = [(one.id, result.lab.id) for one in students for result in one.labs if result.fault is not None]
    replaced = list(changed(before, students))
    yield "would be replaced, where the score is another one:" if replaced else "no score would be another one"
    yield from (f"  {line}" for line in replaced)
    if new:
        yield f"would be new: {in_words(new)}"
    if faults:
        yield f"the grader failed, so these would stay as they are: {in_words(faults)}"


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
