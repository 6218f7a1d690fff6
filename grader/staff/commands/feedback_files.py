"""Students' files, which say what counts, after a decision."""

from collections.abc import Iterable

from staff.outputs.folder import write_remarks
from staff.term.roster import Person
from staff.term.term import Term
from tmagrade.basics.errors import CannotRecord, UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err
from tmagrade.outputs.grades import grades_if_any


def bring_feedback_up(term: Term, people: Iterable[Person]) -> None:
    """Of these people and of their groups. Where they cannot be written the decision is kept all the same."""
    names: set[str] = set()
    sheet = term.sheet()
    for row in (sheet.row_of(person) for person in people if not person.dropped):
        for cell in row.cells.values():
            names |= {one.id for one in term.roster_of(cell.lab).members(row.person)}
            names |= {term.graded_as(cell.result)} if cell.result is not None else set()
    try:
        grades = grades_if_any(HERE.grades)
        if grades is not None:
            write_remarks(HERE.grades, grades, names)
    except (OSError, CannotRecord, UsageError) as error:
        print_line(err, f"tmagrade: feedback.md has it after the next grading: {error}", "yellow")
