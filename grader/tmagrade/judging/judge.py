"""Runs the judge on one submission."""

import re
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from tmagrade.basics.errors import GraderFault, JudgeDied
from tmagrade.basics.paths import Repository
from tmagrade.building.sandbox import MEMORY_VARIABLE, Sandbox
from tmagrade.judging import host_paths
from tmagrade.judging.verdicts import CaseId, Judged, parse_verdicts
from tmagrade.machine.backend import Engine
from tmagrade.machine.processes import Finished, Processes
from tmagrade.machine.scratch import scratch_folder
from tmagrade.machine.toolkit import Toolkit

# The judge bounds each call by itself; this bounds the judge.
JUDGE_TIMEOUT_SECONDS = 900.0

# How a judge ends by what it reads: by a mistake of its own, or at its limit of memory (judge/session/own_memory.h).
# Whoever else ends it, as the kernel for want of memory, does so by another signal.
OUT_OF_OWN_MEMORY = 4
DEATHS = (
    OUT_OF_OWN_MEMORY,
    *(-number for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)),
)

# A line of a judge's for each case, as judge/report/verdict_listener.cpp prints it.
VERDICT = re.compile(r"[a-z ]+\t")

# Of what a judge says last.
MOST_LINES, MOST_CHARACTERS = 8, 400


@dataclass(frozen=True)
class Asked:
    """Which of a lab's cases are judged, and how; all of them, as the course does it, where nothing is said."""

    part: str | None = None
    case: str | None = None
    data: str | None = None  # "random", "index" or "ones"
    seed: int | None = None
    stop_at_timeout: bool = False  # a part of which a call has not ended is left
    left_out: tuple[CaseId, ...] = ()  # cases that are not run

    @property
    def words(self) -> list[str]:
        """Of the judge's command line."""
        given = {
            "--filter": self.part,
            "--case": self.case,
            "--data": self.data,
            "--seed": self.seed,
        }
        words = [word for name, value in given.items() if value is not None for word in (name, str(value))]
        words += [word for one in self.left_out for word in ("--leave-out", f"{one.part}/{one.case}")]
        return words + (["--stop-at-timeout"] if self.stop_at_timeout else [])


ALL = Asked()


@dataclass(frozen=True)
class Judge:
    repository: Repository
    toolkit: Toolkit
    processes: Processes
    sandbox: Sandbox

    @property
    def _timed(self) -> list[str]:
        library = self.toolkit.product_library
        return ["--bandwidth", *([] if library is None else ["--product-library", str(library)])]

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
                *(self._timed if bandwidth else []),
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
                kind = JudgeDied if finished.status in DEATHS else GraderFault
                raise kind(_how_it_ended(finished, engine))
            try:
                text = output.read_text()
            except OSError as error:
                raise GraderFault(f"the judge wrote no verdicts ({engine.name}): {error}") from error
        judged = replace(parse_verdicts(text), seconds=round(time.monotonic() - started, 2))
        places = [self.repository.root, self.repository.state, self.toolkit.home]
        return _reworded(judged, host_paths.without(library.parent, places))


def _how_it_ended(finished: Finished, engine: Engine) -> str:
    """And what it said last, if not of verdicts, which are right for all that one can know."""
    spoken = [line for line in finished.output.strip().splitlines() if not VERDICT.match(line)]
    said = "\n".join(line[:MOST_CHARACTERS] for line in spoken[-MOST_LINES:])
    if finished.status >= 0 or finished.status in DEATHS:
        return f"the judge failed with status {finished.status} ({engine.name}): {said or 'it does not say why'}"
    number = -finished.status
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    who = f"the judge was ended from outside by {name} ({engine.name})"
    does = "as the kernel does where memory is short: grade again, with fewer --jobs"
    return f"{who}, {does if number == signal.SIGKILL else 'grade again'}" + (f": {said}" if said else "")


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
