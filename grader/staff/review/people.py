"""Who stands behind a name in the grades: one person, or the members of a group."""

from collections.abc import Collection
from dataclasses import dataclass, field

from staff.term.roster import Person
from staff.term.store import Result
from staff.term.term import Term
from staff.term.which_counts import counting


@dataclass(frozen=True)
class People:
    of_hand_in: dict[tuple[str, str], tuple[Person, ...]] = field(default_factory=dict)  # by the name, and the lab
    # As far as names tell, of what was graded without the term, which knows nothing of it.
    outside: dict[tuple[str, str], tuple[Person, ...]] = field(default_factory=dict)
    without: dict[str, list[Person]] = field(default_factory=dict)  # by the lab: who has handed in nothing

    def whose(self, student: str, lab: str) -> tuple[Person, ...]:
        return self.of_hand_in.get((student, lab)) or self.outside.get((student, lab), ())

    def why_no_points(self, term: Term | None, student: str, lab: str) -> str:
        """Empty: points can be given."""
        if term is None:
            return "Points are given in a term, and these grades belong to none."
        if term.settings.of_lab(lab) is None:
            return f"{lab} does not count in the term: term.toml does not name it, so there are no points to give."
        if self.of_hand_in.get((student, lab)):
            return ""
        if self.outside.get((student, lab)):
            return "This was graded without the term. Grade the class again with the same command to give points."
        return f"Nobody on the roster is called {student}: mend roster.csv and grade again to give points."


def people_of(term: Term | None, hand_ins: Collection[tuple[str, str]]) -> People:
    """`hand_ins`: the names in the grades, each with a lab."""
    if term is None:
        return People()
    labs = list(dict.fromkeys(lab for _, lab in hand_ins))
    latest = counting(term.store.read(Result), term.roster_of, term.platforms_times)
    found: dict[tuple[str, str], tuple[Person, ...]] = {}
    absent: list[tuple[Person, str]] = []
    for person in term.roster.present:
        for lab in labs:
            result = latest.get((person.id, lab))
            if result is None:
                absent.append((person, lab))
            else:
                key = (term.graded_as(result), lab)
                found[key] = (*found.get(key, ()), person)
    outside = {key: who for key in hand_ins if key not in found and (who := term.roster.who_anywhere(key[0]))}
    there = {(person.id, lab) for (_, lab), people in outside.items() for person in people}
    without: dict[str, list[Person]] = {}
    for person, lab in absent:
        if (person.id, lab) not in there:
            without.setdefault(lab, []).append(person)
    return People(found, outside, without)


def names_of(people: tuple[Person, ...], student: str) -> str:
    return " & ".join(person.name or person.id for person in people) or student
