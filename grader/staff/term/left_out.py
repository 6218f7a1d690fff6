"""What gradings have left out and may still be somebody's hand-in: nobody is published as missing for that."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from staff.term.author import author
from staff.term.store import LeftOut, Result
from tmagrade.basics.moment import now
from tmagrade.course.labs import Lab


def still_left_out(rows: Iterable[LeftOut], results: Iterable[Result]) -> list[LeftOut]:
    """Of each place the last grading's, less what is of people of whom something was graded."""
    last: dict[tuple[str, str], list[LeftOut]] = {}
    for row in rows:
        there = last.setdefault((row.lab, row.place), [])
        there[:] = [*(one for one in there if one.at == row.at), row] if row.said else []
    graded = {(one.person, one.lab) for one in results}
    return [one for rows in last.values() for one in rows if (one.person, one.lab) not in graded]


def left_out_of(
    found: Sequence[LeftOut], before: Iterable[LeftOut], place: str, labs: Sequence[Lab]
) -> Iterator[LeftOut]:
    """What a grading of a place has to keep: what it has left out, or that this is nothing any more."""
    at, by = now(), author()
    was = {one.lab: one for one in before if one.place == place}
    for lab in labs:
        of_lab = [one for one in found if one.lab == lab.id]
        yield from (replace(one, at=at, by=by) for one in of_lab)
        if not of_lab and lab.id in was and was[lab.id].said:
            yield LeftOut(at, by, lab.id, place, "", "")
