"""What a student waits for between two edits: some of a lab's cases, under some timing policies, side by side.

Nothing is scored and nothing is recorded: `make` and `make grade` decide.
"""

import re
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.paths import Repository
from tmagrade.building.builder import Builder
from tmagrade.building.sandbox import Sandbox
from tmagrade.course.labs import Lab
from tmagrade.judging.judge import Asked, Judge, demand_built
from tmagrade.judging.verdicts import Case, CaseId, Judged, has_hung
from tmagrade.machine.backend import Engine, is_policy, side_by_side
from tmagrade.machine.processes import Processes
from tmagrade.machine.toolkit import Toolkit
from tmagrade.submissions.submission import Submission

# What a call without end takes at least, and a deadlock, which the emulator sees at once, does not.
LONG_SECONDS = 5.0

DATA = ("random", "index", "ones")

NO_SUCH_CASE = re.compile(r"there is no such case; there are: .*")


@dataclass(frozen=True)
class CaseUnderPolicies:
    """One case, and what it came to under each policy."""

    verdicts: dict[str, Case]

    @property
    def wrong(self) -> dict[str, Case]:
        return {policy: case for policy, case in self.verdicts.items() if case.verdict != "pass"}


@dataclass(frozen=True)
class Tried:
    """What a text came to: why it does not build, or its cases."""

    problem: str = ""
    warnings: str = ""  # the compiler's, and what it refuses of several files
    cases: tuple[CaseUnderPolicies, ...] = ()
    # The cases that nobody ran because their part hung, and the policies that were then not begun.
    not_run: tuple[CaseId, ...] = ()
    not_begun: tuple[str, ...] = ()
    seed: int = 0


def demand_policy(policy: str) -> str:
    if not is_policy(policy):
        raise UsageError(f"POLICY is late, early or random:N with a number N, not {policy!r}")
    return policy


def demand_asked(lab: Lab, asked: Asked) -> Asked:
    """With a seed, which all policies share and the line that repeats a case names."""
    if asked.part is not None and asked.part not in [part.id for part in lab.parts]:
        known = ", ".join(part.id for part in lab.parts)
        raise UsageError(f"{lab.id} has no part {asked.part!r}; it has {known}")
    if asked.data is not None and asked.data not in DATA:
        raise UsageError(f"DATA is {', '.join(DATA[:-1])} or {DATA[-1]}, not {asked.data!r}")
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    return replace(asked, seed=seed, stop_at_timeout=True)


@dataclass(frozen=True)
class StudentLoop:
    repository: Repository
    toolkit: Toolkit
    sandbox: Sandbox
    cores: int

    def run(self, lab: Lab, folder: Path, asked: Asked, policies: Sequence[str]) -> Tried:
        asked = demand_asked(lab, asked)
        engines = side_by_side([Engine(demand_policy(policy)) for policy in policies], self.cores)
        demand_built(self.repository, [lab.id])
        processes = Processes()
        try:
            builder = Builder(self.repository, self.toolkit, processes, self.sandbox)
            submission = Submission("you", lab, folder)
            key = builder.key(submission)
            built = builder.recall(key) or builder.build(submission, key, _trust_the_machine)
            library = built.library
            if library is None:
                return Tried(problem=f"{built.verdict}: {built.message}")
            judge = Judge(self.repository, self.toolkit, processes, self.sandbox)
            ask = partial(judge.judge, lab.id, library, asked=asked)
            judged = _side_by_side(ask, engines, self.cores, processes.stop)
        except GraderFault as fault:
            if (said := NO_SUCH_CASE.search(str(fault))) is not None:
                raise UsageError(f"CASE={asked.case!r}: {said.group()}") from fault
            raise
        finally:
            processes.close()
        judged = {engine: _held_to(lab, under, asked) for engine, under in judged.items()}
        assert asked.seed is not None
        not_begun = tuple(engine.name for engine in engines if engine.name not in judged)
        return Tried("", built.remarks, _by_case(judged), _not_run(judged.values()), not_begun, asked.seed)


def _held_to(lab: Lab, judged: Judged, asked: Asked) -> Judged:
    """Also to what a part is about, where all its cases were run: some of them alone do not tell."""
    return judged if asked.case is not None or judged.not_run else judged.held_to(lab)


def _trust_the_machine() -> None:
    """Whether the machine is to blame for a failed build only grading has to know."""


def _side_by_side(
    ask: Callable[[Engine], Judged], engines: Sequence[Engine], cores: int, stop: Callable[[], None]
) -> dict[str, Judged]:
    """By policy. After a call that did not end, no further policy is begun: most loops are endless under all."""
    hung = threading.Event()

    def ask_unless_hung(engine: Engine) -> Judged | None:
        if hung.is_set():
            return None
        judged = ask(engine)
        if judged.seconds >= LONG_SECONDS and has_hung(judged.cases):
            hung.set()
        return judged

    with ThreadPoolExecutor(cores) as pool:
        try:
            judged = list(pool.map(ask_unless_hung, engines))
        except BaseException:
            stop()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return {engine.name: under for engine, under in zip(engines, judged) if under is not None}


def _by_case(judged: Mapping[str, Judged]) -> tuple[CaseUnderPolicies, ...]:
    """In the judge's order. A policy under which a part has hung lacks the cases after."""
    found: dict[tuple[str, str], dict[str, Case]] = {}
    for policy, under in judged.items():
        for case in under.cases:
            found.setdefault((case.part, case.case), {})[policy] = case
    return tuple(map(CaseUnderPolicies, found.values()))


def _not_run(judged: Iterable[Judged]) -> tuple[CaseId, ...]:
    """What a part that hung kept from running under one policy, and no other ran either."""
    runs = list(judged)
    ran = {CaseId(case.part, case.case) for under in runs for case in under.cases}
    return tuple(case for case in dict.fromkeys(case for under in runs for case in under.not_run) if case not in ran)
