"""The judge's verdicts: of every case, of a bandwidth, and of which way right results came."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import AfterValidator, Field

from tmagrade.basics.errors import GraderFault
from tmagrade.basics.json_form import Count, Flag, Number, from_json
from tmagrade.course.about import Demand, Way, objections
from tmagrade.course.labs import Group, Lab, Part, PartId, all_cases, is_of_all_cases
from tmagrade.findings.finding import Found

VERDICTS = ("pass", "fail", "crash", "timeout", "missing", "cheated", "hazard")

SCHEMA = 5  # of verdicts.json

# What is said of a case of a group that has no points left to lose.
LEFT_OUT = "not run: the first timing policy has taken the points already"


def _known(verdict: str) -> str:
    if verdict not in VERDICTS:
        raise ValueError(f"unknown verdict {verdict!r}")
    return verdict


Verdict = Annotated[
    str,
    AfterValidator(_known),
    Field(json_schema_extra={"enum": [*VERDICTS]}, description="What the judge itself says of what ran."),
]
IN_NO_RECORD = Field(exclude=True)


@dataclass(frozen=True, slots=True)
class CaseId:
    part: str
    case: str


@dataclass(frozen=True, slots=True)
class Case:
    """What the judge says of a case."""

    part: PartId
    """The part that the case is of."""
    case: str
    """What was tried, as 1024 ints."""
    verdict: Verdict
    message: str
    """What went wrong; empty where nothing did. Any text."""
    bypasses_tma: Flag = False
    """Whether the result is right but has not come the way that the part is about, as through TMA. Only the emulator
    sees it, and it costs the part's points on every backend."""
    findings: Found = ()
    """What the emulator found, in the order in which it did; absent where it found nothing."""
    # The beginning of what it printed, where it was asked for by its name.
    printed: Annotated[str, IN_NO_RECORD] = ""

    @property
    def is_right(self) -> bool:
        """Whether the result was right; what is found besides is a hazard."""
        return self.verdict in ("pass", "hazard")

    @property
    def was_run(self) -> bool:
        """Not where it stood behind one that did not finish, or was lost already: the judge's word for that."""
        return not self.message.startswith("not run: ")

    @property
    def was_left_out(self) -> bool:
        return self.message == LEFT_OUT

    @property
    def id(self) -> CaseId:
        return CaseId(self.part, self.case)

    def __post_init__(self) -> None:
        # Most of a class's cases have the same words: kept once, a large class takes little more memory than a small.
        for name in ("part", "case", "verdict", "message"):
            object.__setattr__(self, name, sys.intern(getattr(self, name)))


@dataclass(frozen=True)
class Measured:
    """The bandwidth part's result; figures are there only when they were measured."""

    part: PartId
    """The part that was measured."""
    verdict: Verdict
    """Whether the measured runs were right. The points ask besides that every case of the part passes."""
    message: str = ""
    """What went wrong."""
    gb_per_s: Number | None = None
    """Bytes read and written over time, in 1e9 bytes a second; of a matrix product operations, in 1e9 a second."""
    roofline_gb_per_s: Number | None = None
    """The best plain copy of as many bytes on the same GPU, in 1e9 bytes a second; of a matrix product cublasLt."""
    fraction: Number | None = None
    """The one over the other: what lab.toml's thresholds are about."""


@dataclass(frozen=True)
class Rehearsal:
    """What the emulator says of the launches at the size at which a part is timed: whether they are those judged."""

    part: PartId
    """The part that is timed."""
    verdict: Verdict
    """cheated where they are others."""
    message: str
    """What differs, or how the call ended."""


FEWEST_BYTES = 256  # less than any tile, and more than all arrays that are shorter than a vector together
BY_A_KERNEL = Demand(("by_kernels",), 1)


@dataclass(frozen=True)
class Judged:
    device: str
    cases: tuple[Case, ...]
    bandwidth: Measured | None = None
    seed: str = ""  # of the inputs; `judge --seed` draws the same ones again
    seconds: Number = 0.0  # that the judge took
    ways: Mapping[str, Way] = field(default_factory=dict)  # of right results, by part; none on a GPU
    rehearsal: Rehearsal | None = None  # of the part whose bandwidth counts; none on a GPU
    # Cases of a part that hung, for who did not want to wait.
    not_run: Annotated[tuple[CaseId, ...], IN_NO_RECORD] = ()

    def without(self, lost: Sequence[Case]) -> "Judged":
        """With the cases that need not be run because another run has lost their points: as wrong as they were there.

        So, too, where they were run because the other had not ended yet. Which way such a part's results came is that
        run's to say. The few cases that are left may be too short to show it: of what is in flight, most is seen in the
        longest.
        """
        incomplete = {case.part for case in lost}
        ways = {part: way for part, way in self.ways.items() if part not in incomplete}
        carried = (
            replace(case, message="" if case.verdict == "pass" else LEFT_OUT, findings=(), printed="") for case in lost
        )
        gone = {case.id for case in lost}
        kept = (
            case
            for case in self.cases
            if case.id not in gone and not (case.part in incomplete and is_of_all_cases(case.case))
        )
        return replace(self, cases=(*kept, *carried), ways=ways)

    def held_to(self, lab: Lab) -> "Judged":
        """With a case more for each part of which a group is right, but not by what the part is about."""
        more: list[Case] = []
        for part in lab.parts:
            cases = [case for case in self.cases if case.part == part.id]
            way = self.ways.get(part.id)
            if way is None:
                continue
            asked = part.demands
            # Where only the shortest cases are right, they do not tell which way the others would have gone.
            if way.array_bytes < FEWEST_BYTES and not all(case.is_right for case in cases):
                asked = {(): [BY_A_KERNEL]} if part.about and way.output_bytes > 0 else {}
            right = {group.title for group in part.asked if all(case.is_right for case in cases_in(self, part, group))}
            for but_for, demands in asked.items():
                found = objections(demands, way) if right - set(but_for) else []
                if found:
                    counted = ["what did not finish does not count"] if has_hung(cases) else []
                    said = "; ".join(["the results are right, but not by what this part is about", *found, *counted])
                    more.append(Case(part.id, all_cases(but_for), "fail", said, bypasses_tma=True))
        return replace(self, cases=(*self.cases, *more))


def has_hung(cases: Sequence[Case]) -> bool:
    return any(case.verdict == "timeout" for case in cases)


def cases_in(judged: Judged, part: Part, group: Group) -> list[Case]:
    """Those on which the group's points depend: all that it names, or those that will do as well, where they are
    right."""
    cases = [case for case in judged.cases if case.part == part.id and part.has_in(group, case.case)]
    instead = [case for case in cases if group.has_instead(case.case)]
    usual = [case for case in cases if case not in instead]
    if not instead or not all(case.is_right for case in instead):
        return usual or instead
    return instead + [case for case in usual if is_of_all_cases(case.case)]


@dataclass(frozen=True)
class _Device:
    name: str


@dataclass(frozen=True)
class _Report:
    """What verdicts.json has."""

    schema: Count
    device: _Device
    cases: tuple[Case, ...]
    seed: str
    ways: Mapping[str, Way]
    bandwidth: Measured | None = None
    rehearsal: Rehearsal | None = None
    not_run: tuple[CaseId, ...] = ()


def parse_verdicts(text: str) -> Judged:
    """The judge's verdicts.json. Anything unexpected in it is a fault of the grader."""
    try:
        report = from_json(json.loads(text), _Report)
        if report.schema != SCHEMA:
            raise ValueError(f"schema {report.schema}, expected {SCHEMA}")
        measured = report.bandwidth
        if measured and measured.verdict == "pass" and None in (measured.gb_per_s, measured.fraction):
            raise ValueError("a bandwidth that passed has no figures")
    except ValueError as error:
        raise GraderFault(f"the judge wrote verdicts that cannot be read: {error!r}") from error
    return Judged(
        report.device.name,
        report.cases,
        measured,
        report.seed,
        ways=report.ways,
        rehearsal=report.rehearsal,
        not_run=report.not_run,
    )
