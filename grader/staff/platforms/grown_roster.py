"""What a platform's list of a class says that the roster does not: whom it adds, what it changes, and who is gone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from staff.platforms.first_roster import with_ids
from staff.platforms.listed import Listed
from staff.term.roster import COLUMNS, Person, Roster
from staff.term.table import Table
from tmagrade.basics.errors import UsageError
from tmagrade.basics.names import folded

KEYS = ("canvas", "sis", "email", "github")  # each is one person's
TAKEN = ("email", "section", "group", "canvas", "sis", "github")  # of a list, as it is


@dataclass(frozen=True)
class Growth:
    added: tuple[Listed, ...]
    changed: tuple[tuple[Person, str, str], ...]  # whose, which column, and what it says now
    gone: tuple[Person, ...]

    def lines(self) -> list[str]:
        """What would be done, a line each."""
        changed = ((one, column, getattr(one, column) or "empty", now or "empty") for one, column, now in self.changed)
        return [
            *(f"added: {one['id']} ({one['name']})" for one in self.added),
            *(f"{one.id}: {column} {before} -> {now}" for one, column, before, now in changed),
            *(f"dropped: {one.id} ({one.name})" for one in self.gone),
        ]


def growth(roster: Roster, people: Sequence[Listed], section: str | None) -> Growth:
    """`section`: whose list it is, where it does not say so. UsageError where it looks like another section's."""
    people = [{**one, "section": one.get("section", section or "")} for one in people]
    matched = [(one, _of(roster, one)) for one in people]
    there = {person.id for _, person in matched if person is not None}
    sections = {one["section"] for one in people} - {""}
    expected = [one for one in roster.present if not sections or one.section in sections]
    gone = [one for one in expected if one.id not in there]
    if not sections and len(gone) > len(expected) // 2:
        raise UsageError(
            f"{len(gone)} of {len(expected)} students of the roster are not in this list: is it another section's? "
            "--section NAME says whose it is"
        )
    new = with_ids([one for one, person in matched if person is None], {folded(one.id) for one in roster.people})
    changed = (change for one, person in matched if person is not None for change in _changes(person, one))
    return Growth(tuple(new), tuple(changed), tuple(gone))


def _of(roster: Roster, one: Listed) -> Person | None:
    """By a number or an address; by the name where only one has it, whose numbers and addresses are no others."""
    for key in KEYS:
        wanted = folded(one.get(key, ""))
        also = ("gradescope", "email") if key == "email" else (key,)
        found = [person for person in roster.people if wanted and wanted in [folded(getattr(person, k)) for k in also]]
        if found:
            return found[0]
    name = folded(one["name"])
    named = [person for person in roster.people if name in (folded(person.name), folded(person.moodle))]
    if len(named) == 1 and not any(one.get(key) and getattr(named[0], key) for key in KEYS):
        return named[0]
    return None


def _changes(person: Person, one: Listed) -> Iterator[tuple[Person, str, str]]:
    for column in TAKEN:
        now, before = one.get(column, ""), getattr(person, column)
        if now and folded(now) not in (folded(before), folded(person.gradescope) if column == "email" else None):
            yield person, column, now
    numbers = person.participants.split()
    if (number := one.get("participants", "")) and number not in numbers:
        yield person, "participants", " ".join([*numbers, number])
    if number and folded(one["name"]) != folded(person.moodle or person.name):
        yield person, "moodle", one["name"]
    if person.dropped:
        yield person, "dropped", ""


def grown(content: bytes, growth_: Growth, today: str) -> bytes:
    """The text of roster.csv with all that; whatever else stands there stays as it is."""
    table = Table.of(content, ",")
    first = next(row for row, cells in enumerate(table.rows) if any(cells) and not cells[0].startswith("#"))
    columns = {table.value(first, place).strip(): place for place in range(len(table.rows[first]))}
    cells = [(one.id, column, now) for one, column, now in growth_.changed]
    cells += [(one.id, "dropped", today) for one in growth_.gone]
    cells += [(one["id"], column, one[column]) for one in growth_.added for column in COLUMNS if one.get(column)]
    for column in dict.fromkeys(column for _, column, _ in cells):
        if column not in columns:
            columns[column] = len(table.rows[first])
            table.put(first, columns[column], column)
    for one in growth_.added:
        table.append()
        table.put(len(table.rows) - 1, columns["id"], one["id"])
    rows = {folded(table.value(row, columns["id"]).strip()): row for row in range(first, len(table.rows))}
    for id_, column, now in cells:
        table.put(rows[folded(id_)], columns[column], now)
    return table.content
