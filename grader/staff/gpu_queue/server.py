"""Takes hand-ins out of the shared folder one after another, and says what becomes of each.

What a student's file is may change at any moment: it is read once, and what is graded is the server's own copy. An
error over the file is its student's, and never the queue's.

What a killed server leaves is enough to go on from: a copy is whole or not there, and moves by a rename. Whatever was
running has its place in line again, unless its verdict is there already.
"""

import contextlib
import fcntl
import os
import pwd
import stat
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from staff.gpu_queue.board import board_text
from staff.gpu_queue.bounds import Bounds
from staff.gpu_queue.fair_turns import FairTurns
from staff.gpu_queue.full_disk import PATIENCE_SECONDS, FullDisk
from staff.gpu_queue.history import History
from tmagrade.basics.cache import PUBLIC_FILE_MODE, replace_atomically, write_atomically, write_json
from tmagrade.basics.errors import CannotRecord, GraderFault, UsageError
from tmagrade.gpu_queue.client import ENDED, read_verdict
from tmagrade.gpu_queue.places import Places, Ticket, Waiting, read_hand_in

MOST_ATTEMPTS = 3
# Of one student's files, between two runs: thousands of them keep nobody waiting.
MOST_AT_ONCE = 256

NOBODYS_FAULT = "the grader failed here, and nobody loses anything by it: the course's staff can see why"


@dataclass(frozen=True)
class Verdict:
    """What a hand-in came to."""

    text: str  # for the student
    score: float
    max: float
    figure: str = ""  # the bandwidth, as "4047 GB/s", as far as it counts
    fraction: float | None = None


# Grades a hand-in: the archive, which lab it is, and whose. GraderFault where the machine has failed.
Grade = Callable[[Path, str, str], Verdict]


def owner_of(path: Path) -> str:
    """The login of who has written a file: whose it is depends on nothing that is written in it."""
    number = os.lstat(path).st_uid
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


class Arrival(NamedTuple):
    """A file in incoming. When it came there the file system says: the time at which it was written is whatever its
    owner says."""

    came: int
    ticket: Ticket
    size: int
    student: str
    path: Path


@dataclass
class Server:
    places: Places
    grade: Grade
    labs: Callable[[], Collection[str]]  # those that there are, by their names
    bounds: Bounds = field(default_factory=Bounds)
    owner: Callable[[Path], str] = owner_of
    clock: Callable[[], float] = time.time
    stopwatch: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    say: Callable[[str], None] = lambda line: None

    def __post_init__(self) -> None:
        self.places.make()
        self.disk = FullDisk(self.say, self.sleep)
        self.history = History(self.places, lambda path, value: self.disk.outlast(lambda: write_json(path, value)))
        self.turns = FairTurns()
        for entry in self.history.all():
            self.turns.charge(entry.student, entry.start, entry.seconds)
        self._last = max((one.number for one in self.places.line()), default=0)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """UsageError where another server is at work in the folder."""
        with open(self.places.lock, "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(f"another server is at work in {self.places.root}") from None
            self.recover()
            yield

    def recover(self) -> None:
        """Puts back what a server that was killed had begun."""
        for path in sorted(self.places.running.iterdir()):
            one = Waiting.of(path.name)
            if one is None:
                continue
            if read_verdict(self.places.verdict(one.ticket)).get("state") in ENDED:
                path.unlink()  # it was killed between the verdict and this
            else:
                self._again(path, one, "the server was ended while this was graded")

    def step(self) -> bool:
        """Accepts what has come, and grades what is next. Whether there was anything to do."""
        has_more = self.accept()
        line = self.turns.in_order(self.places.line())
        for place, one in enumerate(line, start=1):
            self._tell(one.ticket, {"state": "waiting", "place": place})
        if line:
            self._run(line[0])
        return bool(line) or has_more

    def accept(self) -> bool:
        """Gives each new hand-in its place in line, in the order in which they came. Whether there are more."""
        arrived = sorted(self._arrived(), key=lambda arrival: (arrival.came, arrival.ticket.ticket))
        if not arrived:
            return False
        labs = self.labs()
        line = {(one.student, one.ticket.lab): one for one in self.places.line()}
        known = {one.ticket.ticket for one in line.values()}
        taken: Counter[str] = Counter()
        for arrival in arrived:
            taken[arrival.student] += 1
            ticket = arrival.ticket
            if taken[arrival.student] > MOST_AT_ONCE:
                continue
            # The same ticket twice, or the server was ended when it had its copy: the first has it.
            if ticket.ticket in known or self.places.verdict(ticket).exists():
                self._remove(arrival.path)
            elif (one := self._accepted(arrival, labs, line)) is not None:
                line[one.student, ticket.lab] = one
                known.add(ticket.ticket)
        return max(taken.values()) > MOST_AT_ONCE

    def _arrived(self) -> Iterator[Arrival]:
        for path in self.places.incoming.iterdir():
            ticket = Ticket.of(path.name)
            if ticket is None:
                continue  # somebody is still writing it, or it is nobody's
            with contextlib.suppress(OSError):
                about = path.lstat()
                # A folder is nobody's hand-in, and cannot be removed by another.
                if not stat.S_ISDIR(about.st_mode):
                    yield Arrival(about.st_ctime_ns, ticket, about.st_size, self.owner(path), path)

    def _accepted(
        self, arrival: Arrival, labs: Collection[str], line: Mapping[tuple[str, str], Waiting]
    ) -> Waiting | None:
        """None where it is not. `line`: what waits, by its student and lab."""
        ticket, student, now = arrival.ticket, arrival.student, self.clock()
        try:
            self._require_turn(arrival, labs, now)
            content = read_hand_in(arrival.path)
        except FileNotFoundError:
            return None  # its owner may take it back at any time
        except (UsageError, OSError) as error:
            why = f"it cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error)
            self._tell(ticket, {"state": "refused", "text": why})
            self._remove(arrival.path)
            return None
        other = line.get((student, ticket.lab))
        if other is not None:
            self._end(self.places.waiting / other.name, other, {"state": "replaced", "text": "by a newer hand-in"})
        self._last = max(self._last + 1, int(now * 1e9))
        one = Waiting(self._last, 0, student, ticket)
        copy = self.places.waiting / one.name
        self.disk.outlast(lambda: replace_atomically(copy, lambda unfinished: unfinished.write_bytes(content)))
        self.history.accept(one, now, len(content))
        self._remove(arrival.path)
        self.say(f"{student}: {ticket.lab} is accepted")
        return one

    def _require_turn(self, arrival: Arrival, labs: Collection[str], now: float) -> None:
        """UsageError where nothing of this student and lab is accepted now."""
        if arrival.ticket.lab not in labs:
            raise UsageError(f"there is no lab {arrival.ticket.lab} here")
        refusal = self.bounds.refusal(self.history.of(arrival.student), arrival.size, now)
        if refusal is not None:
            raise UsageError(refusal)

    def _remove(self, path: Path) -> None:
        """Out of incoming. A folder that has taken the file's place stays, and is passed by from now on."""
        with contextlib.suppress(OSError):
            path.unlink()

    def _run(self, one: Waiting) -> None:
        begun = replace(one, attempts=one.attempts + 1)
        waits, path = self.places.waiting / one.name, self.places.running / begun.name
        self._tell(one.ticket, {"state": "running"})
        self._move(waits, path)
        came = self._graded(path, one)
        if isinstance(came, CannotRecord):  # a full disk, which costs nobody an attempt
            self.say(str(came))
            self._move(path, waits)
            self.sleep(PATIENCE_SECONDS)
        elif isinstance(came, GraderFault):
            self._again(path, begun, str(came))
        else:
            self._end(
                path,
                begun,
                {"state": "done", "text": came.text, "score": came.score, "max": came.max},
                score=came.score,
                max=came.max,
                figure=came.figure,
                fraction=came.fraction,
            )
            if came.fraction is not None and one.ticket.nickname:
                board = board_text(self.history.all())
                self.disk.outlast(lambda: write_atomically(self.places.board, board, PUBLIC_FILE_MODE))
            self.say(f"{one.student}: {one.ticket.lab} came to {came.score:g} of {came.max:g}")

    def _graded(self, path: Path, one: Waiting) -> Verdict | GraderFault:
        """Whatever it comes to, its student is charged with what it took."""
        start, since = self.turns.start(one.student), self.stopwatch()
        came: Verdict | GraderFault
        try:
            came = self.grade(path, one.ticket.lab, one.student)
        except GraderFault as fault:
            came = fault
        seconds = self.stopwatch() - since
        self.turns.charge(one.student, start, seconds)
        self.history.add(one, start=start, seconds=seconds)
        return came

    def _again(self, path: Path, one: Waiting, why: str) -> None:
        """Back into the line; what has failed as often as it may stands in nobody's way any more."""
        self.say(f"{one.student}: {one.ticket.lab} failed, the {one.attempts}. time: {why}")
        if one.attempts >= MOST_ATTEMPTS:
            self._end(path, one, {"state": "failed", "text": NOBODYS_FAULT})
        else:
            self._move(path, self.places.waiting / one.name)

    def _end(self, path: Path, one: Waiting, told: dict[str, Any], **became: Any) -> None:
        """The history first, then the verdict, then the hand-in goes: who finds no verdict grades it again."""
        # A server that was killed may have written what it came to and told nobody: that is as if it had not been.
        unknown = {"score": None, "max": None, "figure": "", "fraction": None}
        self.history.add(one, state=told["state"], **unknown | became)
        left = self.bounds.left(self.history.of(one.student), self.clock())
        self._tell(one.ticket, told | {"left": left})
        path.unlink()

    def _move(self, path: Path, to: Path) -> None:
        self.disk.outlast(lambda: path.rename(to))

    def _tell(self, ticket: Ticket, told: dict[str, Any]) -> None:
        path = self.places.verdict(ticket)
        if read_verdict(path) != told:
            # Of a name that only the student knows.
            self.disk.outlast(lambda: write_json(path, told, PUBLIC_FILE_MODE))
