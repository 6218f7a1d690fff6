"""Grades submissions: has each built, judged under every timing policy and timed on a GPU, and the points applied.

Every step's result is kept with the key of what went into it, so that an interrupted grading resumes and unchanged
work is not done again. What is handed in twice, letter for letter, is graded once.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Protocol

from tmagrade.basics.cache import digest_files, digest_folder, key_of, recall, remember
from tmagrade.basics.errors import CannotRecord, GraderFault, JudgeDied, UsageError, cannot_read
from tmagrade.basics.json_form import UNREADABLE
from tmagrade.basics.paths import Repository
from tmagrade.building.builder import Builder, Built
from tmagrade.building.sandbox import Sandbox
from tmagrade.course.labs import Lab, is_of_all_cases
from tmagrade.grading.canary import KNOWN, Canary
from tmagrade.grading.company import Company
from tmagrade.grading.progress import Progress
from tmagrade.grading.scheduling import Flow
from tmagrade.grading.steps import Kind, Plan, Step, Work
from tmagrade.judging import pieces_together
from tmagrade.judging.judge import Asked, Judge, demand_built
from tmagrade.judging.pieces_together import together
from tmagrade.judging.scoring import LabResult
from tmagrade.judging.verdicts import Case, CaseId, Judged
from tmagrade.machine.backend import ANY_GPU, Backend, Engine
from tmagrade.machine.processes import Processes
from tmagrade.machine.scratch import scratch_folder
from tmagrade.machine.toolkit import Toolkit
from tmagrade.submissions.staging import digest_submitted
from tmagrade.submissions.submission import Submission

DIED_BEFORE = "That was in an earlier grading; it is not tried again before the grader is another, or with --only"

# What decides about the verdicts on a hand-in in pieces, besides the judge.
PUT_TOGETHER = Path(pieces_together.__file__)

# How a machine that gives out of memory, processes or files lets a right program end.
MAY_BE_THE_MACHINES = ("crash", "timeout")


@dataclass(frozen=True)
class Recorded:
    """What is kept of a judge's run."""

    engine: str
    judged: Judged
    left_out: tuple[CaseId, ...] = ()  # what was not run, since another run had lost its points


@dataclass(frozen=True)
class Job:
    """One submission, and the work that it shares with those of the same text."""

    submission: Submission
    work: Work
    hand_in: str = ""  # a digest of it

    @property
    def fault(self) -> str | None:
        return self.work.fault

    def result(self) -> LabResult:
        return replace(self.work.result(), ignored=self.submission.ignored, hand_in=self.hand_in)


class Cluster(Protocol):
    """Does a grading's work in this machine's place, and leaves the results in the records."""

    def run(self, works: Sequence[Work], recall: Callable[[Work], None], progress: Progress, grader: str) -> None:
        """Has every work graded; `recall` puts in what was found. What could not be done is the work's fault."""


class Grading:
    def __init__(
        self,
        repository: Repository,
        toolkit: Toolkit,
        sandbox: Sandbox,
        emulator_engines: Sequence[Engine],  # the first judges correctness where there is no GPU
        gpu_engines: Sequence[Engine],  # one for each GPU to use; none: the emulator alone
        cores: int,
        progress: Progress,
        cluster: Cluster | None = None,  # none: this machine does the work
    ) -> None:
        self.repository = repository
        self.toolkit = toolkit
        self.sandbox = sandbox
        self.plan = Plan(emulator_engines, gpu_engines)
        self.cores = cores
        self.progress = progress
        self.cluster = cluster
        self.processes = Processes()
        self.company = Company()
        self.builder = Builder(repository, toolkit, self.processes, sandbox)
        self.judge = Judge(repository, toolkit, self.processes, sandbox)

    @cached_property
    def canary(self) -> Canary:
        deciding = [*self.plan.emulator_engines[:1], *self.plan.gpu_engines]
        return Canary(self.repository, self.builder, self.judge, deciding, self.digest)

    @property
    def backend(self) -> Backend:
        return Backend.GPU if self.plan.gpu_engines else Backend.EMULATOR

    def run(self, submissions: Sequence[Submission], *, anew: bool = False, own: bool = False) -> list[Job]:
        """`anew`: as if nothing were known of them, with other inputs.

        `own`: the student's who waits for the verdict. See Canary.probe() and Work.ready().
        """
        demand_built(self.repository, [KNOWN.id, *(submission.lab.id for submission in submissions)])
        jobs = self._jobs(submissions)
        works = list(dict.fromkeys(job.work for job in jobs))
        for work in works if not anew else ():
            self._recall(work)
        if self.cluster is not None:
            self.cluster.run(works, self._recall, self.progress, self.digest)
            return jobs
        self.repository.work.mkdir(parents=True, exist_ok=True)
        try:
            with scratch_folder(self.repository.work) as folder:
                with self._built_meanwhile(works if own else ()):
                    self._demand_canaries(works, folder, anew, own)
                # A judge and its runner wait for each other now and then; and two lanes of unequal policies would leave
                # a core idle at the end.
                lanes = self.cores + 1 if own else self.cores
                flow = Flow(lanes, self.plan.gpu_engines, self._do, self.processes.stop, self.progress)
                flow.run(works, alone=own)
        finally:
            self.processes.close()
        return jobs

    @contextmanager
    def _built_meanwhile(self, works: Sequence[Work]) -> Iterator[None]:
        """Builds these, so that who waits for a verdict does not wait for the canaries first. What faults is left to
        the steps, which build it again and say so."""

        def built(work: Work) -> Built | None:
            with suppress(GraderFault, OSError), self.company.at_work():
                return self.builder.build(work.submission, work.key, self.canary.control_build)
            return None

        with ThreadPoolExecutor(self.cores) as pool:
            begun = [(work, pool.submit(built, work)) for work in works if work.built is None and work.fault is None]
            try:
                yield
                for work, building in begun:
                    work.built = work.built or building.result()
            except BaseException:
                self.processes.stop()
                raise

    def _demand_canaries(self, works: Sequence[Work], folder: Path, anew: bool, own: bool) -> None:
        """Lets nobody be graded for whose lab this machine does not give the right program what it must get."""
        ahead = [work for work in works if work.ahead]
        if not ahead:
            return
        labs = {work.lab.id: work.lab for work in ahead}
        self.progress.note(f"checking that this machine can grade {', '.join(labs)}")
        try:
            self.canary.probe(folder, accepts_recent=own)
        except CannotRecord:
            raise
        except GraderFault as fault:
            faults = dict.fromkeys(labs, str(fault))
        else:
            faults = self._faults_of(list(labs.values()))
        for work in ahead:
            work.fault = faults.get(work.lab.id)
            if not anew:
                self._recall(work)  # the reference solution may be among those handed in

    def _faults_of(self, labs: Sequence[Lab]) -> dict[str, str]:
        """Why nobody of a lab can be graded on this machine, by the lab."""

        def fault_of(lab: Lab) -> str | None:
            try:
                self.canary.demand(lab, self._remember_judged)
            except CannotRecord:
                raise
            except (GraderFault, OSError) as fault:
                return str(fault)
            return None

        with ThreadPoolExecutor(self.cores) as pool:
            try:
                found = list(pool.map(fault_of, labs))
            except BaseException:
                self.processes.stop()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        return {lab.id: fault for lab, fault in zip(labs, found) if fault is not None}

    def _jobs(self, submissions: Sequence[Submission]) -> list[Job]:
        works: dict[str, Work] = {}
        jobs: list[Job] = []
        for submission in submissions:
            refused: Built | None = None
            fault: str | None = None
            hand_in = ""
            try:
                key = self.builder.key(submission)
                hand_in = digest_submitted(submission.folder)
            except UsageError as error:
                key = f"refused {len(works)}"
                refused = Built(None, verdict="build error", message=str(error))
            except (GraderFault, OSError) as error:
                key = f"refused {len(works)}"
                fault = cannot_read(error) if isinstance(error, OSError) else str(error)
            work = works.setdefault(key, Work(self.plan, [], key, refused, fault=fault))
            work.submissions.append(submission)
            jobs.append(Job(submission, work, hand_in))
        return jobs

    def _recall(self, work: Work) -> None:
        """Puts in what earlier gradings have found."""
        work.built = work.built or self.builder.recall(work.key)
        if work.built is None or work.built.library is None:
            return
        for engine in (*self.plan.emulator_engines, *self.plan.gpu_engines):
            death = recall(self._death(work, engine), self._judged_key(work, engine.identity), str)
            if death is not None:
                work.fault = f"{death}\n{DIED_BEFORE}"
        for engine in self.plan.emulator_engines:
            if (known := self._recall_judged(work, engine)) is not None:
                work.emulated[engine.name] = known
        for engine in self.plan.gpu_engines:
            work.measured = work.measured or self._recall_judged(work, engine)

    def _do(self, work: Work, step: Step, engine: Engine | None) -> Callable[[], None]:
        """Does one step; what it answers puts the result in."""
        with self.company.at_work():
            return self._done(work, step, engine)

    def _done(self, work: Work, step: Step, engine: Engine | None) -> Callable[[], None]:
        if step.kind is Kind.BUILD:
            built = self.builder.build(work.submission, work.key, self.canary.control_build)
            return lambda: setattr(work, "built", built)
        assert engine is not None and work.built is not None and work.built.library is not None
        bandwidth = step.kind is Kind.TIME and work.lab.bandwidth is not None
        lost = work.lost(engine)
        try:
            judged = self._judged(work, engine, bandwidth, lost)
        except JudgeDied as death:
            # So that no other grading dies of it, until there is another judge. It has died twice, the second time with
            # nothing of this grading beside it; a judge that was killed from outside is no JudgeDied.
            remember(self._death(work, engine), self._judged_key(work, engine.identity), str(death))
            raise
        self._remember(work, engine, judged, lost)
        if step.kind is Kind.TIME:
            return lambda: setattr(work, "measured", judged)
        return lambda: work.emulated.update({engine.name: judged})

    def _judged(self, work: Work, engine: Engine, bandwidth: bool, lost: Sequence[Case]) -> Judged:
        """What the judge says, of each library where the files are libraries of their own; `lost` is not run."""
        built = work.built
        assert built is not None
        asked = Asked(left_out=tuple(case.id for case in lost if not is_of_all_cases(case.case)))
        if not built.pieces:
            assert built.library is not None
            judged = self._judge(work, built.library, engine, bandwidth, asked)
        else:
            pieces = [
                (piece.source, self._judge(work, piece.library, engine, bandwidth, asked)) for piece in built.pieces
            ]
            judged = together(work.lab, pieces, built.refused)
        return judged.without(lost).held_to(work.lab)

    def _judge(self, work: Work, library: Path, engine: Engine, bandwidth: bool, asked: Asked) -> Judged:
        """What the submission comes to, and not what the machine did to it for a moment."""
        try:
            judged = self.judge.judge(work.lab.id, library, engine, bandwidth=bandwidth, asked=asked)
        except JudgeDied:
            # Beside others it may have died for want of time or memory. Alone it shows what the submission does to it;
            # if it comes to verdicts, they are as good as any.
            with self.company.alone():
                self.canary.control_judging(engine)
                judged = self.judge.judge(work.lab.id, library, engine, bandwidth=bandwidth, asked=asked)
        suspected = _suspected(judged)
        if suspected:
            self.canary.control_judging(engine)
        # The emulator does the same with the same inputs; what only luck lets a GPU do right is not right.
        seed = int(judged.seed)
        if engine.gpu is None and not all(
            self._ends_so_again(work, library, engine, replace(asked, part=part, case=case, seed=seed))
            for part, case in suspected.items()
        ):
            return self._judged_alone(work, library, engine, asked)
        return judged

    def _ends_so_again(self, work: Work, library: Path, engine: Engine, asked: Asked) -> bool:
        try:
            again = self.judge.judge(work.lab.id, library, engine, asked=asked)
        except JudgeDied as death:  # which it did not the first time
            raise GraderFault(str(death)) from death
        return bool(_suspected(again))

    def _judged_alone(self, work: Work, library: Path, engine: Engine, asked: Asked) -> Judged:
        """What a submission comes to that ended in a crash or in no time, and not so when it was tried again.

        The machine may have been to blame, and now has nothing else to do. Or the submission asks the clock or chance
        how to end; then it ends as it does now. Of the machine that shows nothing: it does not withhold any points.
        """
        with self.company.alone():
            self.canary.control_judging(engine)
            return self.judge.judge(work.lab.id, library, engine, asked=asked)

    def _remember(self, work: Work, engine: Engine, judged: Judged, lost: Sequence[Case] = ()) -> None:
        recorded = Recorded(engine.identity, judged, tuple(case.id for case in lost))
        remember(self._record(work, engine), self._judged_key(work, engine.identity), recorded)

    def _remember_judged(self, submission: Submission, engine: Engine, judged: Judged) -> None:
        """What the canary came to; who hands in the reference solution is not graded again."""
        key = self.builder.key(submission)
        work = Work(self.plan, [submission], key, self.builder.recall(key))
        measures = engine.gpu is not None and submission.lab.bandwidth is not None
        if work.built is not None and not measures:
            self._remember(work, engine, judged.held_to(submission.lab))

    def _recall_judged(self, work: Work, engine: Engine) -> Judged | None:
        record = self._record(work, engine)
        # Which GPU of the cluster it was the record says; its key must be right nevertheless.
        identity = recorded_engine(record) if engine is ANY_GPU else engine.identity
        known = recall(record, self._judged_key(work, identity), Recorded)
        if known is None or not {*known.left_out} <= {case.id for case in work.lost(engine)}:
            return None
        return known.judged

    def _record(self, work: Work, engine: Engine) -> Path:
        return self.builder.records(work.key) / f"{engine.name.replace(':', '-')}.json"

    def _death(self, work: Work, engine: Engine) -> Path:
        return self._record(work, engine).with_suffix(".died.json")

    def _judged_key(self, work: Work, engine_identity: str) -> str:
        assert work.built is not None
        measured = work.lab.bandwidth is not None
        about = [(part.about, part.groups) for part in work.lab.parts]
        digest = key_of(self._judge_digest(work.lab.id), self._common_digest, PUT_TOGETHER.read_text())
        return key_of(work.lab.id, work.built.digest, digest, engine_identity, self.sandbox.name, measured, about)

    @cached_property
    def digest(self) -> str:
        """All that decides verdicts besides the submissions' libraries and the engines."""
        return key_of(digest_folder(self.repository.judges), self._common_digest)

    @cache  # noqa: B019 (a grading lives as long as its process)
    def _judge_digest(self, lab: str) -> str:
        return digest_files(self.repository.judges, [self.repository.judge(lab)])

    @cached_property
    def _common_digest(self) -> str:
        return key_of(
            digest_files(self.repository.build, [self.repository.runner]),
            digest_folder(self.repository.emulator_libraries),
            self.toolkit.version,
        )


def _suspected(judged: Judged) -> dict[str, str | None]:
    """Parts that ended as they may end because of the machine, and the first case of each that did; None where it was
    the call at the timed size."""
    suspected: dict[str, str | None] = {}
    for case in judged.cases:
        if case.verdict in MAY_BE_THE_MACHINES:
            suspected.setdefault(case.part, case.case)
    if judged.rehearsal is not None and judged.rehearsal.verdict in MAY_BE_THE_MACHINES:
        suspected.setdefault(judged.rehearsal.part, None)
    return suspected


def recorded_engine(record: Path) -> str:
    try:
        return str(json.loads(record.read_text())["value"]["engine"])
    except (OSError, *UNREADABLE):
        return ""
