"""grades.json: everything that is known of a grading. All other outputs are made from what stands in it.

Its schema is handout/reference/grades.schema.json.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from tmagrade.basics.errors import UsageError
from tmagrade.basics.json_form import IF_ANY, Count, DiskText, Misfit, Number, Score, from_json, in_words, to_json
from tmagrade.course.about import Way
from tmagrade.course.labs import Lab
from tmagrade.findings.finding import Found
from tmagrade.judging.reasons import Reason
from tmagrade.judging.scoring import GPU, GroupResult, LabResult, Outcomes, PartResult
from tmagrade.judging.verdicts import Case, Judged, Measured, Rehearsal

SCHEMA = 4
GRADES_FILE = "grades.json"


@dataclass(frozen=True)
class Facts:
    """What the grades depend on besides the submissions, and when they were given."""

    backend: str  # "gpu" or "emulator"
    toolkit: str  # nvcc's version
    grader: str  # a digest of the judge, the runner and the emulator
    started: str  # ISO 8601, UTC
    finished: str


@dataclass(frozen=True)
class Student:
    id: str
    labs: tuple[LabResult, ...]  # those handed in
    graded: Mapping[str, Facts] = field(default_factory=dict)  # of labs that the last grading left as they were

    @property
    def score(self) -> float:
        return round(sum(result.score for result in self.labs), 2)

    @property
    def max(self) -> float:
        return sum(result.max for result in self.labs)

    @property
    def pending(self) -> float:
        return round(sum(result.pending for result in self.labs), 2)


@dataclass(frozen=True)
class Grades:
    facts: Facts  # of the last grading
    labs: tuple[Lab, ...]  # those that were graded, whether or not anyone handed them in
    students: tuple[Student, ...]

    def facts_of(self, student: Student, lab: str) -> Facts:
        """Of the grading that gave this student's score of this lab."""
        return student.graded.get(lab, self.facts)

    def newest_facts_of(self, student: Student) -> Facts:
        """Of the last grading that gave this student a score."""
        return max((self.facts_of(student, result.lab.id) for result in student.labs), key=_when, default=self.facts)


def _when(facts: Facts) -> str:
    return facts.finished


def students_of(results: Iterable[tuple[str, LabResult]]) -> tuple[Student, ...]:
    """Each student's results together, wherever they stand; the students as they come first."""
    labs: dict[str, list[LabResult]] = {}
    for student, result in results:
        labs.setdefault(student, []).append(result)
    return tuple(Student(student, tuple(found)) for student, found in labs.items())


@dataclass(frozen=True)
class _ReasonRow:
    message: str
    findings: Found = ()


@dataclass(frozen=True)
class _PartRow:
    id: str
    verdict: str
    score: Score
    max: Score
    pending: Score
    message: str
    findings: Found = ()
    groups: Annotated[tuple[GroupResult, ...], IF_ANY] = ()
    further: Annotated[tuple[_ReasonRow, ...], IF_ANY] = ()

    @staticmethod
    def of(part: PartResult) -> "_PartRow":
        return _PartRow(
            part.id,
            part.verdict,
            part.score,
            part.max,
            part.pending,
            part.message,
            part.findings,
            part.groups,
            tuple(_ReasonRow(reason.message, reason.findings) for reason in part.further),
        )

    def part(self) -> PartResult:
        further = tuple(Reason(row.message, row.findings) for row in self.further)
        return PartResult(
            self.id, self.verdict, self.score, self.max, self.message, self.findings, self.groups, further
        )


@dataclass(frozen=True)
class _RunRow:
    engine: str
    device: str
    seed: str
    seconds: Number
    cases: tuple[Case, ...]
    ways: Mapping[str, Way] = field(default_factory=dict)
    rehearsal: Rehearsal | None = None

    @staticmethod
    def of(engine: str, judged: Judged) -> "_RunRow":
        return _RunRow(engine, judged.device, judged.seed, judged.seconds, judged.cases, judged.ways, judged.rehearsal)

    def judged(self, measured: Measured | None) -> Judged:
        measured = measured if self.engine == GPU else None
        return Judged(self.device, self.cases, measured, self.seed, self.seconds, self.ways, self.rehearsal)


@dataclass(frozen=True)
class _ResultRow:
    id: str
    score: Score
    max: Score
    pending: Score
    parts: tuple[_PartRow, ...]
    bandwidth: Measured | None
    runs: tuple[_RunRow, ...]
    ignored: Annotated[tuple[str, ...], IF_ANY] = ()
    hand_in: Annotated[str, IF_ANY] = ""  # a digest
    graded: Annotated[Facts | None, IF_ANY] = None  # by an earlier grading than the last
    rules: Annotated[Lab | None, IF_ANY] = None  # other ones than the lab has since

    @staticmethod
    def of(result: LabResult, graded: Facts | None, labs: Mapping[str, Lab]) -> "_ResultRow":
        runs = result.outcomes.runs if result.outcomes else {}
        return _ResultRow(
            result.lab.id,
            result.score,
            result.max,
            result.pending,
            tuple(map(_PartRow.of, result.parts)),
            result.measured,
            tuple(_RunRow.of(engine, judged) for engine, judged in runs.items()),
            result.ignored,
            result.hand_in,
            graded,
            result.lab if result.lab != labs.get(result.lab.id, result.lab) else None,
        )

    def result(self, lab: Lab) -> LabResult:
        runs = {run.engine: run.judged(self.bandwidth) for run in self.runs}
        parts = tuple(row.part() for row in self.parts)
        return LabResult(self.rules or lab, parts, Outcomes.of_runs(runs), self.ignored, self.hand_in)


@dataclass(frozen=True)
class _StudentRow:
    id: DiskText
    score: Score
    max: Score
    pending: Score
    labs: tuple[_ResultRow, ...]

    @staticmethod
    def of(student: Student, labs: Mapping[str, Lab]) -> "_StudentRow":
        rows = (_ResultRow.of(result, student.graded.get(result.lab.id), labs) for result in student.labs)
        return _StudentRow(student.id, student.score, student.max, student.pending, tuple(rows))

    def student(self, labs: Mapping[str, Lab]) -> Student:
        graded = {row.id: row.graded for row in self.labs if row.graded is not None}
        return Student(self.id, tuple(row.result(labs[row.id]) for row in self.labs), graded)


@dataclass(frozen=True)
class _Head:
    """All but the students."""

    schema: Count
    backend: str
    toolkit: str
    grader: str
    started: str
    finished: str
    labs: tuple[Lab, ...]

    @property
    def facts(self) -> Facts:
        return Facts(self.backend, self.toolkit, self.grader, self.started, self.finished)


@dataclass(frozen=True)
class _File(_Head):
    students: tuple[_StudentRow, ...]


def grades_text(grades: Grades) -> str:
    return "".join(grades_pieces(grades))


def grades_pieces(grades: Grades) -> Iterator[str]:
    """The text of grades.json a student at a time: the whole of a large class's would take the most memory."""
    yield _lines(_head_json(grades)).removesuffix("\n}")
    before = ',\n "students": [\n  '
    labs = {lab.id: lab for lab in grades.labs}
    for student in grades.students:
        yield before + _lines(to_json(_StudentRow.of(student, labs)), "  ")
        before = ",\n  "
    yield "\n ]\n}\n" if grades.students else ',\n "students": []\n}\n'


def grades_json(grades: Grades) -> dict[str, Any]:
    labs = {lab.id: lab for lab in grades.labs}
    return _head_json(grades) | {"students": [to_json(_StudentRow.of(student, labs)) for student in grades.students]}


def _head_json(grades: Grades) -> dict[str, Any]:
    return dict(to_json(_Head(SCHEMA, **asdict(grades.facts), labs=grades.labs)))


def grades_if_any(folder: Path) -> Grades | None:
    """What earlier gradings left in `folder`; None where there is nothing. UsageError where it cannot be read."""
    return read_grades(folder) if (folder / GRADES_FILE).exists() else None


def read_grades(folder: Path) -> Grades:
    """What earlier gradings left in `folder`."""
    path = folder / GRADES_FILE
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist: nothing was graded into this folder") from None
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise UsageError(f"{path} is not of schema {SCHEMA}: grade again")
    try:
        return grades_from_json(value)
    except Misfit as misfit:
        raise UsageError(f"{path} is not as its schema says ({misfit}): grade again") from misfit


@dataclass(frozen=True)
class _Named:
    id: DiskText


@dataclass(frozen=True)
class _Names:
    schema: Count
    students: tuple[_Named, ...]


def read_students(folder: Path) -> list[str]:
    """The students of an earlier grading in `folder`, without all that is known of them."""

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {name: value for name, value in pairs if name in ("schema", "students", "id")}

    try:
        text = (folder / GRADES_FILE).read_text(encoding="utf-8")
        found = from_json(json.loads(text, object_pairs_hook=keep), _Names)
    except (OSError, ValueError, RecursionError):
        return []  # there was none, or another version of the grader wrote it
    return [student.id for student in found.students] if found.schema == SCHEMA else []


def grades_from_json(value: Any) -> Grades:
    """The reverse of grades_json(). Misfit, which says the student, the lab and the field, where it is none."""
    try:
        file = from_json(value, _File)
    except Misfit as misfit:
        raise _with_names(misfit, value) from misfit
    labs = {lab.id: lab for lab in file.labs}
    for student in file.students:
        for row in student.labs:
            if row.id not in labs:
                raise Misfit((f"{student.id}, {row.id}",), ": there is no such lab")
    return Grades(file.facts, tuple(labs.values()), tuple(row.student(labs) for row in file.students))


def _with_names(misfit: Misfit, value: Any) -> Misfit:
    """The same with a student's and a lab's names in the place of their numbers, where they have any."""
    place = misfit.place
    names: list[str] = []
    for step in ("students", "labs"):
        if len(place) < 2 or place[0] != step or (names == []) is not (step == "students"):
            break
        value = value[step][place[1]]
        if not isinstance(value, dict) or not isinstance(value.get("id"), str):
            break
        names.append(value["id"])
        place = place[2:]
    owner = ", ".join(names)
    return misfit if not names else Misfit((f"{owner}: {in_words(place)}",) if place else (owner,), misfit.said)


def _lines(value: Any, indent: str = "") -> str:
    """JSON with a line for each object and list that holds no other: a case is a line."""
    children: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if not any(isinstance(child, (dict, list)) for child in children):
        return json.dumps(value, ensure_ascii=False)
    deeper = indent + " "
    if isinstance(value, list):
        return "[\n" + ",\n".join(deeper + _lines(child, deeper) for child in value) + f"\n{indent}]"
    entries = (f"{deeper}{json.dumps(name)}: {_lines(child, deeper)}" for name, child in value.items())
    return "{\n" + ",\n".join(entries) + f"\n{indent}}}"
