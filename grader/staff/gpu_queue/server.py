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
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from staff.gpu_queue.board import board_text
from staff.gpu_queue.history import History
from tmagrade.basics.cache import PUBLIC_FILE_MODE, replace_atomically, write_atomically, write_json
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.gpu_queue.client import ENDED, read_verdict
from tmagrade.gpu_queue.places import Places, Ticket, Waiting, read_hand_in

MOST_ATTEMPTS = 3
AN_HOUR = 6

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


@dataclass
class Server:
    places: Places
    grade: Grade
    labs: Callable[[], Collection[str]]  # those that there are, by their names
    an_hour: int = AN_HOUR  # hand-ins of one student
    owner: Callable[[Path], str] = owner_of
    clock: Callable[[], float] = time.time
    say: Callable[[str], None] = lambda line: None

    def __post_init__(self) -> None:
        self.places.make()
        self.history = History(self.places)
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
        """Accepts what has come, and grades the first in line. Whether there was one."""
        self.accept()
        line = self.places.line()
        for place, one in enumerate(line, start=1):
            self._tell(one.ticket, {"state": "waiting", "place": place})
        if not line:
            return False
        self._run(line[0])
        return True

    def accept(self) -> None:
        """Gives each new hand-in its place in line, in the order in which they came."""
        arrived = sorted(self._arrived(), key=lambda arrival: (arrival[0], arrival[2].ticket))
        if not arrived:
            return
        labs = self.labs()
        line = {(one.student, one.ticket.lab): one for one in self.places.line()}
        known = {one.ticket.ticket for one in line.values()}
        for _, path, ticket in arrived:
            # The same ticket twice, or the server was ended when it had its copy: the first has it.
            if ticket.ticket in known or self.places.verdict(ticket).exists():
                self._remove(path)
            elif (one := self._accepted(path, ticket, labs, line)) is not None:
                line[one.student, ticket.lab] = one
                known.add(ticket.ticket)

    def _arrived(self) -> Iterator[tuple[int, Path, Ticket]]:
        """What lies in incoming, with the time at which it came there: by the file system, since the time at which a
        file was written is whatever its owner says."""
        for path in self.places.incoming.iterdir():
            ticket = Ticket.of(path.name)
            if ticket is None:
                continue  # somebody is still writing it, or it is nobody's
            with contextlib.suppress(OSError):
                about = path.lstat()
                # A folder is nobody's hand-in, and cannot be removed by another.
                if not stat.S_ISDIR(about.st_mode):
                    yield about.st_ctime_ns, path, ticket

    def _accepted(
        self, path: Path, ticket: Ticket, labs: Collection[str], line: Mapping[tuple[str, str], Waiting]
    ) -> Waiting | None:
        """None where it is not. `line`: what waits, by its student and lab."""
        now = self.clock()
        try:
            student = self.owner(path)
            self._require_turn(student, ticket, labs, now)
            content = read_hand_in(path)
        except FileNotFoundError:
            return None  # its owner may take it back at any time
        except (UsageError, OSError) as error:
            why = f"it cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error)
            self._tell(ticket, {"state": "refused", "text": why})
            self._remove(path)
            return None
        other = line.get((student, ticket.lab))
        if other is not None:
            self._end(self.places.waiting / other.name, other, {"state": "replaced", "text": "by a newer hand-in"})
        self._last = max(self._last + 1, time.time_ns())
        one = Waiting(self._last, 0, student, ticket)
        replace_atomically(self.places.waiting / one.name, lambda unfinished: unfinished.write_bytes(content))
        self.history.accept(one, now)
        self._remove(path)
        self.say(f"{student}: {ticket.lab} is accepted")
        return one

    def _require_turn(self, student: str, ticket: Ticket, labs: Collection[str], now: float) -> None:
        """UsageError where nothing of this student and lab is accepted now."""
        if ticket.lab not in labs:
            raise UsageError(f"there is no lab {ticket.lab} here")
        turn = self.history.next_turn(student, self.an_hour, now)
        if turn is not None:
            when = time.strftime("%H:%M", time.localtime(turn))
            raise UsageError(f"{self.an_hour} hand-ins an hour; the next one may come at {when}")

    def _remove(self, path: Path) -> None:
        """Out of incoming. A folder that has taken the file's place stays, and is passed by from now on."""
        with contextlib.suppress(OSError):
            path.unlink()

    def _run(self, one: Waiting) -> None:
        begun = replace(one, attempts=one.attempts + 1)
        path = self.places.running / begun.name
        (self.places.waiting / one.name).rename(path)
        self._tell(one.ticket, {"state": "running"})
        try:
            verdict = self.grade(path, one.ticket.lab, one.student)
        except GraderFault as fault:
            self._again(path, begun, str(fault))
            return
        self._end(
            path,
            begun,
            {"state": "done", "text": verdict.text, "score": verdict.score, "max": verdict.max},
            score=verdict.score,
            max=verdict.max,
            figure=verdict.figure,
            fraction=verdict.fraction,
        )
        if verdict.fraction is not None and one.ticket.nickname:
            write_atomically(self.places.board, board_text(self.history.all()), PUBLIC_FILE_MODE)
        self.say(f"{one.student}: {one.ticket.lab} came to {verdict.score:g} of {verdict.max:g}")

    def _again(self, path: Path, one: Waiting, why: str) -> None:
        """Back to its place in line; what has failed as often as it may stands in nobody's way any more."""
        self.say(f"{one.student}: {one.ticket.lab} failed, the {one.attempts}. time: {why}")
        if one.attempts >= MOST_ATTEMPTS:
            self._end(path, one, {"state": "failed", "text": NOBODYS_FAULT})
        else:
            path.rename(self.places.waiting / one.name)

    def _end(self, path: Path, one: Waiting, told: dict[str, Any], **became: object) -> None:
        """The history first, then the verdict, then the hand-in goes: who finds no verdict grades it again."""
        self.history.end(one, state=told["state"], **became)
        self._tell(one.ticket, told)
        path.unlink()

    def _tell(self, ticket: Ticket, told: dict[str, Any]) -> None:
        path = self.places.verdict(ticket)
        if read_verdict(path) != told:
            write_json(path, told, PUBLIC_FILE_MODE)  # of a name that only the student knows
