"""`tmagrade serve` and `tmagrade submit`: what students submit is graded as a class is, and is in no grades."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from archive_maker import make_zip
from conftest import Course, Tmagrade

from tmagrade.basics.paths import HERE
from tmagrade.gpu_queue.client import hand_in, read_verdict
from tmagrade.gpu_queue.places import Places, Ticket
from tmagrade.machine import backend
from tmagrade.machine.backend import Gpu

sys.path.append(str(HERE.grader / "tests/attacks"))
import crafted

PAGE = (HERE.root / "handout/instructors.md").read_text().split("\n## The course's one GPU\n")[1].split("\n## ")[0]
LAB = "lab3-bulk-copy"


@pytest.fixture
def queue(course: Course, monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.setenv("TMAGRADE_STATE", str(course.repository.build / "serve"))
    places = Places(course.repository.root / "queue")
    places.make()
    return places


def serve(tmagrade: Tmagrade, queue: Places, *more: object) -> str:
    status, printed = tmagrade("serve", "--queue", queue.root, "--once", *more)
    assert status == 0, printed
    return printed


def submit(tmagrade: Tmagrade, queue: Places, folder: Path, *more: object) -> str:
    status, printed = tmagrade("submit", folder, "--queue", queue.root, "--no-wait", *more)
    assert status == 0, printed
    return printed


def verdict_on(queue: Places) -> dict[str, object]:
    [path] = queue.verdicts.iterdir()
    return read_verdict(path)


def test_what_is_submitted_gets_the_verdict_that_the_course_would_give(
    course: Course, queue: Places, tmagrade: Tmagrade
) -> None:
    submit(tmagrade, queue, course.submit("ada", "pipeline any fail").folder)
    serve(tmagrade, queue)
    verdict = verdict_on(queue)
    assert (verdict["state"], verdict["score"], verdict["max"]) == ("done", 25, 100)
    assert "| `pipeline` | A pipeline | fail | 0 of 40 |" in str(verdict["text"])
    assert not course.repository.root.joinpath("build/grades").exists()


def test_bandwidth_is_measured_and_the_board_says_so(
    course: Course, queue: Places, tmagrade: Tmagrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend, "list_gpus", lambda: (Gpu(0, "NVIDIA H100", "9.0", "580"),))
    submit(tmagrade, queue, course.submit("ada", "// right").folder, "--nickname", "fast")
    assert "(gpu backend)" in serve(tmagrade, queue)
    assert verdict_on(queue)["score"] == 97.5
    assert "| fast | 4047 GB/s | 0.950 |" in queue.board.read_text()


def test_the_client_says_what_came_of_it(course: Course, queue: Places, tmagrade: Tmagrade) -> None:
    submit(tmagrade, queue, course.submit("ada", "// right").folder)
    assert "the server has not seen it yet" in tmagrade("submit", "--queue", queue.root, "--history")[1]
    serve(tmagrade, queue)
    assert f"{LAB}  graded: 75 of 100" in tmagrade("submit", "--queue", queue.root, "--history")[1]
    assert f"{LAB}  graded: 75 of 100" in tmagrade("submit", "--history")[1]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"lab3.txt": "// no source"}, "hand that in"),
        ({"../../../escaped.cu": "// out"}, "escaped.cu"),
        ({"lab4-single-tile/lab4.cu": ""}, "holds nothing of"),
    ],
)
def test_an_archive_of_another_kind_harms_nobody(
    course: Course, queue: Places, tmagrade: Tmagrade, tmp_path: Path, files: dict[str, str], words: str
) -> None:
    hand_in(queue, Ticket.new(LAB, ""), make_zip(tmp_path / "made.zip", files).read_bytes())
    serve(tmagrade, queue)
    verdict = verdict_on(queue)
    assert (verdict["state"], verdict["score"]) == ("done", 0), verdict
    assert words in str(verdict["text"])
    assert not list(tmp_path.rglob("escaped.cu"))


def test_a_lab_that_the_server_does_not_know_is_said(queue: Places, tmagrade: Tmagrade) -> None:
    hand_in(queue, Ticket.new("lab99-none", ""), b"")
    serve(tmagrade, queue)
    assert verdict_on(queue) == {"state": "refused", "text": "there is no lab lab99-none here"}


def test_a_judge_that_dies_costs_nobody_points(course: Course, queue: Places, tmagrade: Tmagrade) -> None:
    submit(tmagrade, queue, course.submit("ada", "judge dies").folder)
    printed = serve(tmagrade, queue)
    verdict = verdict_on(queue)
    assert verdict["state"] == "failed" and "last words" not in str(verdict)
    assert "the judge's last words" in printed


def test_what_does_not_end_is_stopped_and_said(course: Course, queue: Places, tmagrade: Tmagrade) -> None:
    submit(tmagrade, queue, course.submit("ada", "judge hangs").folder)
    serve(tmagrade, queue, "--minutes", "0.05")
    verdict = verdict_on(queue)
    assert (verdict["state"], verdict["score"], verdict["max"]) == ("done", 0, 100)
    assert "stopped after 0.05 minutes" in str(verdict["text"])


def test_a_folder_without_sources_is_not_submitted(queue: Places, tmagrade: Tmagrade, tmp_path: Path) -> None:
    (tmp_path / LAB).mkdir()
    status, printed = tmagrade("submit", tmp_path / LAB, "--queue", queue.root)
    assert (status, "has no .cu file to hand in" in printed) == (2, True)


def test_the_page_types_what_there_is(course: Course, queue: Places, tmagrade: Tmagrade) -> None:
    lines = [line for line in PAGE.splitlines() if "/srv/tma-queue" in line and "tmagrade" in line]
    [on_the_server, at_home] = [line for line in lines if "slurm" not in line]  # test_slurm.py types that
    for command in (at_home, on_the_server):
        _, *words = shlex.split(command.replace("/srv/tma-queue", shlex.quote(str(queue.root))))
        more = ["--once"] if words[0] == "serve" else ["--no-wait"]
        folder = course.submit("ada", "").folder
        words = [str(folder) if word == "labs/lab3-bulk-copy" else word for word in words]
        assert tmagrade(*words, *more)[0] == 0
    assert verdict_on(queue)["state"] == "done"


# Archives that the attacks of grader/tests/attacks make for a class, handed in through the queue.
ARCHIVES = [name for name in crafted.CRAFTED if re.match("zips|tars|hands-in-noise", name)]


@pytest.mark.parametrize("attack", ARCHIVES)
def test_a_hostile_archive_gains_nothing_and_harms_nobody_behind_it(
    course: Course, queue: Places, tmagrade: Tmagrade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: str
) -> None:
    monkeypatch.setattr(crafted, "LAB", LAB)
    monkeypatch.setattr(crafted, "SOURCE", "lab3.cu")
    course.solve("// right: what a link in an archive leads to")
    solution = course.repository.solutions / LAB
    (solution / "solution.cu").rename(solution / "lab3.cu")
    (tmp_path / "class").mkdir()
    honest = course.submit("zoe", "// right").folder
    crafted.CRAFTED[attack](crafted.Class(tmp_path / "class", "// right", solution, honest), attack)
    [archive] = (tmp_path / "class").iterdir()
    ticket = Ticket.new(LAB, "")
    # Without our client, which refuses some of it.
    (queue.incoming / ticket.name).write_bytes(archive.read_bytes())
    serve(tmagrade, queue)
    verdict = read_verdict(queue.verdict(ticket))
    assert (verdict["state"], verdict.get("score", 0)) in (("done", 0), ("refused", 0))
    assert not Path("/tmp/tma-attack-was-here").exists()
    submit(tmagrade, queue, honest)
    serve(tmagrade, queue)
    assert 75 in [read_verdict(path).get("score") for path in queue.verdicts.iterdir()]


SERVER = """
import sys, time
from pathlib import Path
from tmagrade.gpu_queue.places import Places
from staff.gpu_queue.bounds import Bounds
from staff.gpu_queue.server import Server, Verdict

def grade(archive, lab, student):
    with open(sys.argv[2], "a") as log:
        log.write(archive.read_text() + "\\n")
    while not Path(sys.argv[3]).exists():
        time.sleep(0.01)
    return Verdict("", 1, 1)

labs = lambda: ["lab3-bulk-copy"]
server = Server(Places(Path(sys.argv[1])), grade, labs, Bounds(an_hour=99), owner=lambda path: path.read_text())
with server.alone():
    while server.step():
        pass
"""


def test_a_server_that_is_really_killed_goes_on(tmp_path: Path) -> None:
    places, log, go = Places(tmp_path / "queue"), tmp_path / "log.txt", tmp_path / "go"
    places.make()
    tickets = [Ticket.new(LAB, "") for _ in range(5)]
    for number, ticket in enumerate(tickets):
        hand_in(places, ticket, f"s{number}".encode())
    command = [sys.executable, "-c", SERVER, str(places.root), str(log), str(go)]
    environment = os.environ | {"PYTHONPATH": str(HERE.grader)}
    first = subprocess.Popen(command, env=environment)
    deadline = time.monotonic() + 60
    # The file is there a moment before what is written to it.
    while not (log.exists() and log.read_text()) and time.monotonic() < deadline:
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    first.wait()
    go.touch()
    subprocess.run(command, env=environment, check=True, timeout=60)
    assert {read_verdict(places.verdict(ticket)).get("state") for ticket in tickets} == {"done"}
    graded = log.read_text().split()
    assert sorted(set(graded)) == [f"s{number}" for number in range(5)]
    assert len(graded) == 6 and graded[0] == graded[1]  # the one that was killed, and none other, was begun twice
    assert not [*places.running.iterdir(), *places.incoming.iterdir()]
