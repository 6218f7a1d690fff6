"""Who is in a class by a platform's own list: Canvas' grade book, Moodle's grading worksheet or its list of
participants, Gradescope's roster, or GitHub Classroom's. Nobody types the names of a class."""

from collections.abc import Iterator, Mapping, Sequence

from staff.platforms import canvas, gradescope, moodle
from staff.term.table import Table
from tmagrade.basics.errors import UsageError

# What each column of the roster is called there; the first that a list has counts.
CALLED: Mapping[str, Sequence[str]] = {
    "name": ("Student", moodle.NAME, "Name", "roster_identifier", "identifier"),
    "first": ("FirstName", "First Name", "First name"),
    "last": ("LastName", "Last Name", "Last name", "Surname"),
    "email": (moodle.EMAIL, gradescope.EMAIL),
    "group": (moodle.TEAM,),
    "section": ("Section", "Sections"),
    "canvas": (canvas.ID,),
    "sis": (canvas.SIS_ID, gradescope.SID, "ID number"),
    "login": (canvas.SIS_LOGIN, "Username"),
    "github": ("github_username",),
    "participants": (moodle.IDENTIFIER,),
    "role": ("Role",),
}
# Rows of Canvas' export that are nobody: those above the students, and the student with whom teachers try things.
NOBODY = ("Points Possible", "Student, Test", "Test Student", "Student Test")
STUDENT = "student"  # Gradescope's `Role`, where it lists the staff, too
KNOWN = (
    "known are Canvas' grade book (Student or LastName, FirstName; ID; Section), Moodle's grading worksheet in any "
    "language, its participants (First name, Last name, Email address), Gradescope's roster (First Name, Last Name, "
    "SID, Email, Role), and GitHub Classroom's (identifier, github_username)"
)

Listed = Mapping[str, str]  # by the roster's columns, and `login`


def listed(content: bytes) -> list[Listed]:
    """UsageError where it is none of those lists."""
    table = Table.of(content)
    places = _places(table)
    if "name" not in places and not {"first", "last"} <= {*places}:
        shown = ", ".join(table.header()[:6]) or "nothing"
        raise UsageError(f"this is no platform's list of a class: it begins with {shown}; {KNOWN}")
    return list(_people(table, places))


def _places(table: Table) -> dict[str, int]:
    header = [name.strip() for name in table.header()]
    columns = moodle.worksheet_columns(table)
    named = columns or {name: place for place, name in reversed(list(enumerate(header)))}
    return {
        column: next(named[name] for name in names if name in named)
        for column, names in CALLED.items()
        if any(name in named for name in names)
    }


def _people(table: Table, places: Mapping[str, int]) -> Iterator[Listed]:
    for row in range(1, len(table.rows)):
        person = {column: table.value(row, place).strip() for column, place in places.items()}
        first, last = person.pop("first", ""), person.pop("last", "")
        person["name"] = person.get("name") or f"{first} {last}".strip()
        if not person["name"] or person["name"] in NOBODY or person.pop("role", STUDENT).casefold() != STUDENT:
            continue
        if person.get("group") in moodle.NO_TEAMS:
            person["group"] = ""
        if "@" in person.get("login", "") and not person.get("email"):
            person["email"] = person["login"]
        if person["name"].count(",") == 1:  # Canvas sorts by the last name
            last, first = person["name"].split(",")
            person["name"] = f"{first.strip()} {last.strip()}"
        person["participants"] = moodle.participant_of(person.get("participants", ""))
        yield {column: value for column, value in person.items() if value}
