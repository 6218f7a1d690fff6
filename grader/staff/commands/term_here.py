"""The term that a command is about, whom and what it means in it, and files that only the course's staff may read."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from staff.term.roster import Person
from staff.term.sheet import Sheet
from staff.term.term import Term, open_term
from tmagrade.basics.cache import replace_atomically
from tmagrade.basics.errors import UsageError
from tmagrade.basics.names import few_of, folded, one_of
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out, reported_errors
from tmagrade.course.labs import load_labs


@contextmanager
def opened_term() -> Iterator[Term]:
    with reported_errors():
        term = open_term(HERE.term, load_labs(HERE.labs))
        if term is None:
            raise UsageError(f"{HERE.term} holds no term: tmagrade term init begins one")
        yield term


def person_of(term: Term, who: str) -> Person:
    """The one whom a person means: by the whole id, else by a part of the id or of the name that fits no other."""
    found = fitting(term, who)
    if len(found) == 1:
        return found[0]
    labels = {f"{person.id} ({person.name})": person for person in found or term.roster.people}
    return labels[one_of("student on the roster", who, list(labels))]


def fitting(term: Term, who: str) -> list[Person]:
    """Whom a word may mean. What is nobody's id is as likely a first name as what an id begins with."""
    exact = [person for person in term.roster.people if person.id == who]
    word = folded(who)
    return exact or [one for one in term.roster.people if word in folded(one.id) or word in folded(one.name)]


def lab_of(term: Term, name: str) -> str:
    names = [one.lab for one in term.settings.labs]
    found = [lab for lab in names if lab == name or lab.startswith(f"{name}-")]
    return found[0] if len(found) == 1 else one_of("lab of the term", name, names)


def print_remarks(sheet: Sheet, labs: Collection[str]) -> None:
    """What a teacher has to decide is not to be found only by who asks about the one student."""
    said: dict[tuple[str, str], list[str]] = {}
    for row in sheet.rows:
        for lab in labs:
            for remark in row.cells[lab].remarks:
                said.setdefault((lab, remark), []).append(row.person.id)
    for (lab, remark), who in said.items():
        print_line(err, f"tmagrade: {lab}: {remark}: {few_of(who)}", "yellow")


def write_for_staff(to: Path, content: bytes) -> None:
    """Writes a file with grades, whole or not at all: for its owner and group alone."""
    if to.exists() and not to.is_file():
        to.write_bytes(content)  # a pipe or a device
    else:
        replace_atomically(to.resolve(), lambda unfinished: unfinished.write_bytes(content))
    print_line(out, f"written: {to}")
