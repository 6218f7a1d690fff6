"""Runs the judge on one submission and reads its verdicts."""

import json
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from tmagrade import host_paths
from tmagrade.about import Way
from tmagrade.backend import Engine
from tmagrade.errors import GraderFault, JudgeDied
from tmagrade.findings import Finding
from tmagrade.labs import ALL_CASES, Lab
from tmagrade.paths import Repository
from tmagrade.processes import Processes
from tmagrade.sandbox import MEMORY_VARIABLE, Sandbox
from tmagrade.scratch import scratch_folder
from tmagrade.toolkit import Toolkit

VERDICTS = ("pass", "fail", "crash", "timeout", "missing", "cheated", "hazard")

SCHEMA = 5  # of verdicts.json

# The judge bounds each call by itself; this bounds the judge.
JUDGE_TIMEOUT_SECONDS = 900.0

# How a judge ends by what it reads: by a mistake of its own, or at its own limit of memory (judge/own_memory.h).
# Whoever else ends it, as the kernel for want of memory, does so by another signal.
OUT_OF_OWN_MEMORY = 4
DEATHS = (
    OUT_OF_OWN_MEMORY,
    *(-number for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)),
)

# Of what a judge says last.
MOST_LINES, MOST_CHARACTERS = 8, 400


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


@dataclass(frozen=True)
class Asked:
    """Which of a lab's cases are judged, and how; all of them, as the course does it, where nothing is said."""

    part: str | None = None
    case: str | None = None
    data: str | None = None  # "random", "index" or "ones"
    seed: int | None = None
    call_seconds: float | None = None  # the most that a call may take; a part that has taken it is left

    @property
    def words(self) -> list[str]:
        """Of the judge's command line."""
        given = {
            "--filter": self.part,
            "--case": self.case,
            "--data": self.data,
            "--seed": self.seed,
            "--timeout-seconds": self.call_seconds,
        }
        words = [word for name, value in given.items() if value is not None for word in (name, str(value))]
        return words + (["--stop-at-timeout"] if self.call_seconds is not None else [])


ALL = Asked()


@dataclass(frozen=True)
class Judge:
    repository: Repository
    toolkit: Toolkit
    processes: Processes
    sandbox: Sandbox

    def judge(self, lab: str, library: Path, engine: Engine, *, bandwidth: bool = False, asked: Asked = ALL) -> Judged:
        with scratch_folder() as folder:
            output = folder / "verdicts.json"
            memory = folder / "memory"
            memory.mkdir()
            command = [
                str(self.repository.judge(lab)),
                *["--submission", str(library)],
                *["--output", str(output)],
                *asked.words,
                *([] if engine.has_long_cases or asked.case is not None else ["--short-cases"]),
                *(["--bandwidth"] if bandwidth else []),
                *["--", *self.sandbox.runner(engine, library, memory)],
            ]
            started = time.monotonic()
            environment = engine.environment(self.repository, self.toolkit) | {MEMORY_VARIABLE: str(memory)}
            finished = self.processes.run(
                command,
                cwd=folder,
                environment=environment,
                timeout_seconds=JUDGE_TIMEOUT_SECONDS,
            )
            if finished.timed_out:
                raise JudgeDied(f"the judge ran longer than {JUDGE_TIMEOUT_SECONDS:g} seconds ({engine.name})")
            if finished.status != 0:
                lines = finished.output.strip().splitlines()[-MOST_LINES:]
                said = "\n".join(line[:MOST_CHARACTERS] for line in lines)
                kind = JudgeDied if finished.status in DEATHS else GraderFault
                raise kind(f"the judge failed with status {finished.status} ({engine.name}): {said}")
            try:
                text = output.read_text()
            except OSError as error:
                raise GraderFault(f"the judge wrote no verdicts ({engine.name}): {error}") from error
        judged = replace(parse_verdicts(text), seconds=round(time.monotonic() - started, 2))
        places = [self.repository.root, self.repository.state, self.toolkit.home]
        return _reworded(judged, host_paths.without(library.parent, places))


def demand_built(repository: Repository, labs: Iterable[str]) -> None:
    """GraderFault unless the judges of these labs, and what runs submissions for them, are there."""
    wanted = [*(repository.judge(lab) for lab in dict.fromkeys(labs)), repository.runner]
    missing = [str(path.relative_to(repository.build)) for path in wanted if not path.exists()]
    if missing:
        raise GraderFault(f"not built: {', '.join(missing)}; run `make build`")


def _reworded(judged: Judged, change: Callable[[str], str]) -> Judged:
    cases = tuple(replace(case, message=change(case.message)) for case in judged.cases)
    measured = judged.bandwidth and replace(judged.bandwidth, message=change(judged.bandwidth.message))
    rehearsal = judged.rehearsal and replace(judged.rehearsal, message=change(judged.rehearsal.message))
    return replace(judged, cases=cases, bandwidth=measured, rehearsal=rehearsal)
