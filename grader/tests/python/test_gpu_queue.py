"""The course's one GPU behind a shared folder: nothing is lost and nothing graded twice, whatever happens when."""

import errno
import json
import os
import stat
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from queue_students import LAB, drain, labs, put, state, writer_of
from work_counter import LINEAR, work_of

from staff.gpu_queue.bounds import Bounds
from staff.gpu_queue.server import Server, Verdict
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.gpu_queue.client import follow, hand_in, in_words, read_verdict
from tmagrade.gpu_queue.places import MOST_BYTES, Places, Ticket


@dataclass
class FakeGpu:
    """Gives whoever is graded 97.5 points, and may be told to go wrong."""

    graded: list[str] = field(default_factory=list)
    before: Callable[[str], None] = lambda student: None
    fraction: float = 0.95

    def grade(self, archive: Path, lab: str, student: str) -> Verdict:
        self.before(student)
        self.graded.append(archive.read_text())
        return Verdict(f"# Feedback for {student}", 97.5, 100, "4047 GB/s", self.fraction)


class Killed(BaseException):
    """What a kill leaves is what an exception leaves that nothing catches."""


@pytest.fixture
def places(tmp_path: Path) -> Places:
    places = Places(tmp_path / "queue")
    places.make()
    return places


@pytest.fixture
def gpu() -> FakeGpu:
    return FakeGpu()


@pytest.fixture
def server(places: Places, gpu: FakeGpu) -> Server:
    return Server(places, gpu.grade, labs, owner=writer_of)


def test_a_verdict_comes_back(places: Places, server: Server) -> None:
    ticket = put(places, "ada")
    drain(server)
    assert read_verdict(places.verdict(ticket)) == {
        "state": "done",
        "text": "# Feedback for ada",
        "score": 97.5,
        "max": 100,
        "left": "left: 5 of 6 hand-ins an hour, 29 of 30 and 32.0 of 32 MiB a day",
    }


def test_the_place_in_line_is_said(places: Places, server: Server) -> None:
    tickets = [put(places, student) for student in ("ada", "ben", "cy")]
    server.step()
    server.accept()
    said = [in_words(read_verdict(places.verdict(ticket))) for ticket in tickets]
    assert said == ["graded", "number 2 in line", "number 3 in line"]
    server.step()
    assert in_words(read_verdict(places.verdict(tickets[2]))) == "number 2 in line"


def test_who_comes_first_is_graded_first_whatever_the_files_say(places: Places, server: Server, gpu: FakeGpu) -> None:
    for number, student in enumerate(("cy", "ben", "ada")):
        path = places.incoming / put(places, student).name
        os.utime(path, (100 - number, 100 - number))
        probe = places.root / "probe"
        probe.touch()
        while probe.stat().st_ctime_ns <= path.stat().st_ctime_ns:  # a file system's clock goes in steps
            probe.touch()
    drain(server)
    assert [text.split()[0] for text in gpu.graded] == ["cy", "ben", "ada"]


def test_fifty_students_at_once(places: Places, server: Server, gpu: FakeGpu) -> None:
    students = [f"s{number:02}" for number in range(50)]
    tickets: dict[str, Ticket] = {}

    def student_hands_in(name: str) -> None:
        tickets[name] = put(places, name)

    threads = [threading.Thread(target=student_hands_in, args=(name,)) for name in students]
    for thread in threads:
        thread.start()
        server.step()
    for thread in threads:
        thread.join()
    drain(server)
    assert Counter(text.strip() for text in gpu.graded) == Counter(students)
    assert {state(places, ticket) for ticket in tickets.values()} == {"done"}
    assert not [*places.waiting.glob("*.zip"), *places.running.iterdir(), *places.incoming.iterdir()]


@pytest.mark.parametrize("moment", ["while it grades", "before the verdict", "after the verdict", "as it accepts"])
def test_a_server_that_is_killed_loses_nothing_and_grades_nothing_twice(
    places: Places, server: Server, gpu: FakeGpu, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    def kill(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        if moment == "while it grades":
            patch.setattr(gpu, "before", kill)
        elif moment == "before the verdict":
            patch.setattr(server.history, "add", kill)
        elif moment == "after the verdict":
            patch.setattr(Path, "unlink", kill)
        else:
            patch.setattr(server.history, "accept", kill)
        tickets = [put(places, student) for student in ("ada", "ben")]
        with pytest.raises(Killed):
            drain(server)
    again = Server(places, gpu.grade, labs, owner=writer_of)
    with again.alone():
        drain(again)
    assert [state(places, ticket) for ticket in tickets] == ["done", "done"]
    if moment != "before the verdict":  # of which nobody knows that it was graded
        assert sorted(text.strip() for text in gpu.graded) == ["ada", "ben"]
    assert {entry.student for entry in again.history.all()} == {"ada", "ben"}
    assert not [*places.running.iterdir(), *places.incoming.iterdir()]


def test_what_was_running_keeps_its_place(places: Places, server: Server, gpu: FakeGpu) -> None:
    def kill(student: str) -> None:
        raise Killed

    gpu.before = kill
    for student in ("ada", "ben"):
        put(places, student)
    server.accept()
    with pytest.raises(Killed):
        server.step()
    gpu.before = lambda student: None
    with server.alone():
        drain(server)
    assert [text.strip() for text in gpu.graded] == ["ada", "ben"]


def test_a_gpu_that_fails_for_a_moment_costs_nobody_a_verdict(places: Places, server: Server, gpu: FakeGpu) -> None:
    failures = [1, 2]

    def fail(student: str) -> None:
        if failures:
            failures.pop()
            raise GraderFault("the GPU has fallen off the bus")

    gpu.before = fail
    ticket = put(places, "ada")
    drain(server)
    assert state(places, ticket) == "done"


def test_what_always_fails_stands_in_nobodys_way(places: Places, server: Server, gpu: FakeGpu) -> None:
    def fail(student: str) -> None:
        if student == "ada":
            raise GraderFault("of /srv/secret")

    gpu.before = fail
    first, second = put(places, "ada"), put(places, "ben")
    drain(server)
    assert (state(places, first), state(places, second)) == ("failed", "done")
    assert "secret" not in json.dumps(read_verdict(places.verdict(first)))
    # It costs the student none of the hour's turns.
    assert Bounds(an_hour=1).refusal(server.history.of("ada"), 0, server.clock()) is None


def test_a_student_has_so_many_turns_an_hour(places: Places, gpu: FakeGpu) -> None:
    now = [1000.0]
    server = Server(places, gpu.grade, labs, bounds=Bounds(an_hour=2), owner=writer_of, clock=lambda: now[0])
    tickets = []
    for _ in range(3):
        tickets.append(put(places, "ada"))
        drain(server)
    other = put(places, "ben")
    drain(server)
    assert [state(places, one) for one in (*tickets, other)] == ["done", "done", "refused", "done"]
    assert "2 hand-ins an hour; the next one may come at" in read_verdict(places.verdict(tickets[2]))["text"]
    now[0] += 3601
    later = put(places, "ada")
    drain(server)
    assert state(places, later) == "done"


def test_a_newer_hand_in_takes_the_place_of_one_that_waits(places: Places, server: Server, gpu: FakeGpu) -> None:
    first = put(places, "ada", "first")
    server.accept()
    second = put(places, "ada", "second")
    other_lab = put(places, "ada", "other", lab="lab4-single-tile")
    drain(server)
    assert [state(places, one) for one in (first, second, other_lab)] == ["replaced", "done", "done"]
    assert sorted(gpu.graded) == ["ada other", "ada second"]


def test_what_is_replaced_has_cost_a_turn(places: Places, gpu: FakeGpu) -> None:
    server = Server(places, gpu.grade, labs, bounds=Bounds(an_hour=2), owner=writer_of)
    tickets = []
    for number in range(3):
        tickets.append(put(places, "ada", str(number)))
        server.accept()
    drain(server)
    assert [state(places, one) for one in tickets] == ["replaced", "done", "refused"]
    assert gpu.graded == ["ada 1"]


@pytest.mark.parametrize("an_hour", [6, 10_000])
def test_many_hand_ins_of_one_student_are_linear_work(tmp_path: Path, gpu: FakeGpu, an_hour: int) -> None:
    def work(count: int) -> int:
        places = Places(tmp_path / str(count))
        server = Server(places, gpu.grade, labs, Bounds(an_hour), owner=lambda path: "ada")
        for _ in range(count):
            put(places, "ada")
        return work_of(server.accept)

    assert work(200) < LINEAR * work(100)


def test_what_was_copied_when_the_server_was_killed_is_neither_refused_nor_graded_twice(
    places: Places, gpu: FakeGpu, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(self: Server, path: Path) -> None:
        raise Killed

    ticket = put(places, "ada")
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Server, "_remove", kill)
        Server(places, gpu.grade, labs, bounds=Bounds(an_hour=1), owner=writer_of).step()
    drain(Server(places, gpu.grade, labs, bounds=Bounds(an_hour=1), owner=writer_of))
    assert state(places, ticket) == "done" and gpu.graded == ["ada "] and not [*places.incoming.iterdir()]


def test_who_wants_to_be_on_the_board_is_there_with_the_best(places: Places, server: Server, gpu: FakeGpu) -> None:
    put(places, "ada", nickname="fast")
    drain(server)
    put(places, "ben")
    gpu.fraction = 0.99
    put(places, "cy", nickname="fast")  # ada's
    drain(server)
    board = places.board.read_text()
    assert board.count("| fast | 4047 GB/s | 0.950 |") == 1
    assert not {"ada", "ben", "cy"} & set(board.split())


def test_students_list_nothing_and_write_only_what_comes_in(places: Places) -> None:
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (places.incoming, places.waiting, places.running, places.verdicts, places.history)
    }
    assert modes == {"incoming": 0o1733, "waiting": 0o700, "running": 0o700, "verdicts": 0o711, "history": 0o700}


@pytest.mark.parametrize("kind", ["link", "second name", "large"])
def test_what_is_no_file_of_its_own_is_refused(places: Places, server: Server, tmp_path: Path, kind: str) -> None:
    ticket = Ticket.new(LAB, "")
    path, other = places.incoming / ticket.name, tmp_path / "another's"
    other.write_text("ben secret")
    if kind == "link":
        path.symlink_to(other)
    elif kind == "second name":
        os.link(other, path)
    else:
        path.write_bytes(b"ada" + bytes(MOST_BYTES))
    server.owner = lambda path: "ada"
    drain(server)
    assert state(places, ticket) == "refused"
    assert other.read_text() == "ben secret" and not path.exists()


@pytest.mark.parametrize("what", ["nothing", "a folder", "a link", "a link to nothing", "a pipe", "what is large"])
def test_what_takes_a_files_place_between_two_looks_of_the_server_harms_nobody(
    places: Places, server: Server, gpu: FakeGpu, tmp_path: Path, what: str
) -> None:
    others = tmp_path / "another's"
    others.write_text("ben secret")

    def owner(path: Path) -> str:
        if path.name != taken.name:
            return "ben"
        path.unlink()
        if what == "a folder":
            (path / "in it").mkdir(parents=True)
        elif what == "a link":
            path.symlink_to(others)
        elif what == "a link to nothing":
            path.symlink_to(tmp_path / "nothing")
        elif what == "a pipe":
            os.mkfifo(path)
        elif what == "what is large":
            path.write_bytes(bytes(MOST_BYTES + 1))
        return "ada"

    server.owner = owner
    taken, behind = put(places, "ada"), put(places, "ben")
    drain(server)
    assert state(places, taken) == ("None" if what == "nothing" else "refused")
    with server.alone():  # as at the next start
        drain(server)
    assert gpu.graded == ["ben "] and state(places, behind) == "done"
    assert [path.is_dir() for path in places.incoming.iterdir()] == [True] * (what == "a folder")


def test_what_is_accepted_is_graded_as_it_was(places: Places, server: Server, gpu: FakeGpu) -> None:
    path = places.incoming / put(places, "ada", "first").name
    with path.open("r+") as still_open:
        server.accept()
        still_open.write("eve later")
    drain(server)
    assert gpu.graded == ["ada first"]


def test_a_file_that_cannot_be_read_is_its_students(
    places: Places, server: Server, gpu: FakeGpu, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked, behind = put(places, "ada"), put(places, "ben")

    def read(path: Path) -> bytes:
        if path.name == locked.name:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return path.read_bytes()

    monkeypatch.setattr("staff.gpu_queue.server.read_hand_in", read)
    drain(server)
    assert read_verdict(places.verdict(locked)) == {
        "state": "refused",
        "text": "it cannot be read: Permission denied",
    }
    assert state(places, behind) == "done" and gpu.graded == ["ben "]


@pytest.mark.parametrize("lab", ["lab99-none", "lab3", "lab3-" + "a" * 212])
def test_a_lab_that_there_is_not_is_refused(places: Places, server: Server, gpu: FakeGpu, lab: str) -> None:
    (places.incoming / f"{lab}~~{'0' * 32}.zip").write_bytes(b"")
    behind = put(places, "ben")
    server.owner = lambda path: "ada"
    drain(server)
    assert read_verdict(places.verdicts / f"{'0' * 32}.json") == {
        "state": "refused",
        "text": f"there is no lab {lab} here",
    }
    assert state(places, behind) == "done" and not [*places.incoming.iterdir()]


@pytest.mark.parametrize(
    "name",
    ["lab3.zip", "lab3~~../../x.zip", f"lab3~a b~{'0' * 32}.zip", f"{'0' * 32}.unfinished"]
    + [f"{LAB}~~{'0' * 32}.zip\n", f"{LAB}~\n~{'0' * 32}.zip", f"{LAB}~\udcff~{'0' * 32}.zip", "a" * 255],
)
def test_what_is_named_otherwise_is_not_looked_at(places: Places, server: Server, name: str) -> None:
    (places.incoming / name.replace("/", "_")).write_text("ada")
    assert not server.step()


def test_only_one_server_is_at_work(places: Places, server: Server, gpu: FakeGpu) -> None:
    with server.alone(), pytest.raises(UsageError, match="another server"), Server(places, gpu.grade, labs).alone():
        pass


def test_the_client_follows_until_the_end(places: Places, server: Server) -> None:
    ticket = put(places, "ada")
    said: list[str] = []
    verdict = follow(places, ticket, said.append, sleep=lambda seconds: drain(server))
    assert said == ["handed in; the server has not seen it yet", "graded"]
    assert verdict["score"] == 97.5


def test_a_folder_that_nobody_serves_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no queue"):
        hand_in(Places(tmp_path), Ticket.new(LAB, ""), b"")


@pytest.mark.parametrize("nickname", ["a b", "../x", "a" * 21, "a~b", "|"])
def test_a_nickname_is_a_word(nickname: str) -> None:
    with pytest.raises(UsageError, match="a nickname is"):
        Ticket.new(LAB, nickname)
