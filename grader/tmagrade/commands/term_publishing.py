"""Grade books and feedback of a term: filled, compared with what counts, and what was published remembered."""

from collections.abc import Sequence
from pathlib import Path

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out, reported_errors
from tmagrade.commands.consent import demand_consent
from tmagrade.commands.term_here import lab_of, opened_term, write_for_staff
from tmagrade.course.labs import load_labs
from tmagrade.outputs.folder import folder_name
from tmagrade.outputs.names import few_of
from tmagrade.submissions.names import student_folder_name
from tmagrade.term.canvas import canvas_book
from tmagrade.term.feedback_zip import FEEDBACK, names_in, pack
from tmagrade.term.grade_book import Book, Target, absent_from, fill
from tmagrade.term.moodle import moodle_book
from tmagrade.term.published_cells import cells_of
from tmagrade.term.publishing import Happened, changes_since, differences, last_published
from tmagrade.term.store import Decision, Published, Result, now
from tmagrade.term.term import Term, author, open_term


def publish(lab: str, target_name: str, book: Path, to: Path, yes: bool) -> None:
    """Fills a platform's own export. What was published before and is another score now is shown first."""
    with opened_term() as term:
        name, target = lab_of(term, lab), _target(target_name)
        sheet = term.sheet()
        cells = cells_of(term.settings, sheet, name)
        filled = fill(_book(term, name, target, book), sheet, name, cells)
        last = last_published(term.store.read(Published), name, target)
        happened = _happened(term, name)
        changed = list(changes_since(last, filled.cells, happened))
        if changed:
            demand_consent("change what was published", changed, yes)
        write_for_staff(to, filled.content)
        at, by = now(), author()
        term.store.add(
            Published(at, by, name, target, person, cell, *happened.counts(person))
            for person, cell in filled.cells.items()
            if person not in last or last[person].cell != cell
        )
        print_line(out, f"{name}: {len(filled.cells)} scores, {len(changed)} of them others than published before")
        _warn("no row for", filled.absent)
        _warn("rows that may not be changed there, left as they are", filled.locked)
        _warn("rows of nobody on the roster, left as they are", filled.unknown)


def print_changes(lab: str, target_name: str) -> None:
    with opened_term() as term:
        name, target = lab_of(term, lab), _target(target_name)
        last = last_published(term.store.read(Published), name, target)
        cells = cells_of(term.settings, term.sheet(), name)
        for line in list(changes_since(last, cells, _happened(term, name))) or ["nothing published has changed"]:
            print_line(out, line)


def compare(lab: str, target_name: str, path: Path) -> None:
    """Reads a grade book as it is on the platform, and says where it has not what counts in the term."""
    with opened_term() as term:
        name, target = lab_of(term, lab), _target(target_name)
        sheet = term.sheet()
        book = _book(term, name, target, path)
        there, here = book.cells(), cells_of(term.settings, sheet, name)
        last = last_published(term.store.read(Published), name, target)
        found = list(differences(there, here, last, there))
        for line in found:
            print_line(out, line)
        print_line(out, f"{name}: {len(there) - len(found)} of {len(there)} students have there what counts here")
        _warn("no row for", absent_from(book, sheet))


def _happened(term: Term, lab: str) -> Happened:
    return Happened.of(term.store.read(Result), term.store.read(Decision), lab)


def _target(name: str) -> Target:
    if name not in tuple(Target):
        raise UsageError(f"--to {name}: there are {', '.join(Target)}")
    return Target(name)


def _book(term: Term, lab: str, target: Target, path: Path) -> Book:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    if target is Target.CANVAS:
        one = term.settings.of_lab(lab)
        return canvas_book(content, one.canvas if one is not None else None, term.roster, lab)
    return moodle_book(content, term.roster)


def _warn(what: str, whom: Sequence[str]) -> None:
    if whom:
        print_line(err, f"tmagrade: {what}: {few_of(whom)}", "yellow")


def pack_feedback(target_name: str, download: Path, grades: Path, to: Path) -> None:
    """Packs each student's feedback.md under the names that the platform's download had. Without a term, students are
    called as the download calls them."""
    with reported_errors():
        term = open_term(HERE.term, load_labs(HERE.labs))
        target = _target(target_name)

        def feedback_of(called: str) -> str | None:
            people = term.roster.who(target, called) if term is not None else ()
            name = people[0].id if len(people) == 1 else student_folder_name(called)
            path = grades / folder_name(name) / FEEDBACK
            return path.read_text(encoding="utf-8") if path.is_file() else None

        packed = pack(target, names_in(download), feedback_of)
        if not packed.count:
            raise UsageError(f"{grades} has no feedback for anybody in {download}")
        write_for_staff(to, packed.content)
        print_line(out, f"feedback of {packed.count} students")
        _warn("no feedback for", packed.without)
