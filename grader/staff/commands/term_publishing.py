"""Grade books and feedback of a term: filled, compared with what counts, and what was published remembered."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from staff.commands.consent import demand_consent
from staff.commands.term_here import lab_of, opened_term, print_remarks, write_for_staff
from staff.outputs.folder import folder_name
from staff.platforms import canvas, moodle
from staff.platforms.classroom50 import fill_results
from staff.platforms.feedback_zip import FEEDBACK, names_in, pack
from staff.platforms.github import GITHUB, pack_for_github
from staff.platforms.gradescope import Graded, gradescope_book, look_up_zip
from staff.term.author import author
from staff.term.grade_book import Book, Filled, Target, absent_from, fill
from staff.term.left_out import still_left_out
from staff.term.published_cells import cells_of, waiting_for_points
from staff.term.publishing import Happened, changes_since, differences, last_published, taken_back_since
from staff.term.remark_text import plain_of
from staff.term.remarks import remarks_on
from staff.term.sheet import Cell, Sheet
from staff.term.store import Decision, LeftOut, Published, Result
from staff.term.term import Term, open_term
from tmagrade.basics.errors import UsageError
from tmagrade.basics.moment import now
from tmagrade.basics.names import few_of, one_of
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.basics.utf8 import utf8_of
from tmagrade.commands.command_line import err, out, reported_errors
from tmagrade.course.labs import load_labs
from tmagrade.outputs.grades import Facts, Student, grades_if_any
from tmagrade.submissions.names import student_folder_name


def publish(lab: str, target_name: str, book: Path | None, to: Path, section: str | None, yes: bool) -> None:
    """Writes what a platform takes. What was published before and is another score now is shown first."""
    with opened_term() as term:
        name, target = lab_of(term, lab), _target(target_name)
        _demand_another("--book", book, to)
        happened = _happened(term, name)
        sheet = _of_section(term.sheet(), happened, target, section)
        cells = cells_of(term.settings, sheet, name, target)
        filled = _filled(term, name, target, book, sheet, cells)
        last = last_published(term.store.read(Published), name, target)
        if not happened.results and filled.cells:
            nothing = f"nothing of {name} was graded in this term: {len(filled.cells)} cells are of what is missing"
            demand_consent("publish a lab that was never graded", [nothing], yes)
        if doubts := _zeros_in_doubt(term, sheet, name, filled.cells, last):
            demand_consent("publish 0 for what is missing, and may have been left out by a grading", doubts, yes)
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
        _warn_of_waiting(sheet, name, set(filled.absent))
        print_remarks(sheet, [name])
        for line in taken_back_since(_last_of(last, sheet), cells, happened):
            print_line(err, f"tmagrade: {line}; the book keeps it", "yellow")
        _warn("no row for", _expected(filled.absent, happened, target))
        _warn("rows that may not be changed there, left as they are", filled.locked)
        _warn("rows of nobody on the roster, left as they are", filled.unknown)


def _zeros_in_doubt(
    term: Term, sheet: Sheet, lab: str, cells: Mapping[str, str], last: Mapping[str, Published]
) -> list[str]:
    """Who would be published as missing for the first time, where hand-ins were left out of which nobody knows whose
    they are; empty where there are none of the one or the other."""
    missing = [row.person.id for row in sheet.rows if row.cells[lab].result is None and cells.get(row.person.id) == "0"]
    new = [who for who in missing if who not in last]
    left_out = still_left_out(term.store.read(LeftOut), term.store.read(Result))
    said = [f"{one.said} (of {one.place})" for one in left_out if one.lab == lab and not one.person]
    return [f"0 for {few_of(new)}", *said] if new and said else []


def _last_of(last: Mapping[str, Published], sheet: Sheet) -> dict[str, Published]:
    """What was published of those whom a sheet is about."""
    return {row.person.id: last[row.person.id] for row in sheet.rows if row.person.id in last}


def _of_section(sheet: Sheet, happened: Happened, target: Target, section: str | None) -> Sheet:
    """The section's rows. Without one: of an autograder of Gradescope's, which holds everybody's results, the sections
    of which anybody has handed in there; else all."""
    sections = {row.person.section for row in sheet.rows}
    if section is not None:
        return sheet.of_sections({one_of("section", section, sorted(sections))})
    if target is not Target.GRADESCOPE:
        return sheet
    there = {who for who, results in happened.results.items() if any(one.platform == target for one in results)}
    return sheet.of_sections({row.person.section for row in sheet.rows if row.person.id in there} or sections)


def _filled(term: Term, lab: str, target: Target, book: Path | None, sheet: Sheet, cells: Mapping[str, str]) -> Filled:
    if target is Target.GRADESCOPE:
        return look_up_zip(sheet, lab, cells, _graded(term, lab))
    if book is None:
        what = "a folder of NAME/result.json" if target is Target.CLASSROOM50 else "the class's own export"
        raise UsageError(f"--book is needed for {target}: {what}")
    if target is Target.CLASSROOM50:
        return fill_results(book, sheet, term.roster, lab, cells, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    return fill(_book(term, lab, target, book), sheet, lab, cells)


def _graded(term: Term, lab: str) -> Graded:
    """What was graded of a cell's lab, as far as the grades still have it."""
    grades = grades_if_any(HERE.grades)
    by_name = {} if grades is None else {student.id: student for student in grades.students}
    remarks = remarks_on(HERE.grades)

    def graded(cell: Cell) -> tuple[Student, Facts, Mapping[str, str]] | None:
        student = by_name.get(term.graded_as(cell.result)) if cell.result is not None else None
        results = tuple(result for result in student.labs if result.lab.id == lab) if student is not None else ()
        if grades is None or student is None or not results:
            return None
        found = Student(student.id, results)
        return found, grades.facts_of(student, lab), plain_of(found, remarks)

    return graded


def print_changes(lab: str, target_name: str) -> None:
    with opened_term() as term:
        name, target = lab_of(term, lab), _target(target_name)
        last = last_published(term.store.read(Published), name, target)
        sheet, happened = term.sheet(), _happened(term, name)
        cells = cells_of(term.settings, sheet, name, target)
        changed = [*changes_since(last, cells, happened), *taken_back_since(_last_of(last, sheet), cells, happened)]
        for line in changed or ["nothing published has changed"]:
            print_line(out, line)


def compare(lab: str, target_name: str, path: Path) -> None:
    """Reads a grade book as it is on the platform, and says where it has not what counts in the term."""
    with opened_term() as term:
        name, target = lab_of(term, lab), _target(target_name)
        sheet = term.sheet()
        book = _book(term, name, target, path)
        there, here = book.cells(), cells_of(term.settings, sheet, name, target)
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
    utf8_of(content, path)  # its names are compared with the roster's; what it says is kept byte for byte
    if target is Target.GRADESCOPE:
        return gradescope_book(content, term.roster)
    if target is Target.CLASSROOM50:
        raise UsageError("scores.json of Classroom 50 is not read: its releases have what was published")
    if target is Target.CANVAS:
        one = term.settings.of_lab(lab)
        return canvas.canvas_book(content, one.canvas if one is not None else None, term.roster, lab)
    return moodle.moodle_book(content, term.roster)


def _expected(absent: Sequence[str], happened: Happened, target: Target) -> list[str]:
    """Without those who have handed in the lab on another platform, where their row is."""
    came_by = {person: results[-1].platform for person, results in happened.results.items()}
    others = {*Target} - {target}
    return [person for person in absent if came_by.get(person) not in others]


def _warn_of_waiting(sheet: Sheet, lab: str, absent: Collection[str]) -> None:
    """Without a GPU that is everybody with a bandwidth part, and a teacher is to see why the column stays empty."""
    waiting = [person for person in waiting_for_points(sheet, lab) if person not in absent]
    what = 'points are pending, so the cell stays as it is (term.toml: pending = "scale" publishes the rest)'
    _warn(what, waiting)


def _demand_another(option: str, read: Path | None, written: Path) -> None:
    """UsageError where what a platform gave would be written over."""
    if read is not None and read.resolve() == written.resolve():
        raise UsageError(f"{option} and --out are the same file, and the first is to stay as it is: give --out another")


def _warn(what: str, whom: Sequence[str]) -> None:
    if whom:
        print_line(err, f"tmagrade: {what}: {few_of(whom)}", "yellow")


def pack_feedback(target_name: str, download: Path, grades: Path, to: Path) -> None:
    """Packs each student's feedback.md under the names that the platform's download had. Without a term, students are
    called as the download calls them."""
    with reported_errors():
        _demand_another("--download", download, to)
        term = open_term(HERE.term, load_labs(HERE.labs))
        target = None if target_name == GITHUB else _target(target_name)
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
        _warn("no feedback for", packed.without)
