"""Grades submissions: builds all, has each judged under every engine, measures on the GPU, applies the points.

Every step's result is kept with the key of what went into it, so that an interrupted grading resumes and
unchanged work is not done again.
"""

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol

from tmagrade.backend import Backend, Engine
from tmagrade.building import Builder, Built
from tmagrade.cache import digest_files, digest_folder, key_of, recall, remember
from tmagrade.errors import GraderFault
from tmagrade.judging import Judge, Judged
from tmagrade.paths import Repository
from tmagrade.processes import Processes
from tmagrade.scoring import GRADER_FAULT, LabResult, Outcomes, same_for_all, score, worst
from tmagrade.submissions import Submission
from tmagrade.toolkit import Toolkit


class Progress(Protocol):
    """Told what is being done; the terminal shows a bar, a log gets lines."""

    def phase(self, title: str, steps: int) -> None: ...

    def step(self, what: str) -> None: ...


@dataclass
class Job:
    """One submission on its way: what is known of it so far."""

    submission: Submission
    built: Built | None = None
    emulated: dict[str, Judged] = field(default_factory=dict)  # by engine
    measured: Judged | None = None  # on the GPU
    fault: str | None = None

    @property
    def can_run(self) -> bool:
        return self.fault is None and self.built is not None and self.built.library is not None

    def result(self) -> LabResult:
        lab = self.submission.lab
        if self.fault is not None:
            return same_for_all(lab, GRADER_FAULT, self.fault)
        assert self.built is not None
        if self.built.library is None:
            return same_for_all(lab, self.built.verdict, self.built.message)
        correctness = self.measured or next(iter(self.emulated.values()))
        return score(lab, Outcomes(correctness, self.emulated))


class Grading:
    def __init__(
        self,
        repository: Repository,
        toolkit: Toolkit,
        emulator_engines: Sequence[Engine],  # the first judges correctness where there is no GPU
        gpu_engines: Sequence[Engine],  # one for each GPU to use; none: the emulator alone
        cores: int,
        progress: Progress,
    ) -> None:
        self.repository = repository
        self.toolkit = toolkit
        self.emulator_engines = emulator_engines
        self.gpu_engines = gpu_engines
        self.cores = cores
        self.progress = progress
        self.processes = Processes()
        self.builder = Builder(repository, toolkit, self.processes)
        self.judge = Judge(repository, toolkit, self.processes)

    @property
    def backend(self) -> Backend:
        return Backend.GPU if self.gpu_engines else Backend.EMULATOR

    def run(self, submissions: Sequence[Submission]) -> list[Job]:
        self._check_built()
        jobs = [Job(submission) for submission in submissions]
        self._phase("build", jobs, self._build, self.cores)
        ready = [job for job in jobs if job.can_run]
        self._phase("emulator", ready, self._emulate, self.cores)
        if self.gpu_engines:
            # Last, on a quiet machine and one at a time a GPU, because these runs are timed.
            free: queue.SimpleQueue[Engine] = queue.SimpleQueue()
            for engine in self.gpu_engines:
                free.put(engine)
            ready = [job for job in jobs if job.can_run]
            self._phase("gpu", ready, lambda job: self._measure(job, free), len(self.gpu_engines))
        return jobs

    def _phase(self, title: str, jobs: Sequence[Job], work: Callable[[Job], None], at_once: int) -> None:
        """Does the work for every job. A fault of the grader stays with its job; the others go on."""

        def guarded(job: Job) -> None:
            try:
                work(job)
            except GraderFault as fault:
                job.fault = str(fault)

        self.progress.phase(title, len(jobs))
        with ThreadPoolExecutor(max_workers=at_once) as pool:
            job_of = {pool.submit(guarded, job): job for job in jobs}
            try:
                waiting = set(job_of)
                while waiting:
                    # A bounded wait, so that Ctrl-C is seen at once.
                    done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
                    for future in done:
                        future.result()
                        submission = job_of[future].submission
                        self.progress.step(f"{submission.student} {submission.lab.id}")
            except BaseException:
                self.processes.stop()
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _build(self, job: Job) -> None:
        job.built = self.builder.build(job.submission)

    def _emulate(self, job: Job) -> None:
        for engine in self.emulator_engines:
            job.emulated[engine.name] = self._judge(job, engine)
            if _nothing_right(job):
                return  # the other engines cannot give a point any more

    def _measure(self, job: Job, free: "queue.SimpleQueue[Engine]") -> None:
        engine = free.get()
        try:
            job.measured = self._judge(job, engine, bandwidth=job.submission.lab.bandwidth is not None)
        finally:
            free.put(engine)

    @cached_property
    def digest(self) -> str:
        """All that decides a verdict besides the submission's library."""
        return key_of(
            digest_files(self.repository.build, self._binaries()), digest_folder(self.repository.emulator_libraries)
        )

    def _binaries(self) -> list[Path]:
        return [self.repository.judge, self.repository.runner]

    def _check_built(self) -> None:
        missing = [path.name for path in self._binaries() if not path.exists()]
        if missing:
            raise GraderFault(f"not built: {' and '.join(missing)}; run `make build`")

    def _judge(self, job: Job, engine: Engine, *, bandwidth: bool = False) -> Judged:
        assert job.built is not None and job.built.library is not None
        key = key_of(job.built.digest, self.digest, engine.identity, bandwidth)
        record = self.builder.records(job.submission) / f"{engine.name.replace(':', '-')}.json"
        known = recall(record, key)
        if known is not None:
            return Judged.from_json(known)
        judged = self.judge.judge(job.submission.lab.id, job.built.library, engine, bandwidth=bandwidth)
        remember(record, key, judged.to_json())
        return judged


def _nothing_right(job: Job) -> bool:
    """Whether every part was wrong under some engine already."""
    return all(
        any(
            (decisive := worst([case for case in judged.cases if case.part == part.id])) is not None
            and decisive.verdict != "pass"
            for judged in job.emulated.values()
        )
        for part in job.submission.lab.parts
    )
