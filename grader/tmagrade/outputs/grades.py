"""grades.json: everything that is known of a grading. All other outputs are made from what stands in it.

Its schema is handout/reference/grades.schema.json.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tmagrade.basics.errors import UsageError
from tmagrade.basics.json_form import IF_ANY, Count, DiskText, Misfit, Number, Score, from_json, in_words, to_json
from tmagrade.course.about import Way
from tmagrade.course.labs import Lab, LabId, PartId
from tmagrade.findings.finding import Found
from tmagrade.judging.reasons import Reason
from tmagrade.judging.scoring import GPU, GroupResult, LabResult, Outcomes, PartResult, PartVerdict
from tmagrade.judging.verdicts import Case, Judged, Measured, Rehearsal

SCHEMA = 4  # of grades.json
GRADES_FILE = "grades.json"


Backend = Annotated[
    str,
    Field(
        json_schema_extra={"enum": ["gpu", "emulator"]},
        description="Who judged correctness: an sm_90 GPU, or the emulator alone. "
        "Hygiene is always judged on the emulator.",
    ),
]
Toolkit = Annotated[str, Field(description="The version of nvcc that built the submissions, as 13.0.88.")]
Digest = Annotated[
    str,
    Field(
        json_schema_extra={"pattern": "^[0-9a-f]{64}$"},
        description="A SHA-256 digest of the judge, the runner and the emulator: equal digests judge alike.",
    ),
]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


@dataclass(frozen=True)
class Facts:
    """What the grades depend on besides the submissions, and when they were given."""

    backend: Backend
    toolkit: Toolkit
    grader: Digest
    started: Moment
    """When the grading began, in UTC."""
    finished: Moment
    """When it ended, in UTC."""


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


Given = Annotated[Score, Field(description="Points given.")]
Most = Annotated[Score, Field(description="The most points.")]
Pending = Annotated[
    Score, Field(description="Points neither lost nor given: no GPU to measure on, or the grader failed.")
]


@dataclass(frozen=True)
class ReasonRow:
    """Why other groups of the part's cases lost points."""

    message: str
    """The groups, the case that decided, and what went wrong: any text."""
    findings: Found = ()
    """What the emulator found in them, but for what was told before; absent where that is nothing."""


@dataclass(frozen=True)
class PartRow:
    """The result of a part, of hygiene or of the bandwidth."""

    id: PartId
    """The part's id, or hygiene, or bandwidth."""
    verdict: PartVerdict
    score: Given
    max: Most
    pending: Pending
    message: str
    """What went wrong, or what was measured. It quotes the student's code and the compiler: any text."""
    findings: Found = ()
    """What the emulator found in the group of cases that decided; absent where it found nothing."""
    groups: Annotated[tuple[GroupResult, ...], IF_ANY] = ()
    """How each group of the part's cases came out; absent where the lab names none, or nothing was judged."""
    further: Annotated[tuple[ReasonRow, ...], IF_ANY] = ()
    """Why other groups of the part's cases lost points; absent where there are none."""

    @staticmethod
    def of(part: PartResult) -> "PartRow":
        return PartRow(
            part.id,
            part.verdict,
            part.score,
            part.max,
            part.pending,
            part.message,
            part.findings,
            part.groups,
            tuple(ReasonRow(reason.message, reason.findings) for reason in part.further),
        )

    def part(self) -> PartResult:
        further = tuple(Reason(row.message, row.findings) for row in self.further)
        return PartResult(
            self.id, self.verdict, self.score, self.max, self.message, self.findings, self.groups, further
        )


@dataclass(frozen=True)
class RunRow:
    """A run of the tests."""

    engine: Annotated[str, Field(json_schema_extra={"pattern": "^(gpu|late|early|random:[0-9]+)$"})]
    """gpu, or the moments at which the emulator's TMA engine acts: as late as it may, as early as it may, or at random
    moments drawn from a seed."""
    device: str
    """The device's name, as CUDA gives it."""
    seed: str
    """The seed that all inputs were drawn from, fresh for every run. `judge --seed` draws the same ones again."""
    seconds: Number
    """How long the run took. For a submission that did not change it is the time of the run whose result was kept."""
    cases: tuple[Case, ...]
    """Every case of every part."""
    ways: Mapping[str, Way] = field(default_factory=dict)
    """By part, how much of the work of its right cases was done which way. Only the emulator measures it; what
    lab.toml's `about` asks is held against it."""
    rehearsal: Rehearsal | None = None
    """Whether the kernels that are launched at the size at which a part is timed are those that its cases judged. Only
    the emulator says it; null elsewhere, and in labs without bandwidth."""

    @staticmethod
    def of(engine: str, judged: Judged) -> "RunRow":
        return RunRow(engine, judged.device, judged.seed, judged.seconds, judged.cases, judged.ways, judged.rehearsal)

    def judged(self, measured: Measured | None) -> Judged:
        measured = measured if self.engine == GPU else None
        return Judged(self.device, self.cases, measured, self.seed, self.seconds, self.ways, self.rehearsal)


@dataclass(frozen=True)
class ResultRow:
    """One student's result of one lab."""

    id: LabId
    """Which of `labs` this is."""
    score: Score
    """Points given: the sum of the parts' scores."""
    max: Score
    """The lab's points."""
    pending: Pending
    parts: tuple[PartRow, ...]
    """The lab's parts in its order, then hygiene, then bandwidth where the lab has it."""
    bandwidth: Measured | None
    """What was measured on the GPU; null where nothing was."""
    runs: tuple[RunRow, ...]
    """Every run of the tests. The first judged correctness. None where the submission was not built; fewer where the
    first ones found every part wrong."""
    ignored: Annotated[tuple[str, ...], IF_ANY] = ()
    """What of the hand-in counts for nothing, and why; absent where there is nothing."""
    hand_in: Annotated[str, IF_ANY] = ""
    """A digest of what was handed in; absent where it could not be read."""
    graded: Annotated[Facts | None, IF_ANY] = None
    """The grading that gave this score, where it was not the last one; absent where it was."""
    rules: Annotated[Lab | None, IF_ANY] = None
    """The rules for this score, where the lab has had others since; absent where they are those of `labs`."""

    @staticmethod
    def of(result: LabResult, graded: Facts | None, labs: Mapping[str, Lab]) -> "ResultRow":
        runs = result.outcomes.runs if result.outcomes else {}
        return ResultRow(
            result.lab.id,
            result.score,
            result.max,
            result.pending,
            tuple(map(PartRow.of, result.parts)),
            result.measured,
            tuple(RunRow.of(engine, judged) for engine, judged in runs.items()),
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
class StudentRow:
    """One student's results."""

    id: DiskText
    """The student's name, as it was handed in: any text. Never put it into a page, a terminal or a path as it is."""
    score: Score
    """Points of all labs handed in."""
    max: Score
    """The most points of the labs handed in."""
    pending: Score
    """Points neither lost nor given yet."""
    labs: tuple[ResultRow, ...]
    """The labs that the student handed in."""

    @staticmethod
    def of(student: Student, labs: Mapping[str, Lab]) -> "StudentRow":
        rows = (ResultRow.of(result, student.graded.get(result.lab.id), labs) for result in student.labs)
        return StudentRow(student.id, student.score, student.max, student.pending, tuple(rows))

    def student(self, labs: Mapping[str, Lab]) -> Student:
        graded = {row.id: row.graded for row in self.labs if row.graded is not None}
        return Student(self.id, tuple(row.result(labs[row.id]) for row in self.labs), graded)


@dataclass(frozen=True)
class _Head:
    """All but the students. The facts are those of the last grading."""

    schema: Annotated[Count, Field(json_schema_extra={"const": SCHEMA})]
    """The version of this schema. It rises when a reader of the older version could misread the file."""
    backend: Backend
    toolkit: Toolkit
    grader: Digest
    started: Moment
    """When the grading began, in UTC."""
    finished: Moment
    """When it ended, in UTC."""
    labs: tuple[Lab, ...]
    """The labs that were graded, with their rules for points, in the order of their numbers."""

    @property
    def facts(self) -> Facts:
        return Facts(self.backend, self.toolkit, self.grader, self.started, self.finished)


@dataclass(frozen=True)
class GradesFile(_Head):
    """Everything that is known of the gradings of a class. `tmagrade grade` writes it; all other outputs are made from
    it."""

    students: tuple[StudentRow, ...]
    """The class."""


def grades_pieces(grades: Grades) -> Iterator[str]:
    """The text of grades.json a student at a time: the whole of a large class's would take the most memory."""
    yield _lines(_head_json(grades)).removesuffix("\n}")
    before = ',\n "students": [\n  '
    labs = {lab.id: lab for lab in grades.labs}
    for student in grades.students:
        yield before + _lines(to_json(StudentRow.of(student, labs)), "  ")
        before = ",\n  "
    yield "\n ]\n}\n" if grades.students else ',\n "students": []\n}\n'


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
    """The reverse of grades_pieces(). Misfit, which says the student, the lab and the field, where it is none."""
    try:
        file = from_json(value, GradesFile)
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
