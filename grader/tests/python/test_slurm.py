"""A class graded by a Slurm array, with a pretended Slurm (fake_slurm.py) whose tasks are real processes.

With SLURM=real (`make test-slurm`, as root) the same on Slurm itself: real_slurm.py.
"""

import json
import os
import platform
import re
import shlex
import signal
import stat
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from archive_maker import make_zip
from conftest import Course, Tmagrade, write_program
from real_slurm import RealSlurm

from staff.grading import slurm
from tmagrade.basics.paths import HERE
from tmagrade.gpu_queue.client import hand_in, read_verdict
from tmagrade.gpu_queue.places import Places, Ticket
from tmagrade.machine.backend import Gpu

FAKE = Path(__file__).with_name("fake_slurm.py")
REAL = os.environ.get("SLURM") == "real"

# The command line of a course that stands elsewhere than this repository.
COMMAND = """
    import sys
    from pathlib import Path
    sys.path[:0] = [{grader!r}, {tests!r}]
    sys.modules.pop("tmagrade", None)  # what Python took this file's own folder for
    from commands import put_in_commands
    from tmagrade.basics.paths import Repository
    from staff.commands import cli
    from staff.grading import slurm
    from tmagrade.machine import backend
    from tmagrade.machine.backend import Gpu
    from tmagrade.machine.toolkit import Toolkit
    root = Path({root!r})
    put_in_commands("HERE", Repository(root))
    put_in_commands("find_toolkit", lambda repository: Toolkit(root / "cuda"))
    backend.list_gpus = lambda: {gpus}
    vars(slurm).update({seconds})
    cli.app()
"""
# A process is started for each poll.
SECONDS = {"POLL_SECONDS": 0.3, "SHARED_FILES_SECONDS": 0.0, "CONTROLLER_SECONDS": 20}

GPUS = (Gpu(0, "NVIDIA H200", "9.0", "580"),)


class PretendedSlurm:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "bin"
        self.environment = {"PATH": f"{self.programs}:{os.environ['PATH']}"}
        for program in ("sbatch", "squeue", "scancel"):
            text = f'#!/bin/sh\nexec "{sys.executable}" -S -E "{FAKE}" "{folder}" {program} "$@"\n'
            write_program(self.programs / program, text)

    @property
    def jobs(self) -> list[int]:
        return sorted(int(path.name.split("-")[1]) for path in self.folder.glob("job-*"))

    def states(self, job: int) -> list[str]:
        return [path.read_text() for path in sorted((self.folder / f"job-{job}").glob("*.state"))]

    def given(self, job: int) -> dict[str, str]:
        said: dict[str, str] = json.loads((self.folder / f"job-{job}/given.json").read_text())
        return said

    def leave_for_a_moment(self) -> None:
        (self.folder / "away").touch()

    def cancel_all(self) -> None:
        for job in self.jobs:
            subprocess.run([self.programs / "scancel", str(job)], capture_output=True)


ON_SLURM = ["--executor", "slurm", "--seeds", "0", "--no-sandbox"]


class Cluster:
    """A course on a cluster: what its command prints and what Slurm saw."""

    def __init__(
        self, course: Course, there: PretendedSlurm | RealSlurm, tmagrade: Tmagrade, patch: pytest.MonkeyPatch
    ) -> None:
        self.course = course
        self.slurm = there
        self.tmagrade = tmagrade
        for name, value in there.environment.items():
            patch.setenv(name, value)
        for name, seconds in SECONDS.items():
            patch.setattr(slurm, name, seconds)
        self.main = course.repository.root / "grader/tmagrade/__main__.py"
        self.put_command(gpus=())

    def put_command(self, gpus: tuple[Gpu, ...]) -> None:
        """Writes the course's own `python -m tmagrade`, which the array's tasks run too."""
        self.main.parent.mkdir(exist_ok=True)
        places = {"root": self.course.repository.root, "grader": HERE.grader, "tests": Path(__file__).parent}
        text = COMMAND.format(**{name: str(place) for name, place in places.items()}, gpus=gpus, seconds=SECONDS)
        self.main.write_text(textwrap.dedent(text))
        self.main.with_name("__init__.py").touch()

    @property
    def grades_it(self) -> list[str]:
        return ["grade", "--submissions", str(self.course.handed_in), "--output", str(self.course.repository.grades)]

    def start(self) -> "subprocess.Popen[str]":
        return self.run(*self.grades_it)

    def run(self, *words: str) -> "subprocess.Popen[str]":
        command = [sys.executable, str(self.main), *words, *ON_SLURM]
        environment = {**os.environ, "COLUMNS": "300"}
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command,
            env=environment,
            stdout=pipe,
            stderr=subprocess.STDOUT,
            text=True,
            # A shell starts what it puts in the background deaf to Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def grade(self, *more: str) -> tuple[int, str]:
        """In this process: another one would first have to import the grader."""
        return self.tmagrade(*self.grades_it, *more, *ON_SLURM)

    @property
    def jobs(self) -> list[int]:
        return self.slurm.jobs

    def states(self, job: int) -> list[str]:
        return self.slurm.states(job)

    def score(self, student: str) -> float:
        grades = json.loads((self.course.repository.grades / "grades.json").read_text())
        labs = next(row["labs"] for row in grades["students"] if row["id"] == student)
        return float(sum(lab["score"] for lab in labs))


@pytest.fixture(scope="module")
def real_slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealSlurm | None]:
    if not REAL:
        yield None
        return
    with RealSlurm.started(tmp_path_factory.mktemp("slurm")) as slurm:
        yield slurm


@pytest.fixture
def cluster(
    course: Course, real_slurm: RealSlurm | None, tmagrade: Tmagrade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Cluster]:
    if real_slurm is not None:
        real_slurm.forget()
    made = Cluster(course, real_slurm or PretendedSlurm(tmp_path / "slurm"), tmagrade, monkeypatch)
    yield made
    made.slurm.cancel_all()


def wait_until(what: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def test_a_class_is_one_array_with_a_task_a_submission(cluster: Cluster) -> None:
    cluster.course.submit("ada", "")
    cluster.course.submit("ben", "pipeline any fail")
    status, printed = cluster.grade()
    assert status == 0, printed
    assert [cluster.states(job) for job in cluster.jobs] == [["COMPLETED", "COMPLETED"]]
    assert (cluster.score("ada"), cluster.score("ben")) == (75, 25)


def test_who_handed_in_is_for_the_owner_and_group_alone(cluster: Cluster) -> None:
    cluster.course.submit("ada", "")
    assert cluster.grade()[0] == 0
    assert stat.S_IMODE((cluster.course.repository.state / "slurm").stat().st_mode) == 0o750


def test_what_is_graded_already_goes_to_no_task(cluster: Cluster) -> None:
    cluster.course.submit("ada", "")
    assert cluster.grade()[0] == 0
    cluster.course.submit("ben", "pipeline any fail")
    assert cluster.grade()[0] == 0
    assert cluster.grade()[0] == 0
    assert [len(cluster.states(job)) for job in cluster.jobs] == [1, 1]


def test_options_for_sbatch_are_handed_on(cluster: Cluster) -> None:
    cluster.course.submit("ada", "")
    cluster.grade("--slurm", "--partition=gpu --gres=gpu:1 --comment='two words'")
    given = cluster.slurm.given(cluster.jobs[0])
    assert (given["partition"], given["gres"], given["comment"]) == ("gpu", "gpu:1", "two words")


def test_a_job_that_sbatch_refuses_is_a_usage_error_in_sbatchs_words(cluster: Cluster) -> None:
    cluster.course.submit("ada", "")
    status, printed = cluster.grade("--slurm", "--partition=nope")
    assert status == 2
    assert "tmagrade: sbatch refused the job: sbatch: error: invalid partition specified: nope" in printed


def test_options_that_are_no_words_are_a_usage_error(cluster: Cluster) -> None:
    cluster.course.submit("ada", "")
    status, printed = cluster.grade("--slurm", "--comment='two words")
    assert status == 2
    assert printed.endswith("tmagrade: --slurm --comment='two words: No closing quotation\n")


def test_a_student_whose_folder_is_no_text_is_graded_as_everybody(cluster: Cluster) -> None:
    cluster.course.submit("ada", "")
    cluster.course.submit("eve\udcff", "judge dies")
    status, printed = cluster.grade()
    assert status == 3
    assert f"grader fault: eve_/lab3-bulk-copy: on {platform.node()}: the judge failed with status 3" in printed
    assert (cluster.score("ada"), cluster.score("eve_")) == (75, 0)


def test_the_node_says_which_gpu_it_has(cluster: Cluster) -> None:
    cluster.put_command(GPUS)
    cluster.course.submit("ada", "")
    status, printed = cluster.grade("--backend", "gpu")
    assert status == 0, printed
    assert cluster.score("ada") == 75 + 22.5
    assert any(" gpu " in call for call in cluster.course.calls)
    assert cluster.grade("--backend", "gpu")[0] == 0
    assert cluster.course.calls == []


def test_a_task_that_died_is_the_graders_fault_and_is_done_again_by_the_next_run(cluster: Cluster) -> None:
    cluster.course.submit("ada", "")
    cluster.course.submit("ben", "kills its task once")
    status, printed = cluster.grade()
    assert status == 3
    [job] = cluster.jobs
    assert f"ben/lab3-bulk-copy: task 1 of the Slurm job {job} ended as FAILED without a result" in printed
    assert cluster.score("ada") == 75
    assert cluster.grade()[0] == 0
    assert cluster.score("ben") == 75
    assert [len(cluster.states(job)) for job in cluster.jobs] == [2, 1]


def test_a_fault_within_a_task_keeps_its_words_and_names_the_node(cluster: Cluster) -> None:
    cluster.course.submit("ada", "judge dies")
    status, printed = cluster.grade()
    assert status == 3
    assert f"grader fault: ada/lab3-bulk-copy: on {platform.node()}: the judge failed with status 3 (late)" in printed
    assert "the judge's last words" in printed


def test_nodes_that_cannot_link_grade_nobody_until_they_are_mended(cluster: Cluster) -> None:
    cluster.course.submit("ada", "")
    cluster.course.submit("ben", "pipeline any fail")
    linker_is_broken = cluster.course.repository.root / "linker is broken"
    linker_is_broken.touch()
    status, printed = cluster.grade()
    assert status == 3
    assert f"grader fault: ada, ben/lab3-bulk-copy: on {platform.node()}: this machine does not build" in printed
    assert "the linker does not link" in printed
    linker_is_broken.unlink()
    assert cluster.grade()[0] == 0
    assert (cluster.score("ada"), cluster.score("ben")) == (75, 25)


def test_a_node_whose_linker_breaks_costs_only_the_next_run(cluster: Cluster) -> None:
    cluster.course.submit("ada", "breaks the linker")
    status, printed = cluster.grade()
    assert status == 3
    assert "the linker does not link" in printed
    (cluster.course.repository.root / "linker is broken").unlink()
    cluster.course.submit("ada", "")
    assert cluster.grade()[0] == 0
    assert cluster.score("ada") == 75


def test_ctrl_c_cancels_the_array(cluster: Cluster) -> None:
    cluster.course.submit("ada", "judge hangs")
    process = cluster.start()
    wait_until(lambda: cluster.jobs and "RUNNING" in cluster.states(cluster.jobs[0]))
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert cluster.states(cluster.jobs[0]) == ["CANCELLED"]


def test_a_killed_grader_finds_its_array_again(cluster: Cluster) -> None:
    cluster.course.submit("ada", "the judge waits for a file")
    process = cluster.start()
    wait_until(lambda: cluster.jobs and "RUNNING" in cluster.states(cluster.jobs[0]))
    process.kill()
    process.wait()
    again = cluster.start()
    (cluster.course.repository.root / "go").touch()
    assert again.wait(timeout=60) == 0
    assert len(cluster.jobs) == 1
    assert cluster.score("ada") == 75


def test_an_array_that_does_something_else_than_is_wanted_now_is_canceled(cluster: Cluster) -> None:
    cluster.course.submit("ada", "the judge waits for a file")
    process = cluster.start()
    wait_until(lambda: cluster.jobs and "RUNNING" in cluster.states(cluster.jobs[0]))
    process.kill()
    process.wait()
    cluster.course.submit("ben", "")
    again = cluster.start()
    wait_until(lambda: len(cluster.jobs) == 2)
    (cluster.course.repository.root / "go").touch()
    assert again.wait(timeout=120) == 0
    assert cluster.states(cluster.jobs[0]) == ["CANCELLED"]
    assert [len(cluster.states(job)) for job in cluster.jobs] == [1, 2]


def test_a_controller_that_is_away_for_a_moment_loses_nothing(cluster: Cluster) -> None:
    cluster.course.submit("ada", "the judge waits for a file")
    process = cluster.start()
    wait_until(lambda: cluster.jobs and "RUNNING" in cluster.states(cluster.jobs[0]))
    cluster.slurm.leave_for_a_moment()
    (cluster.course.repository.root / "go").touch()
    assert process.wait(timeout=120) == 0
    assert cluster.score("ada") == 75


def test_a_job_that_slurm_has_forgotten_has_ended_and_is_asked_for_again(
    course: Course, tmagrade: Tmagrade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The real one takes minutes to forget.
    cluster = Cluster(course, PretendedSlurm(tmp_path / "slurm"), tmagrade, monkeypatch)
    cluster.course.submit("ada", "")
    forgetful = tmp_path / "slurm/forgetful"
    forgetful.touch()
    # What it has not recorded by then is a fault.
    assert cluster.grade()[0] == 3
    forgetful.unlink()
    assert cluster.grade()[0] == 0
    assert cluster.score("ada") == 75


def test_without_slurm_the_executor_is_refused(course: Course) -> None:
    from tmagrade.basics.errors import UsageError

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", "/nowhere")
        with pytest.raises(UsageError, match="needs Slurm's sbatch, squeue, scancel"):
            slurm.Slurm(course.repository, "", [])


# The queue's server in front of Slurm


@pytest.fixture
def queue(cluster: Cluster) -> Places:
    places = Places(cluster.course.repository.root / "queue")
    places.make()
    return places


def serve(cluster: Cluster, queue: Places, *more: str) -> str:
    process = cluster.run("serve", "--queue", str(queue.root), "--once", *more)
    printed, _ = process.communicate(timeout=120)
    assert process.returncode == 0, printed
    return printed


def submitted(queue: Places, folder: Path, text: str) -> Ticket:
    ticket = Ticket.new("lab3-bulk-copy", "")
    hand_in(queue, ticket, make_zip(folder / "lab3.zip", {"lab3.cu": text}).read_bytes())
    return ticket


def test_what_is_submitted_is_graded_by_the_cluster(cluster: Cluster, queue: Places, tmp_path: Path) -> None:
    ticket = submitted(queue, tmp_path, "pipeline any fail")
    serve(cluster, queue)
    assert [cluster.states(job) for job in cluster.jobs] == [["COMPLETED"]]
    verdict = read_verdict(queue.verdict(ticket))
    assert (verdict["state"], verdict["score"], verdict["max"]) == ("done", 25, 100)


def test_bandwidth_is_measured_by_the_cluster_for_the_queue(cluster: Cluster, queue: Places, tmp_path: Path) -> None:
    cluster.put_command(gpus=GPUS)
    ticket = submitted(queue, tmp_path, "// right")
    serve(cluster, queue, "--backend", "gpu")
    assert read_verdict(queue.verdict(ticket))["score"] == 97.5


def test_the_page_types_what_there_is(cluster: Cluster, queue: Places, tmp_path: Path) -> None:
    page = (HERE.root / "handout/instructors.md").read_text()
    [command] = re.findall(r"^\.venv/bin/tmagrade (serve .*slurm.*)$", page, re.MULTILINE)
    cluster.put_command(gpus=GPUS)
    ticket = submitted(queue, tmp_path, "// right")
    process = cluster.run(*shlex.split(command.replace("/srv/tma-queue", shlex.quote(str(queue.root)))), "--once")
    assert process.wait(timeout=120) == 0
    assert read_verdict(queue.verdict(ticket))["score"] == 97.5


def test_a_job_that_fails_on_the_cluster_costs_nobody_points(cluster: Cluster, queue: Places, tmp_path: Path) -> None:
    ticket = submitted(queue, tmp_path, "judge dies")
    serve(cluster, queue)
    assert read_verdict(queue.verdict(ticket))["state"] == "failed"
    assert not [*queue.running.iterdir(), *queue.waiting.glob("[0-9]*")]
