"""One lab's scores on their way to one platform: asked about, and remembered once they are there."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from staff.commands.consent import demand_consent
from staff.commands.term_here import print_remarks
from staff.term.author import author
from staff.term.grade_book import Book, Filled, Target, absent_from
from staff.term.left_out import still_left_out
from staff.term.published_cells import cells_of, waiting_for_points
from staff.term.publishing import Happened, changes_since, differences, last_published, taken_back_since
from staff.term.sheet import Sheet
from staff.term.store import Decision, LeftOut, Published, Result
from staff.term.term import Term
from tmagrade.basics.moment import now
from tmagrade.basics.names import few_of, one_of
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out

Doubts = Sequence[tuple[str, Sequence[str]]]  # what would be done, and the lines that say it


@dataclass(frozen=True)
class Publication:
    term: Term
    lab: str
    target: Target
    sheet: Sheet  # of those whom it is about
    happened: Happened
    cells: Mapping[str, str]  # what counts, by the person
    last: Mapping[str, Published]

    def doubts(self, cells: Mapping[str, str]) -> Doubts:
        """What is not published without a word."""
        never = f"nothing of {self.lab} was graded in this term: {len(cells)} cells are of what is missing"
        found = [
            ("publish a lab that was never graded", [never] if not self.happened.results and cells else []),
            ("publish 0 for what is missing, and may have been left out by a grading", self._zeros_in_doubt(cells)),
            ("change what was published", self.changed(cells)),
        ]
        return [(does, lines) for does, lines in found if lines]

    def changed(self, cells: Mapping[str, str]) -> list[str]:
        return list(changes_since(self.last, cells, self.happened))

    def taken_back(self) -> list[str]:
        """Published scores that are none any more, of those whom this is about."""
        theirs = {row.person.id: self.last[row.person.id] for row in self.sheet.rows if row.person.id in self.last}
        return list(taken_back_since(theirs, self.cells, self.happened))

    def compare(self, book: Book) -> None:
        """Says where a grade book, as it is on the platform, has not what counts here."""
        there = book.cells()
        found = list(differences(there, self.cells, self.last, there))
        for line in found:
            print_line(out, line)
        print_line(out, f"{self.lab}: {len(there) - len(found)} of {len(there)} students have there what counts here")
        warn("no row for", absent_from(book, self.sheet))

    def demand(self, cells: Mapping[str, str], yes: bool, more: Doubts = ()) -> None:
        """UsageError where somebody has to agree first, and does not."""
        for does, lines in [*self.doubts(cells), *more]:
            if lines:
                demand_consent(does, lines, yes)

    def show(self, cells: Mapping[str, str], more: Doubts = ()) -> None:
        """As a dry run does."""
        for does, lines in [*self.doubts(cells), *more]:
            for line in [f"This would {does}:", *(f"  {line}" for line in lines)] if lines else []:
                print_line(out, line)
        print_line(out, f"{self.lab}: {len(cells)} scores; a dry run, so nothing was written and nothing is remembered")

    def keep(self, filled: Filled) -> None:
        """Remembers what is there now, and says what is not."""
        cells, changed = filled.cells, self.changed(filled.cells)
        at, by = now(), author()
        self.term.store.add(
            Published(at, by, self.lab, self.target, person, cell, *self.happened.counts(person))
            for person, cell in cells.items()
            if person not in self.last or self.last[person].cell != cell
        )
        print_line(out, f"{self.lab}: {len(cells)} scores, {len(changed)} of them others than published before")
        self._warn_of_waiting(set(filled.absent))
        print_remarks(self.sheet, [self.lab])
        for line in self.taken_back():
            print_line(err, f"tmagrade: {line}; the book keeps it", "yellow")
        warn("no row for", self._expected(filled.absent))
        warn("rows that may not be changed there, left as they are", filled.locked)
        warn("rows of nobody on the roster, left as they are", filled.unknown)

    def _zeros_in_doubt(self, cells: Mapping[str, str]) -> list[str]:
        """Who would be published as missing for the first time, where hand-ins were left out and nobody knows whose;
        empty where there are none of the one or the other."""
        rows = self.sheet.rows
        missing = [
            row.person.id for row in rows if row.cells[self.lab].result is None and cells.get(row.person.id) == "0"
        ]
        new = [who for who in missing if who not in self.last]
        left_out = still_left_out(self.term.store.read(LeftOut), self.term.store.read(Result))
        said = [f"{one.said} (of {one.place})" for one in left_out if one.lab == self.lab and not one.person]
        return [f"0 for {few_of(new)}", *said] if new and said else []

    def _expected(self, absent: Sequence[str]) -> list[str]:
        """Without those who have handed in the lab on another platform, where their row is."""
        came_by = {person: results[-1].platform for person, results in self.happened.results.items()}
        others = {*Target} - {self.target}
        return [person for person in absent if came_by.get(person) not in others]

    def _warn_of_waiting(self, absent: Collection[str]) -> None:
        """Without a GPU that is everybody with a bandwidth part, and a teacher is to see why the column stays empty."""
        waiting = [person for person in waiting_for_points(self.sheet, self.lab) if person not in absent]
        what = 'points are pending, so the cell stays as it is (term.toml: pending = "scale" publishes the rest)'
        warn(what, waiting)


def publication_of(term: Term, lab: str, target: Target, section: str | None = None) -> Publication:
    """UsageError where the course holds the lab back."""
    happened = Happened.of(term.store.read(Result), term.store.read(Decision), lab)
    sheet = _of_section(term.sheet(), happened, target, section)
    last = last_published(term.store.read(Published), lab, target)
    return Publication(term, lab, target, sheet, happened, cells_of(term.settings, sheet, lab, target), last)


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


def warn(what: str, whom: Sequence[str]) -> None:
    if whom:
        print_line(err, f"tmagrade: {what}: {few_of(whom)}", "yellow")
