"""The work of `serve` and `submit`; serve_commands.py, which says how they are typed, starts without it."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import typer

from tmagrade.basics.errors import GraderFault, UsageError, cannot_read
from tmagrade.basics.moment import now
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.basics.untrusted import visible
from tmagrade.commands.command_line import err, only_one, out
from tmagrade.commands.display import progress_for
from tmagrade.commands.start_grading import grading_on_slurm, local_grading, result_of, sandbox_for_others
from tmagrade.course.labs import Lab, load_labs, select_labs
from tmagrade.gpu_queue.client import follow, hand_in, in_words, read_verdict
from tmagrade.gpu_queue.places import Places, Ticket, read_hand_in
from tmagrade.gpu_queue.server import Grade, Server, Verdict
from tmagrade.grading.grading import Grading
from tmagrade.grading.progress import Progress
from tmagrade.machine.backend import Backend, choose_backend
from tmagrade.machine.scratch import scratch_folder
from tmagrade.outputs.feedback import feedback_text
from tmagrade.outputs.grades import Facts, Student
from tmagrade.submissions.find import Layout, find_submissions
from tmagrade.submissions.packing import pack_lab

POLL_SECONDS = 0.5
SUBMITTED = "submitted.txt"  # below build: the tickets of who works in this repository


@dataclass(frozen=True)
class Served:
    """Who does the work, and how."""

    backend: Backend | None
    seeds: int
    jobs: int | None
    no_sandbox: bool
    slurm: str | None  # options for sbatch, where a cluster does the work


def serve_queue(folder: Path, an_hour: int, served: Served, once: bool) -> None:
    """Its records are its own, so that a class can be graded in the same repository meanwhile."""
    os.environ.setdefault("TMAGRADE_STATE", str(HERE.build / "serve"))
    sandbox = sandbox_for_others(served.no_sandbox)
    # This machine, which only waits for a cluster, may lack what the cluster's nodes have.
    chosen = choose_backend(served.backend) if served.slurm is None else served.backend or Backend.EMULATOR

    def grading(progress: Progress) -> Grading:
        if served.slurm is not None:
            return grading_on_slurm(chosen, served.seeds, sandbox, served.slurm, progress)
        return local_grading(chosen, served.seeds, served.jobs, sandbox, progress)

    grade = grade_with(grading)
    server = Server(Places(folder.absolute()), grade, an_hour, say=lambda line: print_line(out, _with_time(line)))
    with only_one(), server.alone():
        print_line(out, _with_time(f"serving {folder} ({chosen.value} backend); Ctrl-C ends it"))
        while True:
            if not server.step():
                if once:
                    return
                time.sleep(POLL_SECONDS)


def _with_time(line: str) -> str:
    return f"{datetime.now():%H:%M:%S}  {line}"


def grade_with(grading_for: Callable[[Progress], Grading]) -> Grade:
    """As a class is graded: the same archives are refused, in the same sandbox, by the same judge."""

    def grade(archive: Path, lab_id: str, student: str) -> Verdict:
        known = load_labs(HERE.labs)
        try:
            [lab] = [one for one in known if one.id == lab_id]
        except ValueError:
            return Verdict(f"there is no lab {visible(lab_id)} here", 0, 0)
        try:
            HERE.work.mkdir(parents=True, exist_ok=True)
            with scratch_folder(HERE.work) as folder:
                return _graded(archive, lab, known, folder, student)
        except OSError as error:
            raise GraderFault(cannot_read(error)) from error

    def _graded(archive: Path, lab: Lab, known: list[Lab], folder: Path, student: str) -> Verdict:
        handed_in = folder / "class"
        handed_in.mkdir()
        try:
            content = read_hand_in(archive)
        except UsageError as why:
            return Verdict(f"what was handed in is {why}", 0, lab.points.total)
        (handed_in / "student.zip").write_bytes(content)
        try:
            found = find_submissions(handed_in, known, [lab], folder / "unpacked", Layout.PLAIN)
        except UsageError:
            return Verdict(f"the archive holds nothing of {lab.id}", 0, lab.points.total)
        with progress_for(err, own=True) as progress:
            grading = grading_for(progress)
            started = now()
            [job] = grading.run(found.submissions[:1], own=True)
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


def submit_lab(queue: Path | None, folder: Path, name: str | None, nickname: str, wait: bool) -> None:
    if queue is None:
        raise UsageError("which queue? --queue (make submit QUEUE=folder), or TMAGRADE_QUEUE, says which folder it is")
    lab = _lab_in(folder.resolve(), name)
    places, ticket = Places(queue), Ticket.new(lab.id, nickname)
    hand_in(places, ticket, pack_lab(folder, lab))
    _note(ticket, queue)
    if not wait:
        print_line(out, "handed in; tmagrade submit --history says what became of it")
        return
    verdict = follow(places, ticket, lambda words: print_line(out, words))
    print_line(out, visible(str(verdict.get("text", ""))))
    if verdict.get("state") != "done":
        raise typer.Exit(1)


def _lab_in(folder: Path, name: str | None) -> Lab:
    chosen = select_labs(load_labs(HERE.labs), name or folder.name)
    if len(chosen) != 1:
        raise UsageError("one lab at a time: " + ", ".join(lab.id for lab in chosen))
    return chosen[0]


def print_submitted(queue: Path | None) -> None:
    """What became of everything that was submitted from this repository, the newest last. Without a queue each is
    looked for in its own."""
    path = HERE.build / SUBMITTED
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for at, ticket, its_own in _tickets(lines):
        place = queue or its_own
        if place is None:
            print_line(out, f"{at}  {ticket.lab}  --queue says which folder it was handed to")
            continue
        verdict = read_verdict(Places(place).verdict(ticket))
        score = f": {verdict['score']:g} of {verdict['max']:g}" if verdict.get("state") == "done" else ""
        print_line(out, f"{at}  {ticket.lab}  {in_words(verdict)}{score}")


def _tickets(lines: list[str]) -> list[tuple[str, Ticket, Path | None]]:
    """An earlier version did not write down which queue it was."""
    parts = [[*line.split("  ", 2), "", ""][:3] for line in lines]
    noted = [(at, Ticket.of(name), Path(queue) if queue else None) for at, name, queue in parts]
    return [(at, ticket, queue) for at, ticket, queue in noted if ticket is not None]


def _note(ticket: Ticket, queue: Path) -> None:
    HERE.build.mkdir(exist_ok=True)
    with (HERE.build / SUBMITTED).open("a", encoding="utf-8") as file:
        file.write(f"{datetime.now():%Y-%m-%d %H:%M}  {ticket.name}  {queue.absolute()}\n")
