"""What there is to be read of a class, and what its staff says of it."""

import hashlib
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from staff.collecting.kept_texts import KeptFile, KeptText, kept_text, request_in
from staff.outputs.folder import write_remarks
from staff.review.figures import figures_json
from staff.review.people import People, names_of, people_of
from staff.review.reading import cases_json, codes_of, file_json, findings_json, parts_json, skeleton_of
from staff.review.sayings import Saying
from staff.term.author import author
from staff.term.explanation import explained
from staff.term.remarks import Remarks, ever_said_on, has_term, is_reviewed, place_now, remarks_on, store_of
from staff.term.store import Decision, Remark
from staff.term.term import Term, open_term
from tmagrade.basics.errors import CannotRecord, UsageError
from tmagrade.basics.moment import now
from tmagrade.basics.paths import Repository
from tmagrade.basics.untrusted import visible, visible_line
from tmagrade.course.labs import load_labs
from tmagrade.judging.scoring import LabResult
from tmagrade.outputs.further_reading import lab_name
from tmagrade.outputs.grades import GRADES_FILE, Grades, Student, read_grades
from tmagrade.outputs.wording import title_of

MOST_USED = 50
MOST_REASON = 300


@dataclass(frozen=True)
class Shelf:
    """The grades as one grading has left them, and what is found in them but once."""

    grades: Grades

    @cached_property
    def hand_ins(self) -> dict[tuple[str, str], tuple[Student, LabResult]]:
        return {(one.id, result.lab.id): (one, result) for one in self.grades.students for result in one.labs}

    @cached_property
    def codes(self) -> dict[tuple[str, str], list[str]]:
        return {key: codes_of(result) for key, (_, result) in self.hand_ins.items()}

    def of_lab(self, lab: str) -> list[LabResult]:
        return [result for (_, of), (_, result) in self.hand_ins.items() if of == lab]


class Desk:
    def __init__(self, repository: Repository, grades: Path) -> None:
        self.repository = repository
        self.folder = grades
        self._lock = threading.Lock()
        self._shelf: tuple[tuple[int, ...], Shelf] | None = None
        self._requests: dict[str, str] = {}  # by hand-in: what was kept never changes

    @property
    def shelf(self) -> Shelf:
        """The grades, read again where a grading has written others meanwhile."""
        with self._lock:
            status = (self.folder / GRADES_FILE).stat() if (self.folder / GRADES_FILE).exists() else None
            version = () if status is None else (status.st_mtime_ns, status.st_ino, status.st_size)
            if self._shelf is None or self._shelf[0] != version:
                self._shelf = (version, Shelf(read_grades(self.folder)))
            return self._shelf[1]

    def _term(self) -> Term | None:
        is_theirs = has_term(self.folder)
        return open_term(self.repository.term, load_labs(self.repository.labs)) if is_theirs else None

    def bring_up(self) -> None:
        """Writes what was said and has not come to the students' files, as where somebody pulled the plug between."""
        if students := {student for student, _ in remarks_on(self.folder)}:
            write_remarks(self.folder, self.shelf.grades, students)

    # What is read

    def class_json(self) -> dict[str, Any]:
        shelf, term, remarks = self.shelf, self._term(), remarks_on(self.folder)
        labs = [lab for lab in shelf.grades.labs if shelf.of_lab(lab.id)]
        people = people_of(term, shelf.hand_ins)
        return _head(term) | {
            "labs": [_lab_json(lab.id, shelf.of_lab(lab.id)) for lab in labs],
            "rows": [self._row(shelf, people, remarks, *key) for key in shelf.hand_ins],
            "without": [
                {"student": one.id, "name": visible_line(one.name), "section": one.section, "lab": lab}
                for lab, persons in people.without.items()
                for one in persons
            ],
        }

    def _row(self, shelf: Shelf, people: People, remarks: Remarks, student: str, lab: str) -> dict[str, Any]:
        _, result = shelf.hand_ins[student, lab]
        who, said = people.whose(student, lab), remarks.get((student, lab), ())
        return {
            "student": student,
            "name": visible_line(names_of(who, student)),
            "section": ", ".join(sorted({one.section for one in who if one.section})),
            "lab": lab,
            "score": result.score,
            "max": result.max,
            "pending": result.pending,
            "parts": {part.id: [part.verdict, part.score, part.max] for part in result.parts},
            "codes": shelf.codes[student, lab],
            "comments": sum(one.kind == "comment" for one in said),
            "review": _review(said, result),
            "request": self._request_state(result, said),
        }

    def _request(self, hand_in: str) -> str:
        if hand_in not in self._requests:
            self._requests[hand_in] = request_in(self.repository.unpacked, hand_in)
        return self._requests[hand_in]

    def _request_state(self, result: LabResult, said: Sequence[Remark]) -> str:
        text = self._request(result.hand_in)
        if not text:
            return ""
        return "answered" if any(one.kind == "answer" and one.about == _digest(text) for one in said) else "open"

    def hand_in_json(self, student: str, lab: str) -> dict[str, Any]:
        shelf, term, remarks = self.shelf, self._term(), remarks_on(self.folder)
        _, result = self._found(shelf, student, lab)
        text = kept_text(self.repository.unpacked, result.hand_in)
        files = text.files if text is not None else ()
        people = people_of(term, [key for key in shelf.hand_ins if key[1] == lab])
        said = remarks.get((student, lab), ())
        ever_said = ever_said_on(self.folder)
        return (
            _head(term)
            | self._row(shelf, people, remarks, student, lab)
            | {
                "lab_name": lab_name(result.lab),
                "hand_in": result.hand_in,
                "is_kept": text is not None,
                "files_left_out": text.files_left_out if text is not None else 0,
                "ignored": [visible_line(line) for line in result.ignored],
                "request_text": text.request if text is not None else "",
                "request_digest": _digest(text.request) if text is not None and text.request else "",
                "part_results": parts_json(result),
                "cases": cases_json(result),
                "findings": findings_json(result, files),
                "files": [file_json(one, skeleton_of(self.repository.labs, result, one, files)) for one in files],
                "remarks": [
                    _remark_json(one, files) | {"earlier": _earlier(one, ever_said)}
                    for one in said
                    if one.kind != "reviewed"
                ],
                "reviewed_by": [one.by for one in said if one.kind == "reviewed" and one.hand_in == result.hand_in],
                "used": _used(remarks, lab),
                "why_no_points": people.why_no_points(term, student, lab),
                "counts": list(_counts(term, people, student, lab)),
            }
        )

    def figures_json(self, lab: str) -> dict[str, Any]:
        return figures_json(self.shelf.of_lab(lab))

    # What is said

    def say(self, saying: Saying) -> str:
        """Keeps a remark and the points that go with it. A word on what could not be done besides; empty: nothing."""
        shelf, term = self.shelf, self._term()
        _, result = self._found(shelf, saying.student, saying.lab)
        before = remarks_on(self.folder).get((saying.student, saying.lab), ())
        if saying.kind in ("withdraw", "edit"):
            known = next((one for one in before if one.id == saying.about), None)
            if known is None:
                return _overtaken(saying, before)
            is_kept = (
                self._taken_back(term, known, saying, result)
                if saying.kind == "withdraw"
                else (self._edited(term, known, saying, result))
            )
            if not is_kept:
                return _overtaken(saying, remarks_on(self.folder).get((saying.student, saying.lab), ()))
        else:
            _demand_sense(saying, result)
            remark = self._remark(saying, result, saying.id, saying.points)
            store_of(self.folder).say(remark, self._given(term, remark))
        if saying.kind == "reviewed":
            return ""
        try:
            write_remarks(self.folder, self.shelf.grades, {saying.student})
        except (OSError, CannotRecord) as error:
            return f"It is kept. The student's feedback.md has it after the next grading: {error}"
        return ""

    def _given(self, term: Term | None, remark: Remark) -> list[Decision]:
        """The points of a remark, for everybody who shares the hand-in."""
        if not remark.points:
            return []
        people = people_of(term, [(remark.student, remark.lab)])
        if why := people.why_no_points(term, remark.student, remark.lab):
            raise UsageError(why)
        given = (remark.lab, "add", remark.points, _reason(remark))
        return [Decision(remark.at, remark.by, one.id, *given) for one in people.of_hand_in[remark.student, remark.lab]]

    def _taken_back(self, term: Term | None, taken: Remark, saying: Saying, result: LabResult) -> bool:
        """Whoever else takes it back says the same thing, and nobody has said it in other words meanwhile."""
        remark = replace(self._remark(saying, result, f"back-{taken.root}", ""), about=taken.root)
        return store_of(self.folder).say(remark, _points_back(term, taken, remark), _next_words(taken))

    def _edited(self, term: Term | None, known: Remark, saying: Saying, result: LabResult) -> bool:
        """The same in other words, and with other points: those that were given are taken back."""
        _demand_sense(saying, result)
        words = replace(known, text=visible(saying.text).strip(), points=saying.points)
        remark = replace(words, id=_next_words(known), replaces=known.root, at=now(), by=author())
        decisions = [*_points_back(term, known, remark), *self._given(term, remark)]
        return store_of(self.folder).say(remark, decisions, f"back-{known.root}")

    def _remark(self, saying: Saying, result: LabResult, id_: str, points: str) -> Remark:
        hand_in = saying.hand_in or result.hand_in
        text = kept_text(self.repository.unpacked, hand_in) if saying.file else None
        return Remark(
            id=id_,
            at=now(),
            by=author(),
            student=saying.student,
            lab=saying.lab,
            kind=saying.kind,
            text=visible(saying.text).strip(),
            points=points,
            file=saying.file,
            line=saying.line,
            source=_line(text, saying.file, saying.line),
            hand_in=hand_in,
            about=saying.about,
        )

    @staticmethod
    def _found(shelf: Shelf, student: str, lab: str) -> tuple[Student, LabResult]:
        if (student, lab) not in shelf.hand_ins:
            raise UsageError(f"{student} has no grades of {lab}")
        return shelf.hand_ins[student, lab]


def _head(term: Term | None) -> dict[str, Any]:
    return {"title": term.settings.title if term is not None else "", "who": author()}


def _demand_sense(saying: Saying, result: LabResult) -> None:
    """UsageError where what is asked for means nothing."""
    if saying.kind in ("comment", "answer", "edit") and not saying.text.strip():
        raise UsageError("it says nothing: a comment, points and an answer need words")
    if saying.kind == "reviewed" and (saying.points or saying.file):
        raise UsageError("a mark has no points and no line")
    if saying.points and abs(float(saying.points)) > result.max:
        raise UsageError(f"{saying.points} points, and the lab has {result.max:g}")


def _line(text: KeptText | None, file: str, number: int) -> str:
    return text.line(file, number) if text is not None else ""


def _reason(remark: Remark) -> str:
    """As `explain` shows it."""
    place = f"{visible_line(remark.file)}:{remark.line}: " if remark.file else ""
    return f"{place}{visible_line(remark.text)}"[:MOST_REASON]


def _next_words(remark: Remark) -> str:
    """The id of what says the same in other words: of two who change it at once, one finds it taken."""
    number = int(remark.id.split("-")[1]) if remark.replaces else 0
    return f"edit-{number + 1}-{remark.root}"


def _overtaken(saying: Saying, now_said: Sequence[Remark]) -> str:
    """What to say of an edit or a withdrawal of words that do not stand there any more."""
    root = re.sub(r"^edit-[0-9]+-", "", saying.about)
    standing = next((one for one in now_said if one.root == root), None)
    if standing is None:
        said = "Somebody has taken that back already."
    elif saying.kind == "edit" and standing.text == visible(saying.text).strip() and standing.points == saying.points:
        return ""  # sent twice
    else:
        said = f"{standing.by} has changed that meanwhile, to: {standing.text}"
    if saying.kind == "edit":
        raise UsageError(said)  # the browser keeps what was typed
    return said


def _points_back(term: Term | None, taken: Remark, remark: Remark) -> list[Decision]:
    """Points against those that were given with a remark, for everybody who got them."""
    if term is None or not taken.points:
        return []
    given = (taken.at, taken.by, taken.lab, "add", taken.points, _reason(taken))
    return [
        Decision(remark.at, remark.by, one.person, one.lab, "add", _against(one.value), f"taken back: {_reason(taken)}")
        for one in term.store.read(Decision)
        if (one.at, one.by, one.lab, one.kind, one.value, one.reason) == given
    ]


def _against(points: str) -> str:
    return points.removeprefix("-") if points.startswith("-") else f"-{points}"


def _review(said: Sequence[Remark], result: LabResult) -> str:
    if is_reviewed(said, result.hand_in):
        return "reviewed"
    return "again" if any(one.kind == "reviewed" for one in said) else "open"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _lab_json(lab: str, results: Sequence[LabResult]) -> dict[str, Any]:
    """With the parts of all results, which may be of several versions of the lab's rules."""
    parts = {part.id: title_of(result.lab, part) for result in results for part in result.parts}
    return {"id": lab, "name": lab_name(results[0].lab), "parts": [{"id": id_, "title": parts[id_]} for id_ in parts]}


def _remark_json(remark: Remark, files: Sequence[KeptFile]) -> dict[str, Any]:
    lines = next((one.lines for one in files if one.name == remark.file), None)
    line, stands = place_now(remark, lines) if remark.file and lines is not None else (0, "changed")
    return {
        "id": remark.id,
        "by": remark.by,
        "at": remark.at,
        "kind": remark.kind,
        "text": remark.text,
        "points": remark.points,
        "file": remark.file,
        "said_line": remark.line,
        "source": remark.source,
        "line": line,
        "stands": stands if remark.file else "",
        "about": remark.about,
    }


def _earlier(remark: Remark, ever_said: Sequence[Remark]) -> list[dict[str, str]]:
    """In which words it stood before, with who said so and when."""
    before = [one for one in ever_said if one.root == remark.root and one.kind == remark.kind and one.id != remark.id]
    return [{"by": one.by, "at": one.at, "text": one.text, "points": one.points} for one in before]


def _used(remarks: Remarks, lab: str) -> list[dict[str, Any]]:
    """What was said before, those first that were said most often of this lab."""
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    each = {one.id: one for said in remarks.values() for one in said}  # some stand there under two names
    for one in each.values():
        if one.kind == "comment":
            here, all_ = counts.get((one.text, one.points), (0, 0))
            counts[one.text, one.points] = (here + (one.lab == lab), all_ + 1)
    ordered = sorted(counts, key=lambda key: counts[key], reverse=True)
    return [{"text": text, "points": points} for text, points in ordered[:MOST_USED]]


def _counts(term: Term | None, people: People, student: str, lab: str) -> Iterator[str]:
    """What the lab counts in the term, step by step, for the first of those who have handed it in."""
    who = people.of_hand_in.get((student, lab), ())
    if term is None or not who or term.settings.of_lab(lab) is None:
        return
    row = term.sheet().row_of(who[0])
    yield from explained(term.settings, row, lab, term.told_of_group(row.cells[lab], who[0]))
