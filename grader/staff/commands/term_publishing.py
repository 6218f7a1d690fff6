"""Grade books and feedback of a term: filled, compared with what counts, and what was published remembered."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from staff.commands.publication import publication_of, warn
from staff.commands.term_here import lab_of, opened_term, write_for_staff
from staff.outputs.folder import folder_name
from staff.platforms import canvas, moodle
from staff.platforms.classroom50 import fill_results
from staff.platforms.feedback_zip import FEEDBACK, names_in, pack
from staff.platforms.github import GITHUB, pack_for_github
from staff.platforms.gradescope import Graded, gradescope_book, look_up_zip
from staff.term.grade_book import Book, Filled, Target, fill
from staff.term.remarks import remarks_on
from staff.term.sheet import Cell, Sheet
from staff.term.term import Term, open_term
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.basics.utf8 import utf8_of
from tmagrade.commands.command_line import out, reported_errors
from tmagrade.course.labs import load_labs
from tmagrade.outputs.grades import Facts, Student, grades_if_any
from tmagrade.submissions.names import student_folder_name


def publish(
    lab: str, target_name: str, book: Path | None, to: Path, section: str | None, yes: bool, dry_run: bool
) -> None:
    """Writes what a platform takes. What was published before and is another score now is shown first."""
    with opened_term() as term:
        name, target = lab_of(term, lab), target_of(target_name)
        _demand_another("--book", book, to)
        publication = publication_of(term, name, target, section)
        filled = _filled(term, name, target, book, publication.sheet, publication.cells)
        if dry_run:
            publication.show(filled.cells)
            return
        publication.demand(filled.cells, yes)
        write_for_staff(to, filled.content)
        publication.keep(filled)


def _filled(term: Term, lab: str, target: Target, book: Path | None, sheet: Sheet, cells: Mapping[str, str]) -> Filled:
    if target is Target.GRADESCOPE:
        return look_up_zip(sheet, lab, cells, graded_of(term, lab), remarks_on(HERE.grades))
    if book is None:
        what = "a folder of NAME/result.json" if target is Target.CLASSROOM50 else "the class's own export"
        raise UsageError(f"--book is needed for {target}: {what}")
    if target is Target.CLASSROOM50:
        return fill_results(book, sheet, term.roster, lab, cells, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    return fill(_book(term, lab, target, book), sheet, lab, cells)


def graded_of(term: Term, lab: str) -> Graded:
    """What was graded of a cell's lab, as far as the grades still have it."""
    grades = grades_if_any(HERE.grades)
    by_name = {} if grades is None else {student.id: student for student in grades.students}

    def graded(cell: Cell) -> tuple[Student, Facts] | None:
        student = by_name.get(term.graded_as(cell.result)) if cell.result is not None else None
        results = tuple(result for result in student.labs if result.lab.id == lab) if student is not None else ()
        if grades is None or student is None or not results:
            return None
        return Student(student.id, results), grades.facts_of(student, lab)

    return graded


def print_changes(lab: str, target_name: str) -> None:
    with opened_term() as term:
        publication = publication_of(term, lab_of(term, lab), target_of(target_name))
        changed = [*publication.changed(publication.cells), *publication.taken_back()]
        for line in changed or ["nothing published has changed"]:
            print_line(out, line)


def compare(lab: str, target_name: str, path: Path) -> None:
    """Reads a grade book as it is on the platform, and says where it has not what counts in the term."""
    with opened_term() as term:
        name, target = lab_of(term, lab), target_of(target_name)
        publication_of(term, name, target).compare(_book(term, name, target, path))


def target_of(name: str) -> Target:
    if name not in tuple(Target):
        raise UsageError(f"--to {name}: there are {', '.join(Target)}")
    return Target(name)


def _book(term: Term, lab: str, target: Target, path: Path) -> Book:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    utf8_of(content, path)  # its names are compared with the roster's; what it says is kept byte for byte
    if target is Target.GRADESCOPE:
        return gradescope_book(content, term.roster)
    if target is Target.CLASSROOM50:
        raise UsageError("scores.json of Classroom 50 is not read: its releases have what was published")
    if target is Target.CANVAS:
        return canvas_book(term, lab, content)
    return moodle.moodle_book(content, term.roster)


def canvas_book(term: Term, lab: str, content: bytes) -> Book:
    one = term.settings.of_lab(lab)
    return canvas.canvas_book(content, one.canvas if one is not None else None, term.roster, lab)


def _demand_another(option: str, read: Path | None, written: Path) -> None:
    """UsageError where what a platform gave would be written over."""
    if read is not None and read.resolve() == written.resolve():
        raise UsageError(f"{option} and --out are the same file, and the first is to stay as it is: give --out another")


def pack_feedback(target_name: str, download: Path, grades: Path, to: Path) -> None:
    """Packs each student's feedback.md under the names that the platform's download had. Without a term, students are
    called as the download calls them."""
    with reported_errors():
        _demand_another("--download", download, to)
        term = open_term(HERE.term, load_labs(HERE.labs))
        target = None if target_name == GITHUB else target_of(target_name)
        places = {Target.CANVAS: canvas.feedback_place, Target.MOODLE: moodle.feedback_place}
        if target is not None and target not in places:
            raise UsageError(f"--to {target}: feedback goes back with what is published there")

        def feedback_of(called: str) -> str | None:
            people = term.roster.who(target_name, called) if term is not None else ()
            name = people[0].id if len(people) == 1 else student_folder_name(called)
            path = grades / folder_name(name) / FEEDBACK
            return path.read_text(encoding="utf-8") if path.is_file() else None

        names = names_in(download)
        packed = pack_for_github(names, feedback_of) if target is None else pack(places[target], names, feedback_of)
        if not packed.count:
            raise UsageError(f"{grades} has no feedback for anybody in {download}")
        write_for_staff(to, packed.content)
        print_line(out, f"feedback of {packed.count} students")
        warn("no feedback for", packed.without)
