"""How what counts came about: of one lab, and of a student's total."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from staff.term.scores import shown
from staff.term.settings import Settings
from staff.term.sheet import Cell, Row, deadline_of
from staff.term.store import Decision


def explained(settings: Settings, row: Row, lab: str, of_group: Iterable[str]) -> Iterator[str]:
    """How what a lab counts came about, a line a step. `of_group`: whose text counts, where several share one."""
    cell = row.cells[lab]
    one = settings.of_lab(lab)
    assert one is not None
    deadline = deadline_of(settings, one, cell.decisions)
    yield f"in the term: {row.person.name} ({row.person.id}), {lab}"
    yield f"  due {deadline.due:%Y-%m-%d %H:%M} {settings.time_zone}, {settings.late.grace_minutes} minutes of grace"
    if cell.result is not None:
        when = cell.handed_in
        local = "at a time that nobody says" if when is None else f"{when:%Y-%m-%d %H:%M:%S}"
        is_decided = any(decision.kind == "time" for decision in cell.decisions)
        yield f"  handed in {local}" + ("" if is_decided else f" ({cell.result.source or 'no source'})")
    yield from (f"  {line}" for line in of_group)
    for decision in cell.decisions:
        at = local_time(settings, decision.at)
        yield f"  {decided_text(settings, decision)}: {decision.reason} ({decision.by}, {at} {settings.time_zone})"
    yield from (f"  {step.said}" for step in cell.counted.steps)
    yield from (f"  {remark}" for remark in cell.remarks)
    if cell.counted.pending:
        meanwhile = ", and scaled meanwhile" if cell.counted.is_scaled else ""
        yield f"  {shown(cell.counted.pending)} points are pending: neither lost nor given{meanwhile}"
    if lab in row.dropped:
        yield f"  {_dropped(settings)}, by the share of the points"
    yield f"  counts: {_score(cell)}"


def explained_total(settings: Settings, row: Row) -> Iterator[str]:
    """What each lab counts, and the sum of those that do."""
    yield f"in the term: {row.person.name} ({row.person.id})"
    for cell in row.cells.values():
        dropped = f"; {_dropped(settings)}" if cell.lab in row.dropped else ""
        pending = f"; {shown(cell.counted.pending)} pending" if cell.counted.pending else ""
        yield f"  {cell.lab}: {_score(cell)}{pending}{dropped}"
    terms = [shown(cell.counted.score) for cell in row.counting if cell.counted.score is not None]
    pending = f"; {shown(row.pending)} points are pending" if row.pending else ""
    yield f"  total: {' + '.join(terms) or '0'} = {shown(row.total)} of {shown(row.max)}{pending}"


def decided_text(settings: Settings, decision: Decision) -> str:
    """As it was typed; the store has times in UTC."""
    value = local_time(settings, decision.value) if decision.kind == "time" else decision.value
    return f"{decision.kind} {value}".rstrip()


def local_time(settings: Settings, at: str) -> str:
    """In the course's own time, as deadlines are."""
    return f"{datetime.fromisoformat(at).astimezone(settings.zone):%Y-%m-%d %H:%M:%S}"


def _dropped(settings: Settings) -> str:
    return "dropped: the lowest" if settings.drop_lowest == 1 else f"dropped: one of the {settings.drop_lowest} lowest"


def _score(cell: Cell) -> str:
    counted = cell.counted
    return "no score" if counted.score is None else f"{shown(counted.score)} of {shown(counted.max)}"
