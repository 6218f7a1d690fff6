"""The canary: before anybody of a lab is graded, this machine shows that it can grade.

First a small program that is known to be right is built and judged, each time, in about a second. Then every lab's
reference solution, where the solutions are: it must build here, and every part must be right. That is remembered, but
only where it was right, and only for this toolkit, this build of the grader, this text and these limits.

The small program is also the control of an experiment: where a student's compiler fails without a word about the text,
or a submission crashes, it shows whether the machine is to blame.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tmagrade.basics.cache import copy_atomically, key_of, recall, remember, require_space
from tmagrade.basics.errors import GraderFault, JudgeDied, UsageError
from tmagrade.basics.paths import Repository
from tmagrade.building.builder import Builder
from tmagrade.building.compiler_output import reason
from tmagrade.course.labs import Lab, Part, Points
from tmagrade.judging.judge import Judge
from tmagrade.judging.scoring import worst
from tmagrade.judging.verdicts import Judged
from tmagrade.machine.backend import Engine
from tmagrade.machine.limits import demand_limits, described
from tmagrade.machine.scratch import scratch_folder
from tmagrade.submissions.submission import Submission

KNOWN = Lab(
    id="canary",
    title="A program that is known to be right",
    idea="A machine that cannot judge it judges nobody.",
    source="canary.cu",
    points=Points(1, 0, 0),
    parts=(Part("add-one", "Adds one to each element", 1),),
    bandwidth=None,
)
RIGHT = "right"

NOBODY = "nobody is graded here"
MOST_CHARACTERS = 500

RECENT_SECONDS = 600.0


@dataclass
class Canary:
    repository: Repository
    builder: Builder
    judge: Judge
    engines: Sequence[Engine]  # all kinds of which one decides whether a part is right
    digest: str  # of the judge, the runner and the emulator
    library: Path | None = None  # of the known program, once it was built

    @property
    def known(self) -> Submission:
        folder = self.repository.grader / "checks/canary/program"
        if not folder.is_dir():
            raise GraderFault(f"{folder} is missing, with the program that shows what this machine can do")
        return Submission("canary", KNOWN, folder)

    def probe(self, folder: Path, *, accepts_recent: bool = False) -> None:
        """GraderFault, which says what this machine lacks, unless it builds and judges the known program.

        The program stays in `folder`, for control_judging(). With `accepts_recent`, one that was built here minutes ago
        is only judged: between two edits of one student its compilation would be a third of the time. Where that
        student's text does not build, control_build() shows what the compiler is worth.
        """
        demand_limits()
        self.library = self._built_lately(folder) if accepts_recent else self._build(folder)
        for engine in self.engines:
            self.control_judging(engine)

    def _built_lately(self, folder: Path) -> Path:
        """The known program as it was built minutes ago by this toolkit in this sandbox under these limits, or now."""
        name = key_of(self.builder.key(self.known), described(), self.builder.sandbox.name)
        kept = self.repository.state / "canary" / f"{KNOWN.id}-{name[:16]}.so"
        if not (kept.is_file() and 0 <= time.time() - kept.stat().st_mtime < RECENT_SECONDS):
            copy_atomically(self._build(folder), kept)
        return kept

    def control_build(self) -> None:
        """GraderFault unless the known program can be built now."""
        with scratch_folder(self.repository.work) as folder:
            self._build(folder)

    def control_judging(self, engine: Engine) -> None:
        """GraderFault unless the known program gets now what it must, under this engine."""
        assert self.library is not None
        try:
            wrong = complaints(KNOWN, self.judge.judge(KNOWN.id, self.library, engine), engine)
        except JudgeDied as death:  # of the machine: it is to be remembered of no submission
            wrong = [str(death)]
        if wrong:
            said = _cut("; ".join(wrong))
            raise GraderFault(
                f"this machine does not run a program that is known to be right, so {NOBODY} ({engine.name}): {said}"
            )

    def demand(self, lab: Lab, remember_judged: Callable[[Submission, Engine, Judged], None]) -> None:
        """GraderFault unless the lab's reference solution, if it is here, gets on this machine what it must."""
        solution = Submission("the reference solution", lab, self.repository.solutions / lab.id)
        if not solution.folder.is_dir():
            return
        try:
            key = self.builder.key(solution)
        except UsageError as error:
            raise GraderFault(f"the reference solution cannot be read: {error}") from error
        record = self.repository.state / "canary" / f"{lab.id}.json"
        engines = [engine.identity for engine in self.engines]
        name = key_of(key, self.digest, described(), self.builder.sandbox.name, engines)
        if recall(record, name, str) == RIGHT:
            return
        built = self.builder.build(solution, key, self.control_build)
        if built.library is None:
            raise GraderFault(f"the reference solution does not build here, so {NOBODY}: {_cut(built.message)}")
        for engine in self.engines:
            judged = self.judge.judge(lab.id, built.library, engine)
            if any(case.verdict == "timeout" for case in judged.cases):  # busy for a moment, perhaps
                judged = self.judge.judge(lab.id, built.library, engine)
            if wrong := complaints(lab, judged, engine):
                said = "; ".join(wrong)
                raise GraderFault(f"the reference solution is not right on this machine, so {NOBODY}: {_cut(said)}")
            remember_judged(solution, engine, judged)
        remember(record, name, RIGHT)

    def _build(self, folder: Path) -> Path:
        require_space(folder)
        finished, library = self.builder.compile(self.known, folder)
        if library is None:
            why = "the compiler does not come to an end" if finished.timed_out else reason(finished.output)
            said = _cut(finished.output.strip()) or f"status {finished.status}"
            raise GraderFault(
                f"this machine does not build a program that is known to be right, so {NOBODY}: {why}\n{said}"
            )
        return library


def complaints(lab: Lab, judged: Judged, engine: Engine) -> list[str]:
    """What keeps the parts from being right that this engine decides about."""
    parts = [part for part in lab.parts if engine.gpu is None or part.architecture is None]
    decisive = {part.id: worst([case for case in judged.cases if case.part == part.id]) for part in parts}
    found = [
        f"{part}: the judge has no case of it" if case is None else f"{part}: {case.verdict}: {case.message}"
        for part, case in decisive.items()
        if case is None or case.verdict != "pass"
    ]
    if (rehearsal := judged.rehearsal) is not None and rehearsal.verdict != "pass":
        found.append(f"{rehearsal.part}: {rehearsal.verdict}: {rehearsal.message}")
    return found


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} ..."
