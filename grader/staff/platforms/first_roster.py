"""The first roster of a term, from what a platform exports of its own: Canvas' grade book, Moodle's grading worksheet,
or Gradescope's or GitHub Classroom's roster. Nobody types the names of a class."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from staff.platforms import canvas, gradescope, moodle
from staff.term.roster import COLUMNS
from staff.term.table import Table
from tmagrade.basics.errors import UsageError
from tmagrade.submissions.names import distinct_names

# What each column of the roster is called there; the first that an export has counts.
CALLED: Mapping[str, Sequence[str]] = {
    "name": ("Student", moodle.NAME, "Name", "roster_identifier", "identifier"),
    "email": (moodle.EMAIL, gradescope.EMAIL),
    "group": (moodle.TEAM,),
    "section": ("Section", "Sections"),
    "canvas": (canvas.ID,),
    "sis": (canvas.SIS_ID, gradescope.SID, "ID number"),
    "login": (canvas.SIS_LOGIN, "Username"),
    "github": ("github_username",),
}
# Rows of Canvas' export that are nobody: the one above the students, and the student with whom teachers try things.
NOBODY = ("Points Possible", "Student, Test", "Test Student")


def roster_from(content: bytes) -> str:
    """The text of a roster.csv. Its ids are the logins where the export has them, else what e-mail addresses begin
    with, else the names; they may be changed until the first grading."""
    people = list(_people(content))
    short = Counter(_login_of(person).partition("@")[0].casefold() for person in people)
    ids = distinct_names(_id_of(person, short) for person in people)
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(COLUMNS)
    for person in people:
        said = {**person, "id": ids[_id_of(person, short)]}
        rows.writerow(said.get(column, "") for column in COLUMNS)
    return written.getvalue()


def _people(content: bytes) -> Iterator[dict[str, str]]:
    table = Table.of(content)
    header = [name.strip() for name in table.header()]
    places = {
        column: header.index(next(name for name in names if name in header))
        for column, names in CALLED.items()
        if any(name in header for name in names)
    }
    if "name" not in places:
        known = ", ".join(name for name in CALLED["name"])
        raise UsageError(f"this is no platform's list of a class: its first line has none of {known}")
    for row in range(1, len(table.rows)):
        person = {column: table.value(row, place).strip() for column, place in places.items()}
        if person["name"] and person["name"] not in NOBODY:
            if person.get("group") in moodle.NO_TEAMS:
                person["group"] = ""
            login = person.get("login", "")
            if "@" in login and not person.get("email"):
                person["email"] = login
            if person["name"].count(",") == 1:  # Canvas sorts by the last name
                last, first = person["name"].split(",")
                person["name"] = f"{first.strip()} {last.strip()}"
            yield person


def _login_of(person: Mapping[str, str]) -> str:
    return person.get("login") or person.get("email") or person.get("github") or person["name"]


def _id_of(person: Mapping[str, str], short: Mapping[str, int]) -> str:
    """What stands before the @, where nobody else has it."""
    login = _login_of(person)
    before = login.partition("@")[0]
    return before if short[before.casefold()] == 1 else login
