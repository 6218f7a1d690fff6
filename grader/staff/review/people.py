"""Who stands behind a name in the grades: one person, or the members of a group."""

from dataclasses import dataclass, field

from staff.term.roster import Person
from staff.term.store import Result
from staff.term.term import Term
from staff.term.which_counts import counting


@dataclass(frozen=True)
class People:
    of_hand_in: dict[tuple[str, str], tuple[Person, ...]] = field(default_factory=dict)  # by the name, and the lab
    without: dict[str, list[Person]] = field(default_factory=dict)  # by the lab: who has handed in nothing


def people_of(term: Term | None, labs: list[str]) -> People:
    if term is None:
        return People()
    latest = counting(term.store.read(Result), term.roster_of, term.platforms_times)
    found: dict[tuple[str, str], tuple[Person, ...]] = {}
    without: dict[str, list[Person]] = {}
    for person in term.roster.present:
        for lab in labs:
            result = latest.get((person.id, lab))
            if result is None:
                without.setdefault(lab, []).append(person)
            else:
                key = (term.graded_as(result), lab)
                found[key] = (*found.get(key, ()), person)
    return People(found, without)


def names_of(people: tuple[Person, ...], student: str) -> str:
    return " & ".join(person.name or person.id for person in people) or student
