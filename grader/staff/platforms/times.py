"""When a class has handed in, by a platform's own table: Canvas' submissions as its API has them, Gradescope's
"Download grades", Moodle's grading worksheet in English, or a table with the columns id, lab and time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from staff.platforms import canvas, gradescope, moodle
from staff.term.roster import Person, Roster
from staff.term.table import Table
from tmagrade.basics.errors import UsageError
from tmagrade.basics.moment import handed_in_at
from tmagrade.basics.utf8 import utf8_of

OWN = ("id", "lab", "time")
GRADESCOPES = "Submission Time"
MOODLES = "Last modified (submission)"
# As userdate() of Moodle writes strftimedatetime in English, by the clocks of whoever exports.
MOODLE_FORMATS = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M")
KNOWN = (
    f"there are a table with the columns {', '.join(OWN)}, Canvas' submissions as JSON (user_id, submitted_at), "
    f"Gradescope's grades ({gradescope.EMAIL}, {GRADESCOPES}) and Moodle's worksheet ({MOODLES})"
)


@dataclass(frozen=True)
class Said:
    """One row of a table that says a time."""

    called: str
    people: tuple[Person, ...]
    lab: str  # empty: the table is of one lab, and does not say which
    at: datetime


def times_in(path: Path, roster: Roster, zone: tzinfo) -> Iterator[Said]:
    """UsageError where it is no such table, or a time in it none."""
    try:
        text = utf8_of(path.read_bytes(), path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    if text.lstrip()[:1] in ("[", "{"):
        for user, at in canvas.submission_times(text, path):
            yield Said(user, roster.who("canvas", f"_{user}"), "", at)
        return
    table = Table.of(text.encode())
    columns = {name.strip(): place for place, name in reversed(list(enumerate(table.header())))}
    for row in range(1, len(table.rows)):
        said = {name: table.value(row, place).strip() for name, place in columns.items()}
        if {*OWN} <= {*columns}:
            called, people, lab, time = said["id"], roster.who("plain", said["id"]), said["lab"], said["time"]
        elif GRADESCOPES in columns and gradescope.EMAIL in columns:
            called, lab, time = said[gradescope.EMAIL], "", said[GRADESCOPES]
            people = roster.who("gradescope", called) or roster.who("gradescope", said.get(gradescope.SID, ""))
        elif MOODLES in columns and moodle.IDENTIFIER in columns:
            called, people, lab, time = said.get(moodle.NAME, ""), moodle.people_of(roster, said), "", said[MOODLES]
        else:
            raise UsageError(f"{path} says no times that are known: {KNOWN}")
        if time not in ("", "-"):
            yield Said(called, people, lab, _moment(time, zone, f"{path}: line {row + 1}"))


def _of(form: str) -> Callable[[str], datetime]:
    return lambda text: datetime.strptime(text, form)


def _moment(text: str, zone: tzinfo, place: str) -> datetime:
    for read in (datetime.fromisoformat, *(_of(form) for form in MOODLE_FORMATS), _of("%Y-%m-%d %H:%M:%S %z")):
        try:
            at = read(text)
        except ValueError:
            continue
        return at.astimezone(UTC) if at.tzinfo is not None else handed_in_at(at, zone)
    raise UsageError(f"{place}: {text!r} is no time, as 2026-09-18T23:50:07; Moodle's are read in English alone")
