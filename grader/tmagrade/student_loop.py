"""What a student waits for between two edits: some of a lab's cases, under some timing policies, side by side.

Nothing is scored and nothing is recorded: `make` and `make grade` decide.
"""

import re
import secrets
import shlex
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.text import Text

from tmagrade.backend import Engine, is_policy
from tmagrade.building import Builder
from tmagrade.errors import GraderFault, UsageError
from tmagrade.findings import Place
from tmagrade.judging import Asked, Case, Judge, Judged, demand_built
from tmagrade.labs import Lab
from tmagrade.outputs.finding_text import terminal_lines
from tmagrade.paths import Repository
from tmagrade.processes import Processes
from tmagrade.sandbox import Sandbox
from tmagrade.submissions import Submission
from tmagrade.toolkit import Toolkit
from tmagrade.untrusted import visible

# An endless loop costs this much. The course waits longer, since a class may share a machine.
CALL_SECONDS = 5.0

DATA = ("random", "index", "ones")

NO_SUCH_CASE = re.compile(r"there is no such case; there are: .*")

INDENT = "    "


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
    cases: tuple[CaseUnderPolicies, ...] = ()
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
    return replace(asked, seed=seed, call_seconds=CALL_SECONDS)


@dataclass(frozen=True)
class StudentLoop:
    repository: Repository
    toolkit: Toolkit
    sandbox: Sandbox
    cores: int

    def run(self, lab: Lab, folder: Path, asked: Asked, policies: Sequence[str]) -> Tried:
        asked = demand_asked(lab, asked)
        engines = [Engine(demand_policy(policy)) for policy in policies]
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
        assert asked.seed is not None
        return Tried(cases=_by_case(judged), seed=asked.seed)


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
        # A deadlock, which the emulator sees at once, costs nobody time.
        if judged.seconds >= CALL_SECONDS and any(case.verdict == "timeout" for case in judged.cases):
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


def lines(tried: Tried, data: str | None) -> Iterator[Text]:
    """A line a case; below one that is wrong, why, and what to type to see it again."""
    if tried.problem:
        yield Text(visible(tried.problem), style="red")
        return
    told: set[tuple[str, Place | None]] = set()
    width = max(len(f"{case.part}  {case.case}") for each in tried.cases for case in each.verdicts.values())
    for each in tried.cases:
        wrong = each.wrong
        case = next(iter(wrong.values()), next(iter(each.verdicts.values())))
        line = Text(f"{case.part}  {case.case}".ljust(width) + "  ")
        line.append("OK" if not wrong else case.verdict.upper(), style="red" if wrong else "green")
        yield line.append(f"  under {', '.join(wrong)}" if wrong and len(each.verdicts) > 1 else "")
        if wrong:
            yield from _why(case, told)
            yield Text(f"{INDENT}again: {again(case, next(iter(wrong)), tried.seed, data)}", style="bold")


def _why(case: Case, told: set[tuple[str, Place | None]]) -> Iterator[Text]:
    """A mistake is explained in the first case that shows it; `told` has those that were explained before."""
    for message in case.message.strip().splitlines():
        yield Text(INDENT + visible(message))
    repeated: list[str] = []
    for finding in case.findings:
        if (finding.code, finding.place) in told:
            repeated.append(finding.code)
        else:
            told.add((finding.code, finding.place))
            yield from (Text(INDENT).append_text(line) for line in terminal_lines(finding))
    if repeated:
        yield Text(f"{INDENT}found here, too, as above: {', '.join(dict.fromkeys(repeated))}")


def again(case: Case, policy: str, seed: int, data: str | None) -> str:
    """The command that runs this one case once more on the emulator, with the same inputs."""
    given = {"PART": case.part, "CASE": case.case, "POLICY": policy, "SEED": str(seed)}
    given |= {"DATA": data} if data is not None else {}
    return " ".join(["make", *(f"{name}={shlex.quote(value)}" for name, value in given.items())])
