"""Runs the judge on one submission and reads its verdicts."""

import json
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tmagrade.backend import Engine
from tmagrade.errors import GraderFault
from tmagrade.paths import Repository
from tmagrade.processes import Processes
from tmagrade.sandbox import MEMORY_VARIABLE, Sandbox
from tmagrade.scratch import scratch_folder
from tmagrade.toolkit import Toolkit

VERDICTS = ("pass", "fail", "crash", "timeout", "missing", "cheated", "hazard")

# The judge bounds each call by itself; this bounds the judge.
JUDGE_TIMEOUT_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Case:
    part: str
    case: str
    verdict: str
    message: str
    bypasses_tma: bool = False  # right, but not the way that the part is about: only the emulator sees that

    @property
    def is_right(self) -> bool:
        """Whether the result was right; what is found besides is a hazard."""
        return self.verdict in ("pass", "hazard")

    def __post_init__(self) -> None:
        # Most of a class's cases have the same words: kept once, a large class takes little more memory than a small.
        for name in ("part", "case", "verdict", "message"):
            object.__setattr__(self, name, sys.intern(getattr(self, name)))


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
class Judged:
    device: str
    cases: tuple[Case, ...]
    bandwidth: Measured | None = None
    seed: str = ""  # of the inputs; `judge --seed` draws the same ones again
    seconds: float = 0.0  # that the judge took

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(value: Any) -> "Judged":
        bandwidth = value["bandwidth"]
        cases = tuple(Case(**case) for case in value["cases"])
        measured = Measured(**bandwidth) if bandwidth else None
        return Judged(value["device"], cases, measured, value["seed"], value.get("seconds", 0.0))


def parse_verdicts(text: str) -> Judged:
    """The judge's verdicts.json (schema 1). Anything unexpected in it is a fault of the grader."""
    try:
        report = json.loads(text)
        if report["schema"] != 1:
            raise ValueError(f"schema {report['schema']}, expected 1")
        cases = tuple(
            Case(case["part"], case["case"], case["verdict"], case.get("message", ""), case.get("bypasses_tma", False))
            for case in report["cases"]
        )
        row = report.get("bandwidth")
        figures = ("gb_per_s", "roofline_gb_per_s", "fraction")
        bandwidth = row and Measured(
            row["part"], row["verdict"], row.get("message", ""), *(row.get(figure) for figure in figures)
        )
        for verdict in [case.verdict for case in cases] + ([bandwidth.verdict] if bandwidth else []):
            if verdict not in VERDICTS:
                raise ValueError(f"unknown verdict {verdict!r}")
        if bandwidth and bandwidth.verdict == "pass" and None in (bandwidth.gb_per_s, bandwidth.fraction):
            raise ValueError("a bandwidth that passed has no figures")
        return Judged(report["device"]["name"], cases, bandwidth, report["seed"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise GraderFault(f"the judge wrote verdicts that cannot be read: {error!r}") from error


@dataclass(frozen=True)
class Judge:
    repository: Repository
    toolkit: Toolkit
    processes: Processes
    sandbox: Sandbox

    def judge(
        self, lab: str, library: Path, engine: Engine, *, bandwidth: bool = False, part: str | None = None
    ) -> Judged:
        with scratch_folder() as folder:
            output = folder / "verdicts.json"
            memory = folder / "memory"
            memory.mkdir()
            command = [
                str(self.repository.judge),
                *["--lab", lab],
                *["--submission", str(library)],
                *["--output", str(output)],
                *(["--filter", part] if part else []),
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
                raise GraderFault(f"the judge ran longer than {JUDGE_TIMEOUT_SECONDS:g} seconds ({engine.name})")
            if finished.status != 0:
                said = "\n".join(finished.output.strip().splitlines()[-8:])
                raise GraderFault(f"the judge failed with status {finished.status} ({engine.name}): {said}")
            try:
                text = output.read_text()
            except OSError as error:
                raise GraderFault(f"the judge wrote no verdicts ({engine.name}): {error}") from error
        return replace(parse_verdicts(text), seconds=round(time.monotonic() - started, 2))
