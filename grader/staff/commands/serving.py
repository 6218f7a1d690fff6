"""The work of `serve`; serve_command.py, which says how it is typed, starts without it."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from staff.gpu_queue.bounds import Bounds
from staff.gpu_queue.server import Grade, Server, Verdict
from staff.grading.start import grading_on_slurm, sandbox_for_others
from staff.platforms.find import Layout, find_submissions
from tmagrade.basics.cache import NO_ROOM
from tmagrade.basics.errors import CannotRecord, GraderFault, UsageError, cannot_read
from tmagrade.basics.moment import now
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, only_one, out
from tmagrade.commands.display import progress_for
from tmagrade.commands.start_grading import local_grading, result_of
from tmagrade.course.labs import Lab, load_labs
from tmagrade.gpu_queue.places import Places
from tmagrade.grading.grading import Grading, Job
from tmagrade.grading.progress import Progress
from tmagrade.machine.backend import Backend, choose_backend
from tmagrade.machine.scratch import scratch_folder
from tmagrade.outputs.feedback import feedback_text
from tmagrade.outputs.grades import Facts, Student
from tmagrade.submissions.submission import Submission

POLL_SECONDS = 0.5
STOPPED = (
    "It was stopped after {:g} minutes, the most that one hand-in may take here. Something in it does not end, such as "
    "a wait for what nobody announces: `make` in the lab's folder says in which part."
)


@dataclass(frozen=True)
class Served:
    """Who does the work, and how."""

    backend: Backend | None
    seeds: int
    jobs: int | None
    no_sandbox: bool
    slurm: str | None  # options for sbatch, where a cluster does the work
    most_seconds: float  # that one hand-in may take on this machine


def serve_queue(folder: Path, bounds: Bounds, served: Served, once: bool) -> None:
    """Its records are its own, so that a class can be graded in the same repository meanwhile."""
    os.environ.setdefault("TMAGRADE_STATE", str(HERE.build / "serve"))
    sandbox = sandbox_for_others(served.no_sandbox)
    # This machine, which only waits for a cluster, may lack what the cluster's nodes have.
    chosen = choose_backend(served.backend) if served.slurm is None else served.backend or Backend.EMULATOR

    def grading(progress: Progress) -> Grading:
        if served.slurm is not None:
            return grading_on_slurm(chosen, served.seeds, sandbox, served.slurm, progress)
        return local_grading(chosen, served.seeds, served.jobs, sandbox, progress)

    grade = grade_with(grading, served.most_seconds)
    server = Server(
        Places(folder.absolute()), grade, lab_names, bounds, say=lambda line: print_line(out, _with_time(line))
    )
    with only_one(), server.alone():
        print_line(out, _with_time(f"serving {folder} ({chosen.value} backend); Ctrl-C ends it"))
        while True:
            if not server.step():
                if once:
                    return
                time.sleep(POLL_SECONDS)


def lab_names() -> list[str]:
    return [lab.id for lab in load_labs(HERE.labs)]


def _with_time(line: str) -> str:
    return f"{datetime.now():%H:%M:%S}  {line}"


def grade_with(grading_for: Callable[[Progress], Grading], most_seconds: float) -> Grade:
    """As a class is graded: the same archives are refused, in the same sandbox, by the same judge."""

    def grade(archive: Path, lab_id: str, student: str) -> Verdict:
        known = load_labs(HERE.labs)
        lab = next((one for one in known if one.id == lab_id), None)
        if lab is None:
            raise GraderFault(f"there is no lab {lab_id} any more")
        try:
            HERE.work.mkdir(parents=True, exist_ok=True)
            with scratch_folder(HERE.work) as folder:
                return _graded(archive, lab, known, folder, student)
        except OSError as error:
            raise (CannotRecord if error.errno in NO_ROOM else GraderFault)(cannot_read(error)) from error

    def _graded(archive: Path, lab: Lab, known: list[Lab], folder: Path, student: str) -> Verdict:
        handed_in = folder / "class"
        handed_in.mkdir()
        shutil.copyfile(archive, handed_in / "student.zip")
        try:
            found = find_submissions(handed_in, known, [lab], folder / "unpacked", Layout.PLAIN)
        except UsageError:
            return Verdict(f"the archive holds nothing of {lab.id}", 0, lab.points.total)
        with progress_for(err, own=True) as progress:
            grading = grading_for(progress)
            started = now()
            jobs = _run_within(most_seconds, grading, found.submissions[:1])
        if jobs is None:
            return Verdict(STOPPED.format(most_seconds / 60), 0, lab.points.total)
        [job] = jobs
        result = result_of(job)
        if result.fault is not None:
            raise GraderFault(result.fault)
        facts = Facts(grading.backend.value, grading.toolkit.version, grading.digest, started, started)
        text = feedback_text(Student(student, (result,)), facts)
        counts = any(part.id == "bandwidth" and part.verdict == "pass" for part in result.parts)
        measured = result.measured
        if measured is None or measured.gb_per_s is None or lab.bandwidth is None or not counts:
            return Verdict(text, result.score, result.max)
        return Verdict(text, result.score, result.max, lab.bandwidth.figure(measured.gb_per_s), measured.fraction)

    return grade


def _run_within(most_seconds: float, grading: Grading, submissions: Sequence[Submission]) -> list[Job] | None:
    """None where it was stopped, since it would hold the queue for longer than one may."""
    is_over = threading.Event()

    def end() -> None:
        is_over.set()
        grading.processes.stop()

    timer = threading.Timer(most_seconds, end)
    timer.daemon = True
    timer.start()
    try:
        return grading.run(submissions, own=True)
    except KeyboardInterrupt:
        if not is_over.is_set():
            raise
        return None
    finally:
        timer.cancel()
