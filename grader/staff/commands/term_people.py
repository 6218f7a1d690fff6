"""Who is in a term: its beginning, the roster as it grows, and the assistants who share its folder."""

import os
import shutil
from datetime import date, timedelta
from pathlib import Path

from staff.commands.consent import demand_consent
from staff.commands.term_canvas import people_of
from staff.commands.term_here import opened_term
from staff.commands.term_work import print_term
from staff.platforms.first_roster import roster_from
from staff.platforms.grown_roster import grown, growth
from staff.platforms.listed import listed
from staff.term.new_term import NOBODY_YET, write_term
from staff.term.roster import ROSTER_FILE
from staff.term.store import file_mode
from tmagrade.basics.cache import replace_atomically
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.basics.utf8 import utf8_of
from tmagrade.commands.command_line import out, reported_errors
from tmagrade.course.labs import load_labs

SHARED_MODE = 0o2770  # what is made there belongs to the group, too


def begin(title: str, zone: str, first_due: str | None, book: Path | None) -> None:
    with reported_errors():
        try:
            first = date.fromisoformat(first_due) if first_due else date.today() + timedelta(weeks=1)
        except ValueError:
            raise UsageError(f"--first-due is a day, as 2026-09-18, not {first_due}") from None
        people = roster_from(_read(book)) if book is not None else NOBODY_YET
        for path in write_term(HERE.term, load_labs(HERE.labs), title, zone, first, people):
            print_line(out, f"written: {path}")
        print_term()


def grow(book: Path | None, section: str | None, yes: bool, dry_run: bool) -> None:
    """Brings the roster up to a platform's list, after showing what that is. Without a list, Canvas is asked."""
    with opened_term() as term:
        found = growth(term.roster, listed(_read(book)) if book is not None else people_of(term), section)
        if not found.lines():
            print_line(out, f"{ROSTER_FILE} has all that {book or 'Canvas'} says")
            return
        if dry_run:
            for line in [*found.lines(), f"a dry run: {ROSTER_FILE} is as it was"]:
                print_line(out, line)
            return
        demand_consent(f"change {ROSTER_FILE}", found.lines(), yes)
        path = HERE.term / ROSTER_FILE
        content = grown(path.read_bytes(), found, date.today().isoformat())
        replace_atomically(path, lambda unfinished: unfinished.write_bytes(content), file_mode(HERE.term))
        print_line(out, f"added: {len(found.added)}; changed: {len(found.changed)}; dropped: {len(found.gone)}")


def share(group: str) -> None:
    """Lets everybody of a Unix group record decisions: the term's folder and its files are the group's, too."""
    with opened_term():
        try:
            shutil.chown(HERE.term, group=group)
            HERE.term.chmod(SHARED_MODE)
            for path in HERE.term.iterdir():
                shutil.chown(path, group=group)
                path.chmod(file_mode(HERE.term))
        except (LookupError, OSError) as error:
            raise UsageError(f"{HERE.term} cannot be given to the group {group}: {error}") from error
        print_line(out, f"{os.path.relpath(HERE.term)}: everybody of the group {group} may read and write there")


def _read(book: Path) -> bytes:
    try:
        content = book.read_bytes()
    except OSError as error:
        raise UsageError(f"{book} cannot be read: {error.strerror}") from error
    utf8_of(content, book)
    return content
