"""report.html: the class on one page that needs no network and no script."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import floor
from pathlib import Path
from statistics import mean

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from staff.outputs.charts import histograms, mistakes, reached, results_of, strips
from tmagrade.basics.untrusted import visible
from tmagrade.findings.finding import codes
from tmagrade.findings.finding_text import html
from tmagrade.judging.reasons import Reason
from tmagrade.judging.scoring import BUILD_ERROR, PENDING, SEVERITY, LabResult, PartResult
from tmagrade.outputs.further_reading import lab_name
from tmagrade.outputs.grades import Grades, Student
from tmagrade.outputs.wording import MEANING, points, short_name, title_of

# In a table of verdicts the gravest comes first; a build error keeps everything else from being seen.
VERDICTS = (BUILD_ERROR, *(verdict for verdict in SEVERITY if verdict != "pass"))
# Shares of the reachable points, and the class of a cell that has at least so much.
_SHADES = ((1.0, "full"), (0.75, "most"), (0.5, "half"), (1e-9, "some"), (0.0, "none"))


@dataclass(frozen=True)
class Cell:
    """A student's score of a lab, in the class table."""

    shade: str
    score: str
    pending: str


@dataclass(frozen=True)
class VerdictRow:
    """How often each verdict was that of a part."""

    lab: str
    part: str
    handed_in: int
    counts: dict[str, int]


@cache
def template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        cell=cell,
        failed_runs=_failed_runs,
        lab_name=lab_name,
        meaning=MEANING,
        messages=_messages,
        codes=codes(),
        finding_html=html,
        points=points,
        short_name=short_name,
        title_of=title_of,
    )
    return environment.get_template("report.html.j2")


def report_html(grades: Grades) -> str:
    return template().render(
        grades=grades,
        facts=grades.facts,
        labs=[lab for lab in grades.labs if results_of(grades, lab)],
        tiles=list(_tiles(grades)),
        histograms=histograms(grades),
        strips=strips(grades),
        mistakes=mistakes(grades),
        verdict_rows=(rows := list(_verdict_rows(grades))),
        verdicts=[verdict for verdict in VERDICTS if any(row.counts.get(verdict) for row in rows)],
    )


def _finalize(value: object) -> object:
    """Every text that the template shows passes here; escaping comes after it."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def cell(student: Student, lab_id: str) -> Cell | None:
    result = next((result for result in student.labs if result.lab.id == lab_id), None)
    if result is None:
        return None
    pending = points(result.pending) if result.pending else ""
    if result.fault is not None:
        return Cell("fault", "fault", "")
    share = reached(result)
    if share is None:
        return Cell("waiting", "", pending)
    return Cell(next(name for least, name in _SHADES if share >= least), _short(result.score), pending)


def _short(score: float) -> str:
    """One decimal, rounded down: what is not full marks does not look like it."""
    return points(floor(10 * score + 1e-6) / 10)


def _tiles(grades: Grades) -> Iterator[tuple[str, str]]:
    results = [result for student in grades.students for result in student.labs]
    shares = [share for result in results if (share := reached(result)) is not None]
    yield "students", str(len(grades.students))
    yield "labs handed in", str(len(results))
    if shares:
        yield "mean of the points within reach", f"{100 * mean(shares):.0f} %"
        yield "with all points within reach", str(sum(share >= 1 for share in shares))
    if waiting := sum(result.pending > 0 and result.fault is None for result in results):
        yield "wait for a GPU", str(waiting)
    if faults := sum(result.fault is not None for result in results):
        yield "faults of the grader", str(faults)


def _verdict_rows(grades: Grades) -> Iterator[VerdictRow]:
    for lab in grades.labs:
        results = results_of(grades, lab)
        counts: dict[str, Counter[str]] = {}
        for result in results:
            for part in result.parts:
                counts.setdefault(part.id, Counter())[part.verdict] += 1
        for part_id, verdicts in counts.items():
            wrong = {verdict: count for verdict, count in verdicts.items() if verdict in VERDICTS}
            if wrong:
                yield VerdictRow(short_name(lab), part_id, len(results), wrong)


def _failed_runs(result: LabResult, part: PartResult) -> list[str]:
    """How many of the part's cases passed where not all did, as "6 of 8 right under early, random:1"."""
    runs = result.outcomes.runs if result.outcomes else {}
    engines: dict[str, list[str]] = {}
    for engine, judged in runs.items():
        said = [case.verdict for case in judged.cases if case.part == part.id]
        if any(verdict != "pass" for verdict in said):
            engines.setdefault(f"{said.count('pass')} of {len(said)}", []).append(engine)
    return [
        f"{cases} cases" if len(names) == len(runs) else f"{cases} under {', '.join(names)}"
        for cases, names in engines.items()
    ]


def _messages(result: LabResult) -> list[tuple[list[str], tuple[Reason, ...]]]:
    """What was said of the parts that are not right, each once, with the parts of which it was said."""
    parts: dict[tuple[Reason, ...], list[str]] = {}
    for part in result.parts:
        if part.message and part.verdict not in ("pass", PENDING):
            parts.setdefault(part.reasons, []).append(part.id)
    return [(ids, reasons) for reasons, ids in parts.items()]
