"""Grades on a cluster: one Slurm array job for all that is still to be graded, on a file system that all nodes share.

A task runs `tmagrade grade-one`, which grades its submissions as anywhere else and leaves the results in the records;
this side reads them there. So nothing is lost when it ends: the same command finds the array again by its name, which
is written down before the array is submitted. Ctrl-C cancels the array.
"""

import json
import math
import os
import platform
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tmagrade.basics.cache import make_private, write_atomically, write_json
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.json_form import DiskText, from_json, to_json
from tmagrade.basics.paths import Repository
from tmagrade.course.labs import Lab
from tmagrade.grading.progress import Board, Progress, Tally
from tmagrade.grading.steps import Kind, Work
from tmagrade.submissions.submission import Submission

POLL_SECONDS = 5.0
# How long a result may take from the node that wrote it to this one.
SHARED_FILES_SECONDS = 30.0
# How long Slurm's controller may be away.
CONTROLLER_SECONDS = 900.0
# Slurm's own default for the longest array (MaxArraySize) is 1001.
MAX_TASKS = 1000

ENDED = {
    "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "TIMEOUT"
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One submission of a task."""

    key: str
    student: DiskText
    lab: str
    folder: DiskText


@dataclass(frozen=True)
class Manifest:
    """What an array has to do, and how."""

    name: str
    grader: str
    options: tuple[str, ...]
    sbatch: tuple[str, ...]
    tasks: tuple[tuple[Row, ...], ...]


@dataclass(frozen=True)
class Array:
    """The files of one array job, in a folder that every node sees."""

    folder: Path

    @property
    def manifest(self) -> Path:
        return self.folder / "array.json"

    def output(self, task: int | str) -> Path:
        return self.folder / "output" / f"{task}.txt"

    def fault(self, key: str) -> Path:
        return self.folder / "faults" / key

    def read(self) -> Manifest | None:
        """Nothing where it is not there, or not whole."""
        try:
            return from_json(json.loads(self.manifest.read_text()), Manifest)
        except (OSError, ValueError, RecursionError):
            return None

    def submissions(self, task: int, labs: Sequence[Lab]) -> list[Submission]:
        """What one task has to grade."""
        written = self.read()
        if written is None or not 0 <= task < len(written.tasks):
            raise UsageError(f"{self.manifest} has no task {task}")
        known = {lab.id: lab for lab in labs}
        return [Submission(row.student, known[row.lab], Path(row.folder)) for row in written.tasks[task]]

    def write_fault(self, work: Work) -> None:
        if work.fault is None:
            self.fault(work.key).unlink(missing_ok=True)
        else:
            write_atomically(self.fault(work.key), f"on {platform.node()}: {work.fault}")


@dataclass
class Watched:
    """What was last seen of a running array."""

    job: str
    works: dict[int, list[Work]]  # not yet graded, by task
    tasks_at_first: int = field(init=False)
    began: float = field(default_factory=time.monotonic)
    states: dict[int, str] = field(default_factory=dict)
    ended: dict[int, float] = field(default_factory=dict)  # when a task was first seen to have ended

    def __post_init__(self) -> None:
        self.tasks_at_first = self.tasks_left

    @property
    def tasks_left(self) -> int:
        return sum(1 for works in self.works.values() if works)


class Slurm:
    """Takes the place of the local flow."""

    def __init__(self, repository: Repository, sbatch_options: str, grade_options: Sequence[str]) -> None:
        self._repository = repository
        try:
            self._sbatch_options = shlex.split(sbatch_options)
        except ValueError as error:
            raise UsageError(f"--slurm {sbatch_options}: {error}") from error
        self._grade_options = list(grade_options)  # those of `grade` that a task must know
        self._array = Array(repository.state / "slurm")
        missing = [name for name in ("sbatch", "squeue", "scancel") if shutil.which(name) is None]
        if missing:
            raise UsageError(f"--executor slurm needs Slurm's {', '.join(missing)} in the PATH")

    def run(self, works: Sequence[Work], recall: Callable[[Work], None], progress: Progress, grader: str) -> None:
        """Has every work graded. What its task could not do is the work's fault."""
        timed = any(work.plan.gpu_engines for work in works)
        board = Board(dict.fromkeys([Kind.BUILD, Kind.EMULATE, *([Kind.TIME] if timed else [])], 1))
        for work in works:
            board.add(work)
        progress.begin(board.tally([]))
        ahead = [work for work in works if work.ahead]
        if not ahead:
            return
        watched = self._found_again(ahead, grader) or self._submit(ahead, grader)
        try:
            while watched.tasks_left:
                self._look(watched)
                self._collect(watched, recall, board, progress)
                progress.update(_tally(board, watched))
                if watched.tasks_left:
                    time.sleep(POLL_SECONDS)
        except KeyboardInterrupt:
            _slurm("scancel", watched.job)
            raise

    def _found_again(self, ahead: Sequence[Work], grader: str) -> Watched | None:
        """The array of an earlier grading that was killed, if it still runs and does what is wanted now."""
        written = self._array.read()
        if written is None:
            return None
        # --me would do, but only since Slurm 20.
        answer = _slurm("squeue", "--noheader", f"--name={written.name}", "--format=%F")
        jobs = sorted(set(answer.stdout.split()))
        if not jobs:
            return None
        task_of = {row.key: task for task, rows in enumerate(written.tasks) for row in rows}
        is_wanted = (written.grader, written.options, written.sbatch) == (grader, *self._options)
        if is_wanted and all(work.key in task_of for work in ahead):
            by_task: dict[int, list[Work]] = {}
            for work in ahead:
                by_task.setdefault(task_of[work.key], []).append(work)
            return Watched(jobs[0], by_task)
        _slurm("scancel", *jobs)
        return None

    def _submit(self, ahead: Sequence[Work], grader: str) -> Watched:
        size = math.ceil(len(ahead) / MAX_TASKS)
        tasks = [list(ahead[first : first + size]) for first in range(0, len(ahead), size)]
        shutil.rmtree(self._array.folder, ignore_errors=True)
        make_private(self._array.output(0).parent)
        name = f"tmagrade-{uuid.uuid4().hex[:12]}"
        rows = tuple(tuple(map(_row, task)) for task in tasks)
        write_json(self._array.manifest, to_json(Manifest(name, grader, *self._options, rows)))
        script = self._array.folder / "task.sh"
        write_atomically(script, self._script())
        command = ["--parsable", f"--job-name={name}", f"--array=0-{len(tasks) - 1}"]
        command += [f"--output={self._array.output('%a')}", *self._sbatch_options, str(script)]
        answer = _slurm("sbatch", *command)
        if answer.returncode != 0:
            raise UsageError(f"sbatch refused the job: {answer.stderr.strip()}")
        job = answer.stdout.strip().split(";")[0]  # the cluster's name may follow
        return Watched(job, dict(enumerate(tasks)))

    @property
    def _options(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(self._grade_options), tuple(self._sbatch_options)

    def _script(self) -> str:
        repository = self._repository
        command = [sys.executable, "-P", "-X", "utf8", "-m", "tmagrade", "grade-one", str(self._array.folder)]
        return "\n".join(
            [
                "#!/bin/sh",
                f"export PYTHONPATH={shlex.quote(str(repository.grader))}",
                f"export TMAGRADE_STATE={shlex.quote(str(repository.state))}",
                f'exec {shlex.join(command)} "$SLURM_ARRAY_TASK_ID" {shlex.join(self._grade_options)}',
                "",
            ]
        )

    def _look(self, watched: Watched) -> None:
        """Takes in what Slurm says of the tasks."""
        format_ = "--format=%K|%T"
        end = time.monotonic() + CONTROLLER_SECONDS
        while True:
            answer = _slurm("squeue", "--noheader", "--array", f"--jobs={watched.job}", "--states=all", format_)
            if answer.returncode == 0 or "Invalid job id" in answer.stderr:
                break
            if time.monotonic() > end:
                raise GraderFault(
                    f"squeue has not answered for {CONTROLLER_SECONDS / 60:.0f} min: {answer.stderr.strip()}. The "
                    f"array job {watched.job} may still run; the same command goes on from there."
                )
            time.sleep(POLL_SECONDS)
        rows = (line.split("|") for line in answer.stdout.splitlines())
        states = {int(row[0]): row[1] for row in rows if len(row) == 2 and row[0].isdigit()}
        watched.states.update(states)
        for task in watched.works:
            # Slurm forgets a task some minutes after its end.
            if task not in states or states[task] in ENDED:
                watched.ended.setdefault(task, time.monotonic())
            else:
                watched.ended.pop(task, None)  # begun again, perhaps on another node

    def _collect(self, watched: Watched, recall: Callable[[Work], None], board: Board, progress: Progress) -> None:
        """Reads what the ended tasks have left."""
        for task, ended in watched.ended.items():
            for work in list(watched.works.get(task, [])):
                recall(work)
                if work.ahead and self._array.fault(work.key).is_file():
                    work.fault = self._array.fault(work.key).read_text(encoding="utf-8")
                elif work.ahead and time.monotonic() - ended > SHARED_FILES_SECONDS:
                    state = watched.states.get(task)
                    said = f" as {state}" if state in ENDED else ""
                    work.fault = (
                        f"task {task} of the Slurm job {watched.job} ended{said} without a result; "
                        f"what it printed: {self._array.output(task)}"
                    )
                if not work.ahead:
                    watched.works[task].remove(work)
                for kind in sorted(board.note(work)):
                    progress.ended(kind, work.name, _tally(board, watched))


def _row(work: Work) -> Row:
    submission = work.submission
    return Row(work.key, submission.student, submission.lab.id, str(submission.folder.absolute()))


def _tally(board: Board, watched: Watched) -> Tally:
    """The time left is told from the tasks that have ended: how many run at once is the cluster's affair."""
    ended = watched.tasks_at_first - watched.tasks_left
    seconds = (time.monotonic() - watched.began) / ended * watched.tasks_left if ended else None
    states = list(watched.states.values())
    words = f"Slurm job {watched.job}: {states.count('RUNNING')} tasks run, {states.count('PENDING')} wait"
    return replace(board.tally([words]), seconds_left=seconds)


def _slurm(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    # In a session of its own, so that Ctrl-C reaches the grader alone, which then cancels the array.
    command = [program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=dict(os.environ), start_new_session=True)
