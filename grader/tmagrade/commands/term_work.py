"""The work of the commands about a term; term_commands.py, which says how they are typed, starts without it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out, reported_errors
from tmagrade.commands.consent import demand_consent
from tmagrade.course.labs import load_labs
from tmagrade.outputs.folder import folder_name
from tmagrade.outputs.names import few_of, one_of
from tmagrade.submissions.names import student_folder_name
from tmagrade.term.canvas import fill_canvas
from tmagrade.term.feedback_zip import FEEDBACK, names_in, pack
from tmagrade.term.grade_book import Filled, Target, cells_of
from tmagrade.term.moodle import fill_moodle
from tmagrade.term.new_term import write_term
from tmagrade.term.plain_sheet import sheet_csv
from tmagrade.term.publishing import Happened, changes_since, last_published
from tmagrade.term.roster import Person
from tmagrade.term.scores import shown
from tmagrade.term.settings import SETTINGS_FILE
from tmagrade.term.sheet import explained
from tmagrade.term.store import Decision, Published, Result, now
from tmagrade.term.term import Term, author, open_term


@contextmanager
def opened_term() -> Iterator[Term]:
    with reported_errors():
        term = open_term(HERE.term, load_labs(HERE.labs))
        if term is None:
            raise UsageError(f"{HERE.term} holds no term: tmagrade term init begins one")
        yield term


def person_of(term: Term, who: str) -> Person:
    """The one whom a person means: by the id or the name, whole or a part that fits no other."""
    labels = {f"{person.id} ({person.name})": person for person in term.roster.people}
    exact = [person for person in term.roster.people if person.id == who]
    return exact[0] if exact else labels[one_of("student on the roster", who, list(labels))]


def lab_of(term: Term, name: str) -> str:
    names = [one.lab for one in term.settings.labs]
    found = [lab for lab in names if lab == name or lab.startswith(f"{name}-")]
    return found[0] if len(found) == 1 else one_of("lab of the term", name, names)


def begin(title: str, zone: str, first_due: str | None) -> None:
    with reported_errors():
        try:
            first = date.fromisoformat(first_due) if first_due else date.today() + timedelta(weeks=1)
        except ValueError:
            raise UsageError(f"--first-due is a day, as 2026-09-18, not {first_due}") from None
        for path in write_term(HERE.term, load_labs(HERE.labs), title, zone, first):
            print_line(out, f"written: {path}")


def print_term() -> None:
    with opened_term() as term:
        print_line(out, f"{term.settings.title}: {len(term.roster.people)} students, {len(term.settings.labs)} labs")
        for one in term.settings.labs:
            print_line(out, f"  {one.lab}: due {one.due:%Y-%m-%d %H:%M} {term.settings.time_zone}")


def extend(who: str, lab: str, until: str, reason: str) -> None:
    """Until a local time, or `+3d`: so many days after the deadline."""
    with opened_term() as term:
        one = term.settings.of_lab(lab_of(term, lab))
        assert one is not None
        if until.startswith("+") and until.endswith("d") and until[1:-1].isdigit():
            moment = one.due + timedelta(days=int(until[1:-1]))
        else:
            moment = _moment(until)
        if moment.tzinfo is not None:
            raise UsageError(f"{until}: the course's own time is meant, without an offset")
        _decide(term, who, lab, "extend", moment.isoformat(timespec="minutes"), reason)


def say_time(who: str, lab: str, when: str, reason: str) -> None:
    with opened_term() as term:
        moment = _moment(when)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=term.settings.zone)
        _decide(term, who, lab, "time", moment.astimezone(UTC).isoformat(), reason)


def override(who: str, lab: str, points: str, reason: str) -> None:
    with opened_term() as term:
        _decide(term, who, lab, "override", _points(points, negative=False), reason)


def add(who: str, lab: str, points: str, reason: str) -> None:
    with opened_term() as term:
        _decide(term, who, lab, "add", _points(points, negative=True), reason)


def excuse(who: str, lab: str, reason: str) -> None:
    with opened_term() as term:
        _decide(term, who, lab, "excuse", "", reason)


def withdraw(who: str, lab: str, kind: str, reason: str) -> None:
    with opened_term() as term:
        if kind not in {one.kind for one in term.decisions_of(person_of(term, who), lab_of(term, lab))}:
            raise UsageError(f"nothing of the kind {kind!r} was decided there")
        _decide(term, who, lab, "withdraw", kind, reason)


def print_history(who: str, lab: str) -> None:
    with opened_term() as term:
        person, name = person_of(term, who), lab_of(term, lab)
        lines = [
            (
                one.grading,
                f"graded {one.score} of {one.max}, {one.pending} pending, {one.backend}, by {one.by} {one.why}",
            )
            for one in term.store.read(Result)
            if (one.person, one.lab) == (person.id, name)
        ]
        lines += [
            (one.at, f"{one.kind} {one.value} by {one.by}: {one.reason}")
            for one in term.store.read(Decision)
            if (one.person, one.lab) == (person.id, name)
        ]
        for at, said in sorted(lines):
            print_line(out, f"{at[:19].replace('T', ' ')} UTC  {said}".rstrip())


def write_sheet(to: Path | None) -> None:
    with opened_term() as term:
        text = sheet_csv(term.sheet())
        if to is None:
            for line in text.splitlines():
                print_line(out, line)
        else:
            write_for_staff(to, text.encode())


def publish(lab: str, target_name: str, book: Path, to: Path, yes: bool) -> None:
    """Fills a platform's own export. What was published before and is another score now is shown first."""
    with opened_term() as term:
        name, target = lab_of(term, lab), _target(target_name)
        filled = _filled(term, name, target, book)
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
        if filled.absent:
            print_line(err, f"tmagrade: no row for: {few_of(filled.absent)}", "yellow")
        if filled.unknown:
            nobody = "rows of nobody on the roster, left as they are"
            print_line(err, f"tmagrade: {nobody}: {few_of(filled.unknown)}", "yellow")


def pack_feedback(target_name: str, download: Path, grades: Path, to: Path) -> None:
    """Packs each student's feedback.md under the names that the platform's download had. Without a term, students are
    called as the download calls them."""
    with reported_errors():
        term = open_term(HERE.term, load_labs(HERE.labs)) if (HERE.term / SETTINGS_FILE).exists() else None
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
        if packed.without:
            print_line(err, f"tmagrade: no feedback for: {few_of(packed.without)}", "yellow")


def print_changes(lab: str, target_name: str) -> None:
    with opened_term() as term:
        name, target = lab_of(term, lab), _target(target_name)
        last = last_published(term.store.read(Published), name, target)
        cells = cells_of(term.settings, term.sheet(), name)
        for line in list(changes_since(last, cells, _happened(term, name))) or ["nothing published has changed"]:
            print_line(out, line)


def _happened(term: Term, lab: str) -> Happened:
    return Happened.of(term.store.read(Result), term.store.read(Decision), lab)


def _target(name: str) -> Target:
    if name not in tuple(Target):
        raise UsageError(f"--to {name}: there are {', '.join(Target)}")
    return Target(name)


def _filled(term: Term, lab: str, target: Target, book: Path) -> Filled:
    one = term.settings.of_lab(lab)
    assert one is not None
    sheet = term.sheet()
    cells = cells_of(term.settings, sheet, lab)
    try:
        content = book.read_bytes()
    except OSError as error:
        raise UsageError(f"{book} cannot be read: {error.strerror}") from error
    if target is Target.CANVAS:
        return fill_canvas(content, one.canvas, sheet, term.roster, lab, cells)
    return fill_moodle(content, sheet, term.roster, lab, cells)


def write_for_staff(to: Path, content: bytes) -> None:
    """Writes a file with grades: for its owner and group alone."""
    to.touch(mode=0o640)
    to.chmod(0o640)
    to.write_bytes(content)
    print_line(out, f"written: {to}")


def explain_in_term(student: str, lab: str) -> Iterator[str]:
    """What `tmagrade explain` says of the term, where there is one with this student and lab."""
    if not (HERE.term / SETTINGS_FILE).exists():
        return
    term = open_term(HERE.term, load_labs(HERE.labs))
    assert term is not None
    person = next((one for one in term.roster.people if one.id == student), None)
    if person is not None and term.settings.of_lab(lab) is not None:
        yield ""
        yield from explained(term.settings, term.sheet().row_of(person), lab, term.decisions_of(person, lab))


def _decide(term: Term, who: str, lab: str, kind: str, value: str, reason: str) -> None:
    """Keeps a decision, and says what the lab counted before and counts now."""
    if not reason.strip():
        raise UsageError("--reason is empty: say why")
    person, name = person_of(term, who), lab_of(term, lab)
    before = term.sheet().row_of(person).cells[name].counted.score
    term.decide(person, name, kind, value, reason)
    after = term.sheet().row_of(person).cells[name].counted.score
    said = " -> ".join("no score" if score is None else shown(score) for score in (before, after))
    print_line(out, f"{person.id} ({person.name}), {name}: {kind} {value}".rstrip() + f"; counts: {said}")


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text} is no time, such as 2026-09-25T23:59") from None


def _points(text: str, *, negative: bool) -> str:
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise UsageError(f"{text} is no number of points") from None
    if not value.is_finite() or abs(value) > 10_000 or (value < 0 and not negative) or value != round(value, 2):
        raise UsageError(f"{text} is no number of points with two decimals at most")
    return str(value)
