"""The first roster of a term, from a platform's list of the class."""

import csv
import io
from collections import Counter
from collections.abc import Container, Mapping, Sequence

from staff.platforms.listed import Listed, listed
from staff.term.roster import COLUMNS
from tmagrade.basics.names import folded
from tmagrade.submissions.names import distinct_names, name_digest


def roster_from(content: bytes) -> str:
    """The text of a roster.csv. Its ids are the logins where the list has them, else what e-mail addresses begin with,
    else the names; they may be changed until the first grading."""
    written = io.StringIO()
    rows = csv.DictWriter(written, COLUMNS, extrasaction="ignore", lineterminator="\n")
    rows.writeheader()
    rows.writerows(with_ids(listed(content)))
    return written.getvalue()


def with_ids(people: Sequence[Listed], taken: Container[str] = ()) -> list[Listed]:
    """The people with ids that nobody else has; `taken` are folded ids."""
    short = Counter(folded(_login_of(person).partition("@")[0]) for person in people)
    ids = distinct_names(_id_of(person, short) for person in people)
    found = [(ids[_id_of(person, short)], person) for person in people]
    return [
        {**person, "id": f"{id_}-{name_digest(_login_of(person))}" if folded(id_) in taken else id_}
        for id_, person in found
    ]


def _login_of(person: Listed) -> str:
    return person.get("login") or person.get("email") or person.get("github") or person["name"]


def _id_of(person: Listed, short: Mapping[str, int]) -> str:
    """What stands before the @, where nobody else has it."""
    login = _login_of(person)
    before = login.partition("@")[0]
    return before if short[folded(before)] == 1 else login
