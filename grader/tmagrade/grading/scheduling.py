"""The order in which everything is done: steps on every core first, then timed runs, one a GPU at a time.

The timed runs come after all other work rather than beside it. Bandwidth is measured by the judge's own clock, from
the request to the reply: a busy core delays both, and a compiler takes memory bandwidth of the host besides. GPUs
that wait for the last compiler cost minutes; figures that depend on what ran beside them cost the class's trust.
"""

import heapq
import itertools
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from tmagrade.basics.cache import NO_ROOM, cannot_write
from tmagrade.basics.errors import CannotRecord, GraderFault
from tmagrade.grading.progress import Board, Progress, Tally
from tmagrade.grading.steps import Kind, Step, Work
from tmagrade.machine.backend import Engine

# How long a Ctrl-C may go unseen.
PATIENCE_SECONDS = 0.2

# Does a step, under the timing policy given, and puts its result into the work once it is called.
Do = Callable[[Work, Step, Engine | None], Callable[[], None]]


@dataclass(frozen=True)
class Running:
    work: Work
    step: Step
    engine: Engine | None
    since: float

    @property
    def words(self) -> str:
        verb = {Kind.BUILD: "building", Kind.EMULATE: "emulating", Kind.TIME: "timing"}[self.step.kind]
        policy = f" ({self.engine.name})" if self.step.kind is Kind.EMULATE and self.engine else ""
        return f"{verb} {self.work.name}{policy}"


class Flow:
    def __init__(
        self, cores: int, gpus: Sequence[Engine], do: Do, stop: Callable[[], None], progress: Progress
    ) -> None:
        self._cores = cores
        self._gpus = len(gpus)
        self._free = list(gpus)
        self._do = do
        self._stop = stop  # ends what `do` waits for
        self._progress = progress
        lanes = {Kind.BUILD: cores, Kind.EMULATE: cores} | ({Kind.TIME: len(gpus)} if gpus else {})
        self._board = Board(lanes)
        # A heap: timed runs last, else the earlier submission first, so that what was begun is soon ended.
        self._ready: list[tuple[bool, int, int, Work, Step]] = []
        self._place: dict[Work, int] = {}
        self._order = itertools.count()
        self._alone = False
        self._started: set[tuple[Work, Step]] = set()
        self._running: dict[Future[Callable[[], None]], Running] = {}

    def run(self, works: Sequence[Work], *, alone: bool = False) -> None:
        """Takes every work as far as it goes. A fault of the grader stays with its work; the others go on.

        `alone`: see Work.ready().
        """
        self._alone = alone
        for place, work in enumerate(works):
            self._place[work] = place
            self._board.add(work)
            self._queue(work)
        self._progress.begin(self._tally())
        with ThreadPoolExecutor(max_workers=max(self._cores, self._gpus)) as pool:
            try:
                while self._ready or self._running:
                    self._start(pool)
                    done, _ = wait(self._running, timeout=PATIENCE_SECONDS, return_when=FIRST_COMPLETED)
                    for future in done:
                        self._end(future)
            except BaseException:
                self._stop()
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _queue(self, work: Work) -> None:
        for step in work.ready(alone=self._alone):
            if (work, step) not in self._started:
                self._started.add((work, step))
                timed = step.kind is Kind.TIME
                heapq.heappush(self._ready, (timed, self._place[work], next(self._order), work, step))

    def _start(self, pool: ThreadPoolExecutor) -> None:
        """Starts what may start now: a timed run only on a free GPU and when no core is at work."""
        before = len(self._running)
        while self._ready:
            timed, *_, work, step = self._ready[0]
            if step not in work.ahead:  # another step has shown that it is not needed
                heapq.heappop(self._ready)
                continue
            if timed:
                if not self._free or any(running.step.kind is not Kind.TIME for running in self._running.values()):
                    break
            elif len(self._running) >= self._cores:
                break
            heapq.heappop(self._ready)
            engine = self._free.pop(0) if timed else step.engine
            self._running[_begun(pool, self._do, work, step, engine)] = Running(work, step, engine, time.monotonic())
        if len(self._running) != before:
            self._progress.update(self._tally())

    def _end(self, future: Future[Callable[[], None]]) -> None:
        ended = self._running.pop(future)
        work, step = ended.work, ended.step
        if step.kind is Kind.TIME and ended.engine is not None:
            self._free.append(ended.engine)
        try:
            future.result()()
            self._board.took(work, step, time.monotonic() - ended.since)
        except CannotRecord:
            raise
        except GraderFault as fault:
            work.fault = work.fault or str(fault)
        except Exception as error:  # whatever one hand-in has led to, the others go on
            work.fault = work.fault or _fault_of(error)
        done = self._board.note(work)
        self._queue(work)
        if step.kind in done:
            self._progress.ended(step.kind, work.name, self._tally())
        self._progress.update(self._tally())

    def _tally(self) -> Tally:
        return self._board.tally([running.words for running in self._running.values()])


def _begun(
    pool: ThreadPoolExecutor, do: Do, work: Work, step: Step, engine: Engine | None
) -> Future[Callable[[], None]]:
    try:
        return pool.submit(do, work, step, engine)
    except RuntimeError as error:  # "can't start new thread"
        raise GraderFault(f"this machine starts no thread any more: {error}") from error


def _fault_of(error: Exception) -> str:
    if not isinstance(error, OSError) or error.filename is None:
        return f"nobody foresaw this: {error!r} ({_where(error)})"
    if error.errno in NO_ROOM:
        raise CannotRecord(cannot_write(error.filename, error)) from error
    return f"{error.filename}: {error.strerror}; grade again"


def _where(error: Exception) -> str:
    *_, frame = traceback.extract_tb(error.__traceback__)
    return f"{Path(frame.filename).name}:{frame.lineno}"
