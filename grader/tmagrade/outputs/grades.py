"""grades.json: everything that is known of a grading. All other outputs are made from what stands in it.

Its schema is handout/reference/grades.schema.json.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tmagrade.about import Demand
from tmagrade.errors import UsageError
from tmagrade.findings import Finding
from tmagrade.judging import Case, Judged, Measured, rehearsal_from_json, ways_from_json, ways_to_json
from tmagrade.labs import Bandwidth, Group, Lab, Part, Points, Threshold
from tmagrade.outputs.wording import plain
from tmagrade.scoring import GPU, GroupResult, LabResult, Outcomes, PartResult
from tmagrade.typed import UNREADABLE, misfit

SCHEMA = 4
GRADES_FILE = "grades.json"


@dataclass(frozen=True)
class Student:
    id: str
    labs: tuple[LabResult, ...]  # those handed in

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
class Facts:
    """What the grades depend on besides the submissions, and when they were given."""

    backend: str  # "gpu" or "emulator"
    toolkit: str  # nvcc's version
    grader: str  # a digest of the judge, the runner and the emulator
    started: str  # ISO 8601, UTC
    finished: str


@dataclass(frozen=True)
class Grades:
    facts: Facts
    labs: tuple[Lab, ...]  # those that were graded, whether or not anyone handed them in
    students: tuple[Student, ...]


def students_of(results: Iterable[tuple[str, LabResult]]) -> tuple[Student, ...]:
    """Each student's results together, wherever they stand; the students as they come first."""
    labs: dict[str, list[LabResult]] = {}
    for student, result in results:
        labs.setdefault(student, []).append(result)
    return tuple(Student(student, tuple(found)) for student, found in labs.items())


def grades_text(grades: Grades) -> str:
    return "".join(grades_pieces(grades))


def grades_pieces(grades: Grades) -> Iterator[str]:
    """The text of grades.json a student at a time: the whole of a large class's would take the most memory."""
    yield _lines(_head_json(grades)).removesuffix("\n}")
    before = ',\n "students": [\n  '
    for student in grades.students:
        yield before + _lines(_student_json(student), "  ")
        before = ",\n  "
    yield "\n ]\n}\n" if grades.students else ',\n "students": []\n}\n'


def grades_json(grades: Grades) -> dict[str, Any]:
    return _head_json(grades) | {"students": [_student_json(student) for student in grades.students]}


def _head_json(grades: Grades) -> dict[str, Any]:
    return {"schema": SCHEMA, **asdict(grades.facts), "labs": [_lab_json(lab) for lab in grades.labs]}


def _lab_json(lab: Lab) -> dict[str, Any]:
    return {
        "id": lab.id,
        "title": lab.title,
        "idea": lab.idea,
        "source": lab.source,
        "points": {name: plain(value) for name, value in asdict(lab.points).items()},
        "parts": [_part_json(part) for part in lab.parts],
        "bandwidth": lab.bandwidth
        and {
            "part": lab.bandwidth.part,
            "thresholds": [asdict(threshold) for threshold in lab.bandwidth.thresholds],
        },
    }


def _part_json(part: Part) -> dict[str, Any]:
    value = {"id": part.id, "title": part.title, "points": plain(part.points), "architecture": part.architecture}
    groups = [
        {"title": group.title, "points": plain(group.points), "cases": list(group.cases)} for group in part.groups
    ]
    about = [demand.to_json() for demand in part.about]
    return value | ({"groups": groups} if groups else {}) | ({"about": about} if about else {})


def _part_from_json(value: Any) -> Part:
    groups = tuple(Group(group["title"], group["points"], tuple(group["cases"])) for group in value.get("groups", ()))
    about = tuple(Demand.from_json(demand) for demand in value.get("about", ()))
    return Part(value["id"], value["title"], value["points"], value["architecture"], about=about, groups=groups)


def _student_json(student: Student) -> dict[str, Any]:
    return {
        "id": student.id,
        "score": plain(student.score),
        "max": plain(student.max),
        "pending": plain(student.pending),
        "labs": [_result_json(result) for result in student.labs],
    }


def _result_json(result: LabResult) -> dict[str, Any]:
    runs = result.outcomes.runs if result.outcomes else {}
    return {
        "id": result.lab.id,
        "score": plain(result.score),
        "max": plain(result.max),
        "pending": plain(result.pending),
        "parts": [
            {
                "id": part.id,
                "verdict": part.verdict,
                "score": plain(part.score),
                "max": plain(part.max),
                "pending": plain(part.pending),
                "message": part.message,
            }
            | ({"findings": [finding.to_json() for finding in part.findings]} if part.findings else {})
            | ({"groups": [_group_json(group) for group in part.groups]} if part.groups else {})
            for part in result.parts
        ],
        "bandwidth": asdict(result.measured) if result.measured else None,
        "runs": [_run_json(engine, judged) for engine, judged in runs.items()],
    } | ({"ignored": list(result.ignored)} if result.ignored else {})


def _group_json(group: GroupResult) -> dict[str, Any]:
    return {
        "title": group.title,
        "verdict": group.verdict,
        "score": plain(group.score),
        "max": plain(group.max),
    }


def _run_json(engine: str, judged: Judged) -> dict[str, Any]:
    return {
        "engine": engine,
        "device": judged.device,
        "seed": judged.seed,
        "seconds": judged.seconds,
        "cases": [case.to_json() for case in judged.cases],
        "ways": ways_to_json(judged.ways),
        "rehearsal": judged.rehearsal and asdict(judged.rehearsal),
    }


def read_grades(folder: Path) -> Grades:
    """What an earlier grading left in `folder`."""
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
    except _Damaged as damage:
        raise UsageError(f"{path} is not as its schema says ({damage}): grade again") from damage


class _Damaged(Exception):
    """Says the place, and what is wrong there."""


@contextmanager
def _at(place: str) -> Iterator[None]:
    try:
        yield
    except KeyError as error:
        raise _Damaged(f"{place}: {error} is missing") from error
    except UNREADABLE as error:
        raise _Damaged(f"{place}: {error!r}") from error


def _demand(value: Any, kind: Any, place: str) -> None:
    if (wrong := misfit(value, kind, place)) is not None:
        raise _Damaged(wrong)


def _demand_sums(value: Any, place: str) -> None:
    """Nothing is made from them here, but others read them."""
    for name in ("score", "max", "pending"):
        _demand(value[name], float, f"{place}: {name}")


def read_students(folder: Path) -> list[str]:
    """The students of an earlier grading in `folder`, without all that is known of them."""

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {name: value for name, value in pairs if name in ("schema", "students", "id")}

    try:
        text = (folder / GRADES_FILE).read_text(encoding="utf-8")
        value = json.loads(text, object_pairs_hook=keep)
        names = [student["id"] for student in value["students"]] if value["schema"] == SCHEMA else []
        return names if all(isinstance(name, str) for name in names) else []
    except (OSError, *UNREADABLE):
        return []  # there was none, or another version of the grader wrote it


def grades_from_json(value: Any) -> Grades:
    with _at("the whole"):
        labs = {}
        for number, row in enumerate(value["labs"]):
            with _at(f"labs[{number}]"):
                lab = _lab_from_json(row)
                _demand(lab, Lab, f"labs[{number}]")
                labs[lab.id] = lab
        facts = Facts(**{name: value[name] for name in ("backend", "toolkit", "grader", "started", "finished")})
        students = tuple(_student_from_json(labs, number, row) for number, row in enumerate(value["students"]))
    grades = Grades(facts, tuple(labs.values()), students)
    _demand(grades, Grades, "")
    return grades


def _student_from_json(labs: dict[str, Lab], number: int, value: Any) -> Student:
    with _at(f"students[{number}]"):
        name = value["id"]
        _demand(name, str, f"students[{number}]: id")
    with _at(name):
        _demand_sums(value, name)
        results = []
        for row in value["labs"]:
            place = f"{name}, {row['id']}"
            with _at(place):
                result = _result_from_json(labs[row["id"]], row)
                _demand_sums(row, place)
                _demand(result, LabResult, place)
                results.append(result)
        return Student(name, tuple(results))


def _lab_from_json(value: Any) -> Lab:
    bandwidth = value["bandwidth"]
    return Lab(
        id=value["id"],
        title=value["title"],
        idea=value["idea"],
        source=value["source"],
        points=Points(**value["points"]),
        parts=tuple(map(_part_from_json, value["parts"])),
        bandwidth=bandwidth
        and Bandwidth(bandwidth["part"], tuple(Threshold(**threshold) for threshold in bandwidth["thresholds"])),
    )


def _result_from_json(lab: Lab, value: Any) -> LabResult:
    parts = tuple(
        PartResult(
            part["id"],
            part["verdict"],
            part["score"],
            part["max"],
            part["message"],
            tuple(map(Finding.from_json, part.get("findings", ()))),
            tuple(GroupResult(**group) for group in part.get("groups", ())),
        )
        for part in value["parts"]
    )
    measured = value["bandwidth"] and Measured(**value["bandwidth"])
    runs = {run["engine"]: _run_from_json(run, measured) for run in value["runs"]}
    return LabResult(lab, parts, Outcomes.of_runs(runs), tuple(value.get("ignored", ())))


def _run_from_json(value: Any, measured: Measured | None) -> Judged:
    cases = tuple(map(Case.from_json, value["cases"]))
    measured = measured if value["engine"] == GPU else None
    ways = ways_from_json(value.get("ways", {}))
    rehearsal = rehearsal_from_json(value.get("rehearsal"))
    return Judged(value["device"], cases, measured, value["seed"], value["seconds"], ways, rehearsal)


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
