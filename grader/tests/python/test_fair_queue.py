"""Whose turn it is in the queue, how much a student may hand in, and what a full disk does."""

import errno
import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from queue_students import LABS, drain, labs, put, state, writer_of

from staff.gpu_queue.bounds import DAY_SECONDS, MIB, Bounds
from staff.gpu_queue.server import MOST_AT_ONCE, MOST_ATTEMPTS, Server, Verdict
from tmagrade.basics.errors import CannotRecord, GraderFault
from tmagrade.gpu_queue.client import read_verdict
from tmagrade.gpu_queue.places import MOST_BYTES, Places

HANGS = 600


@dataclass
class World:
    """A run takes as many seconds as its text says; `meanwhile` happens during the first one."""

    places: Places
    now: float = 1_700_000_000.0
    runs: list[tuple[str, float]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None

    def server(self, bounds: Bounds | None = None) -> Server:
        clock, bounds = (lambda: self.now), bounds or Bounds()
        return Server(
            self.places,
            self.grade,
            labs,
            bounds,
            writer_of,
            clock,
            clock,
            self.pass_by,
            lambda line: self.said.append(line),
        )

    def grade(self, archive: Path, lab: str, student: str) -> Verdict:
        seconds = float(archive.read_text().split()[1])
        self.meanwhile()
        self.meanwhile = lambda: None
        self.pass_by(seconds)
        self.runs.append((student, seconds))
        return Verdict("", 75, 100)

    def pass_by(self, seconds: float) -> None:
        self.now += seconds

    @property
    def order(self) -> list[str]:
        return [student for student, _ in self.runs]


@pytest.fixture
def world(tmp_path: Path) -> World:
    places = Places(tmp_path / "queue")
    places.make()
    return World(places)


def test_who_hangs_has_one_run_while_others_wait(world: World) -> None:
    for lab in LABS:
        put(world.places, "eve", str(HANGS), lab=lab)
    world.meanwhile = lambda: [put(world.places, student, "10") for student in ("ada", "ben")]
    drain(world.server())
    assert world.order[0] == "eve" and sorted(world.order[1:3]) == ["ada", "ben"] and world.order[3:] == ["eve", "eve"]


def test_turns_are_charged_by_seconds_and_not_by_their_number(world: World) -> None:
    server = world.server(Bounds(an_hour=1000, a_day=1000))
    while world.now < 1_700_000_000 + 7200:
        for student, seconds in (("eve", HANGS), ("ada", 60)):
            if not any(one.student == student for one in world.places.line()):
                put(world.places, student, str(seconds))
        server.step()
    used = {student: sum(seconds for who, seconds in world.runs if who == student) for student in ("ada", "eve")}
    assert abs(used["ada"] - used["eve"]) <= HANGS + 60


def test_whoever_was_away_has_saved_nothing_up(world: World) -> None:
    server = world.server()
    for _ in range(5):
        put(world.places, "ada", "100")
        drain(server)
    for lab in LABS:
        put(world.places, "ben", "110", lab=lab)
    server.accept()
    put(world.places, "ada", "100")
    drain(server)
    assert world.order[5:] == ["ben", "ada", "ben", "ben"]


def test_what_was_charged_is_known_to_the_next_server(world: World) -> None:
    put(world.places, "eve", str(HANGS))
    drain(world.server())
    put(world.places, "eve", "1")
    again = world.server()
    again.accept()
    put(world.places, "ada", "1")
    drain(again)
    assert world.order == ["eve", "ada", "eve"]


def test_what_the_grader_failed_over_is_charged_as_well(world: World) -> None:
    server = world.server()

    def grade(archive: Path, lab: str, student: str) -> Verdict:
        server.grade = world.grade
        put(world.places, "ada", "1")
        world.pass_by(HANGS)
        raise GraderFault("it breaks the judge")

    server.grade = grade
    put(world.places, "eve", "1")
    drain(server)
    assert world.order == ["ada", "eve"]


def test_the_place_in_line_is_that_of_its_turn(world: World) -> None:
    tickets = [put(world.places, "eve", str(HANGS), lab=lab) for lab in LABS]
    server = world.server()
    server.accept()
    other = put(world.places, "ada", "1")
    server.step()
    server.step()
    assert state(world.places, other) == "done"
    places = [read_verdict(world.places.verdict(one)).get("place") for one in tickets]
    assert sorted(places, key=str) == [2, 3, None]


@pytest.mark.parametrize(
    ("bounds", "size", "words"),
    [
        (Bounds(a_day=4), 10, "no more than 4 hand-ins a day"),
        (Bounds(mib_a_day=16), MOST_BYTES, "no more than 16 MiB a day"),
    ],
)
def test_a_day_has_bounds_as_well_and_it_is_said_when_the_next_may_come(
    world: World, bounds: Bounds, size: int, words: str
) -> None:
    server, first = world.server(bounds), world.now
    server.owner = lambda path: "eve"
    text = "0 ".ljust(size - len("eve "))
    for _ in range(4):
        put(world.places, "eve", text)
        drain(server)
        world.pass_by(60)
    over = put(world.places, "eve", text)
    drain(server)
    said = read_verdict(world.places.verdict(over))
    assert said["state"] == "refused"
    assert re.fullmatch(words + r"; the next one may come on 2023-11-1[56] at \d\d:\d\d", said["text"])
    world.now = first + DAY_SECONDS
    put(world.places, "eve", text)
    drain(server)
    assert len(world.runs) == 5


def test_what_is_left_is_said_with_the_verdict(world: World) -> None:
    ticket = put(world.places, "ada", "0 ".ljust(MIB // 2))
    drain(world.server())
    said = read_verdict(world.places.verdict(ticket))["left"]
    assert said == "left: 5 of 6 hand-ins an hour, 29 of 30 and 31.5 of 32 MiB a day"


def test_thousands_of_files_of_one_student_keep_nobody_waiting(world: World) -> None:
    for _ in range(2000):
        put(world.places, "eve", str(HANGS))
    other, server = put(world.places, "ada", "1"), world.server()
    server.accept()
    assert state(world.places, other) == "None" and len(world.places.line()) == 2
    assert len([*world.places.incoming.iterdir()]) == 2000 - MOST_AT_ONCE
    drain(server)
    assert state(world.places, other) == "done" and not [*world.places.incoming.iterdir()]


def no_space(*_: Any, **__: Any) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_waited_for_and_said(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    full_until = world.now
    make = tempfile.mkstemp
    monkeypatch.setattr(tempfile, "mkstemp", lambda *a, **k: no_space() if world.now < full_until else make(*a, **k))
    tickets = [put(world.places, student, "10") for student in ("ada", "ben")]

    def fill() -> None:
        nonlocal full_until
        full_until = world.now + 3600

    world.meanwhile = fill  # so that it is full when the first verdict is to be written
    drain(world.server())
    assert [state(world.places, one) for one in tickets] == ["done", "done"] and len(world.runs) == 2
    assert [line for line in world.said if "space" in line] == [
        "No space left on device: nothing is lost, and the queue goes on when there is space",
        "there is space again, and the queue goes on",
    ]


def test_a_disk_that_is_full_where_it_is_graded_costs_no_attempt(world: World) -> None:
    server, failures = world.server(), [*range(2 * MOST_ATTEMPTS)]

    def grade(archive: Path, lab: str, student: str) -> Verdict:
        if failures:
            failures.pop()
            raise CannotRecord("cannot write build/serve: No space left on device")
        return world.grade(archive, lab, student)

    server.grade = grade
    ticket = put(world.places, "ada", "10")
    drain(server)
    assert state(world.places, ticket) == "done" and any("No space left on device" in line for line in world.said)


def test_a_disk_that_is_broken_is_no_full_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    put(world.places, "ada", "10")
    monkeypatch.setattr(tempfile, "mkstemp", broken)
    with pytest.raises(CannotRecord):
        drain(world.server())
