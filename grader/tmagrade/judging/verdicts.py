"""The judge's verdicts: of every case, of a bandwidth, and of which way right results came."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from tmagrade.basics.errors import GraderFault
from tmagrade.course.about import Way
from tmagrade.course.labs import ALL_CASES, Lab
from tmagrade.findings.finding import Finding

VERDICTS = ("pass", "fail", "crash", "timeout", "missing", "cheated", "hazard")

SCHEMA = 5  # of verdicts.json


@dataclass(frozen=True, slots=True)
class CaseId:
    part: str
    case: str


@dataclass(frozen=True, slots=True)
class Case:
    part: str
    case: str
    verdict: str
    message: str
    bypasses_tma: bool = False  # right, but not the way that the part is about: only the emulator sees that
    findings: tuple[Finding, ...] = ()
    printed: str = ""  # the beginning of what it printed, where it was asked for by its name: no record has it

    @property
    def is_right(self) -> bool:
        """Whether the result was right; what is found besides is a hazard."""
        return self.verdict in ("pass", "hazard")

    def __post_init__(self) -> None:
        # Most of a class's cases have the same words: kept once, a large class takes little more memory than a small.
        for name in ("part", "case", "verdict", "message"):
            object.__setattr__(self, name, sys.intern(getattr(self, name)))

    @staticmethod
    def from_json(value: Any) -> "Case":
        findings = tuple(Finding.from_json(finding) for finding in value.get("findings", ()))
        named = {name: value[name] for name in ("part", "case", "verdict", "message", "bypasses_tma")}
        return Case(**named, findings=findings, printed=value.get("printed", ""))

    def to_json(self) -> dict[str, Any]:
        value: dict[str, Any] = {name: getattr(self, name) for name in ("part", "case", "verdict", "message")}
        value["bypasses_tma"] = self.bypasses_tma
        return value | ({"findings": [finding.to_json() for finding in self.findings]} if self.findings else {})


@dataclass(frozen=True)
class Measured:
    """The bandwidth part's result; figures are there only when they were measured."""

    part: str
    verdict: str
    message: str
    gb_per_s: float | None
    roofline_gb_per_s: float | None
    fraction: float | None


@dataclass(frozen=True)
class Rehearsal:
    """What the emulator says of the launches at the size at which a part is timed: whether they are those judged."""

    part: str
    verdict: str
    message: str


FEWEST_BYTES = 256  # less than any tile, and more than all arrays that are shorter than a vector together


@dataclass(frozen=True)
class Judged:
    device: str
    cases: tuple[Case, ...]
    bandwidth: Measured | None = None
    seed: str = ""  # of the inputs; `judge --seed` draws the same ones again
    seconds: float = 0.0  # that the judge took
    ways: Mapping[str, Way] = field(default_factory=dict)  # of right results, by part; none on a GPU
    rehearsal: Rehearsal | None = None  # of the part whose bandwidth counts; none on a GPU
    not_run: tuple[CaseId, ...] = ()  # cases of a part that hung, for who did not want to wait: no record has any

    def held_to(self, lab: Lab) -> "Judged":
        """With a case more for each part of which a group is right, but not by what the part is about."""
        more: list[Case] = []
        for part in lab.parts:
            cases = [case for case in self.cases if case.part == part.id]
            way = self.ways.get(part.id)
            in_groups = ([case for case in cases if part.has_in(group, case.case)] for group in part.asked)
            if way is None or not any(all(case.is_right for case in group) for group in in_groups):
                continue
            # Where only the shortest cases are right, they do not tell which way the others would have gone.
            if way.array_bytes < FEWEST_BYTES and not all(case.is_right for case in cases):
                continue
            objections = [said for demand in part.about if (said := demand.objection(way)) is not None]
            if objections:
                said = "; ".join(["the results are right, but not by what this part is about", *objections])
                more.append(Case(part.id, ALL_CASES, "fail", said, bypasses_tma=True))
        return replace(self, cases=(*self.cases, *more))

    def to_json(self) -> dict[str, Any]:
        return {
            "device": self.device,
            "cases": [case.to_json() for case in self.cases],
            "bandwidth": self.bandwidth and asdict(self.bandwidth),
            "seed": self.seed,
            "seconds": self.seconds,
            "ways": ways_to_json(self.ways),
            "rehearsal": self.rehearsal and asdict(self.rehearsal),
        }

    @staticmethod
    def from_json(value: Any) -> "Judged":
        bandwidth = value["bandwidth"]
        cases = tuple(map(Case.from_json, value["cases"]))
        measured = Measured(**bandwidth) if bandwidth else None
        return Judged(
            value["device"],
            cases,
            measured,
            value["seed"],
            value.get("seconds", 0.0),
            ways_from_json(value.get("ways", {})),
            rehearsal_from_json(value.get("rehearsal")),
        )


def ways_to_json(ways: Mapping[str, Way]) -> dict[str, Any]:
    return {part: way.to_json() for part, way in ways.items()}


def ways_from_json(value: Any) -> dict[str, Way]:
    return {part: Way.from_json(way) for part, way in value.items()}


def rehearsal_from_json(value: Any) -> Rehearsal | None:
    return Rehearsal(value["part"], value["verdict"], value["message"]) if value else None


def parse_verdicts(text: str) -> Judged:
    """The judge's verdicts.json. Anything unexpected in it is a fault of the grader."""
    try:
        report = json.loads(text)
        if report["schema"] != SCHEMA:
            raise ValueError(f"schema {report['schema']}, expected {SCHEMA}")
        cases = tuple(map(Case.from_json, report["cases"]))
        row = report.get("bandwidth")
        figures = ("gb_per_s", "roofline_gb_per_s", "fraction")
        bandwidth = row and Measured(
            row["part"], row["verdict"], row.get("message", ""), *(row.get(figure) for figure in figures)
        )
        rehearsal = rehearsal_from_json(report.get("rehearsal"))
        others = [result.verdict for result in (bandwidth, rehearsal) if result]
        for verdict in [case.verdict for case in cases] + others:
            if verdict not in VERDICTS:
                raise ValueError(f"unknown verdict {verdict!r}")
        if bandwidth and bandwidth.verdict == "pass" and None in (bandwidth.gb_per_s, bandwidth.fraction):
            raise ValueError("a bandwidth that passed has no figures")
        ways = ways_from_json(report["ways"])
        left = tuple(CaseId(case["part"], case["case"]) for case in report.get("not_run", ()))
        seed, name = report["seed"], report["device"]["name"]
        return Judged(name, cases, bandwidth, seed, ways=ways, rehearsal=rehearsal, not_run=left)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise GraderFault(f"the judge wrote verdicts that cannot be read: {error!r}") from error


def has_known_verdicts(judged: Judged | None) -> bool:
    if judged is None:
        return False
    others = [result.verdict for result in (judged.bandwidth, judged.rehearsal) if result]
    verdicts = [case.verdict for case in judged.cases] + others
    return all(verdict in VERDICTS for verdict in verdicts)
