"""What is done with Canvas itself, by its API: hand-ins fetched, scores compared and put, comments added, the class."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from staff.commands.feedback_files import bring_feedback_up
from staff.commands.publication import publication_of, warn
from staff.commands.term_here import lab_of, opened_term
from staff.commands.term_publishing import canvas_book, graded_of
from staff.platforms.canvas import ID, SUBMISSIONS
from staff.platforms.canvas_api import Canvas
from staff.platforms.canvas_course import CanvasCourse, OtherDue, Submission, same_comment
from staff.platforms.canvas_hand_ins import fetch, plan_of
from staff.platforms.listed import Listed
from staff.term.author import author
from staff.term.explanation import decided_text
from staff.term.grade_book import Book, Target, fill
from staff.term.publishing import changed_there, is_same_score
from staff.term.remark_text import markdown_of
from staff.term.remarks import remarks_on
from staff.term.sheet import deadline_of
from staff.term.store import BY_PLATFORM, Decision
from staff.term.student_counts import counts_in
from staff.term.term import Term
from tmagrade.basics.errors import UsageError
from tmagrade.basics.moment import now
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import out
from tmagrade.outputs.feedback import feedback_text

LATE_POLICY = "Canvas takes points off for lateness as well, by the late policy of its grade book"
MOST_OF_A_COMMENT = 20_000  # characters


def course_of(term: Term) -> CanvasCourse:
    settings = term.settings.canvas
    if settings is None:
        raise UsageError("term.toml does not say where Canvas is: address and course below [canvas]")
    return CanvasCourse(Canvas(settings.address), settings.course)


def people_of(term: Term) -> list[Listed]:
    return course_of(term).people


def collect(lab: str, to: Path, dry_run: bool) -> None:
    """Fetches what was handed in, and when."""
    with opened_term() as term:
        name = lab_of(term, lab)
        course, assignment = course_of(term), _assignment(term, name)
        # Of several attempts Canvas lists the newest, which is the one that counts: `submission_history`, with the
        # earlier ones, is not asked for (https://canvas.instructure.com/doc/api/submissions.html).
        plan = plan_of(course.submissions(assignment), to)
        files, missing = len({one.name for one in plan.files}), plan.missing
        late = sum(bool(one.get("late")) for one in plan.submissions)
        print_line(out, f"{name}: {len(plan.submissions)} have handed in, {late} of them late by Canvas' date")
        mebibytes = sum(one.size for one in missing) / (1 << 20)
        print_line(out, f"files: {files}; to be fetched: {len(missing)} ({mebibytes:.1f} MiB)")
        if dry_run:
            print_line(out, "a dry run: nothing was fetched")
            return
        fetch(course.asked, plan, to)
        term.store.add(_said_again(term, name, plan.submissions))
        print_line(out, f"written: {to}, with {SUBMISSIONS}, which says when")


def extend(lab: str, dry_run: bool) -> None:
    """Takes over the due dates of Canvas' that give some more time than the term does."""
    with opened_term() as term:
        name = lab_of(term, lab)
        dues = course_of(term).other_dues(_assignment(term, name))
        new = {(one.person, one.value): one for due in dues if due.at for one in _extensions(term, name, due)}
        for one in new.values():
            print_line(out, f"{one.person}: {decided_text(term.settings, one)}: {one.reason}")
        if dry_run:
            print_line(out, f"{name}: {len(new)} extensions; a dry run, so none was kept")
            return
        term.store.add(new.values())
        bring_feedback_up(term, [term.roster.by_id[person] for person, _ in new])
        print_line(out, f"{name}: {len(new)} extensions kept")
        warn("without a due date on Canvas, which no extension is", [one.title for one in dues if not one.at])


def _extensions(term: Term, lab: str, due: OtherDue) -> Iterator[Decision]:
    """For those who have less time as it is."""
    one = term.settings.of_lab(lab)
    assert one is not None and due.at is not None
    until = datetime.fromisoformat(due.at).astimezone(term.settings.zone).replace(tzinfo=None)
    for person in (person for user in due.users for person in term.roster.who("canvas", f"_{user}")):
        now_due = deadline_of(term.settings, one, term.decisions_of(person, lab)).due
        if until.replace(second=0) > now_due.replace(second=0):
            yield Decision(now(), author(), person.id, lab, "extend", until.isoformat(), f"as Canvas says: {due.title}")


def publish(lab: str, section: str | None, yes: bool, dry_run: bool) -> None:
    """Puts scores, after the questions of every publication, and those about what was put there by hand."""
    with opened_term() as term:
        name = lab_of(term, lab)
        course, assignment = course_of(term), _assignment(term, name)
        publication = publication_of(term, name, Target.CANVAS, section)
        book = _book(term, course, name)
        there = book.cells()
        filled = fill(book, publication.sheet, name, publication.cells)
        others = {who: cell for who, cell in filled.cells.items() if not is_same_score(there[who], cell)}
        by_hand = list(changed_there(there, publication.last, others))
        policy = [LATE_POLICY] if others and course.takes_off_for_lateness() else []
        more = [("write over what others have put into Canvas", by_hand), ("count lateness twice", policy)]
        if dry_run:
            publication.show(filled.cells, more)
            for who, cell in others.items():
                print_line(out, f"  {who}: {there[who] or 'empty'} -> {cell}")
            return
        publication.demand(filled.cells, yes, more)
        numbers = _numbers(book)
        course.grade(assignment, {numbers[who]: cell for who, cell in others.items()})
        then = _book(term, course, name).cells() if others else there
        taken = {who: cell for who, cell in filled.cells.items() if is_same_score(then.get(who, ""), cell)}
        publication.keep(replace(filled, cells=taken))
        print_line(out, f"{len(others)} scores were other ones on Canvas")
        if refused := [f"{who} ({then.get(who) or 'empty'})" for who in filled.cells if who not in taken]:
            raise UsageError(f"Canvas has other scores than it was given, of {', '.join(refused)}")


def compare(lab: str) -> None:
    with opened_term() as term:
        name = lab_of(term, lab)
        publication_of(term, name, Target.CANVAS).compare(_book(term, course_of(term), name))


def comment(lab: str, dry_run: bool) -> None:
    """Adds what feedback says of a lab as a comment, where it does not stand there yet."""
    with opened_term() as term:
        name = lab_of(term, lab)
        course, assignment = course_of(term), _assignment(term, name)
        texts, without = _feedback(term, name, _numbers(_book(term, course, name)))
        there = course.commented(assignment)
        new = {who: text for who, text in texts.items() if who in there and same_comment(text) not in there[who]}
        if dry_run:
            print_line(out, f"{name}: {len(new)} comments; a dry run, so none was added")
            return
        course.comment(assignment, new)
        print_line(out, f"{name}: {len(new)} comments added; {len(texts) - len(new)} were there")
        warn("no feedback for", without)


def _book(term: Term, course: CanvasCourse, lab: str) -> Book:
    one = term.settings.of_lab(lab)
    assert one is not None and one.canvas is not None
    return canvas_book(term, lab, course.grade_book(_assignment(term, lab), one.canvas))


def _numbers(book: Book) -> dict[str, str]:
    """Canvas' numbers of people."""
    return {person.id: book.table.value(row, book.table.header().index(ID)) for row, person in book.people.items()}


def _feedback(term: Term, lab: str, numbers: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """By Canvas' numbers of people; and whose grades are not here any more."""
    graded, remarks = graded_of(term, lab), remarks_on(HERE.grades)
    texts: dict[str, str] = {}
    without: list[str] = []
    for row in term.sheet().rows:
        if row.person.id in numbers and row.cells[lab].result is not None:
            found = graded(row.cells[lab])
            if found is None:
                without.append(row.person.id)
            else:
                student, facts = found
                text = feedback_text(student, facts, markdown_of(student, remarks), counts_in([row], student))
                texts[numbers[row.person.id]] = text[:MOST_OF_A_COMMENT]
    return texts, without


def _said_again(term: Term, lab: str, submissions: Iterable[Submission]) -> Iterator[Decision]:
    """Where a table has said when (`term times`), and Canvas says otherwise now: there is a newer attempt."""
    for one in submissions:
        at = datetime.fromisoformat(one["submitted_at"])
        for person in term.roster.who("canvas", f"_{one['user_id']}"):
            times = [said for said in term.decisions_of(person, lab) if said.kind == "time"]
            if times and times[-1].is_platforms_time and datetime.fromisoformat(times[-1].value) != at:
                yield Decision(now(), author(), person.id, lab, "time", at.isoformat(), f"{BY_PLATFORM}Canvas")


def _assignment(term: Term, lab: str) -> int:
    one = term.settings.of_lab(lab)
    if one is None or one.assignment is None:
        raise UsageError(f'which assignment is {lab}? canvas = "Lab 3 (12345)" in term.toml says its number')
    return one.assignment
