"""A queue's whole world by a clock of its own: students, honest and hostile, a disk that is full at times, and servers
that are killed wherever they are. Each server is a process; what outlives it is the folder, and the clock.
"""

import errno
import mmap
import os
import signal
import struct
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from queue_students import labs

from staff.gpu_queue.bounds import Bounds
from staff.gpu_queue.server import Server, Verdict
from tmagrade.basics.errors import GraderFault
from tmagrade.gpu_queue.client import ENDED
from tmagrade.gpu_queue.places import MOST_BYTES, Places, Ticket

LONGEST = 600.0  # seconds of a run
# What Python tells of (sys.addaudithook) before it looks at files or changes them: before any of these a server may
# be killed, and what it has looked at may be another file.
LOOKS = ("open", "os.chmod", "os.listdir", "os.mkdir", "os.remove", "os.rename", "os.scandir")
JUNK = (
    "a" * 255,
    "lab3.zip",
    f"lab3~~{'0' * 32}.zip\n",
    f"lab99-none~eve~{'1' * 32}.zip",
    "\udcff",
    ".hidden",
    "~.zip",
)


class Event(NamedTuple):
    at: float
    who: str
    what: str
    lab: str
    seconds: float = 0.0
    number: int = 0  # which it is of all, and how many, where that matters


class Run(NamedTuple):
    ticket: str
    student: str
    begin: float
    end: float


class Killing(NamedTuple):
    """Before which of its looks a server is killed, and what changes in `incoming` before which others."""

    at: int | None
    meddling: tuple[tuple[int, str], ...] = ()


@dataclass
class World:
    root: Path
    events: Sequence[Event]
    full: tuple[float, float] = (0.0, 0.0)  # when the disk is
    clock: mmap.mmap = field(default_factory=lambda: mmap.mmap(-1, 16))  # which the servers share

    def __post_init__(self) -> None:
        self.places = Places(self.root / "queue")
        self.places.make()
        self.is_passing = False
        self.tickets = {event: Ticket(event.lab, event.who, f"{event.number:032x}") for event in self.events}

    # The clock, and what happens as it goes on

    @property
    def now(self) -> float:
        return float(struct.unpack_from("d", self.clock)[0])

    @property
    def happened(self) -> int:
        return int(struct.unpack_from("q", self.clock, 8)[0])

    def pass_by(self, seconds: float) -> None:
        self.is_passing = True  # what students do is not killed with the server
        until = self.now + seconds
        while self.happened < len(self.events) and (event := self.events[self.happened]).at <= until:
            struct.pack_into("dq", self.clock, 0, max(self.now, event.at), self.happened + 1)
            self.happen(event)
        struct.pack_into("d", self.clock, 0, until)
        self.look()
        self.is_passing = False

    def happen(self, event: Event) -> None:
        """Students write as they like, whatever the server's disk."""
        incoming, ticket = self.places.incoming, self.tickets[event]
        path = incoming / ticket.name
        if event.what in ("work", "fault", "times"):
            self.write(path, f"{event.what} {event.seconds}")
        if event.what == "times":
            os.utime(path, (0, 0) if event.number % 2 else (1e11, 1e11))
        elif event.what == "flood":
            for number in range(event.number % 7 * 50):
                self.write(incoming / Ticket(event.lab, event.who, f"{event.number:016x}{number:016x}").name, "work 9")
        elif event.what == "junk":
            for name in JUNK:
                self.write(incoming / name, "work 9")
        elif event.what == "half":
            self.write(incoming / f"{ticket.ticket}.unfinished", "wo")
        elif event.what == "vanish":
            for one in incoming.glob(f"*~{event.who}~*"):
                if not one.is_dir():
                    one.unlink()
        elif event.what not in ("work", "fault"):
            self.change(path, event.what)

    def change(self, path: Path, what: str) -> None:
        if path.is_dir() and not path.is_symlink():
            return
        path.unlink(missing_ok=True)
        if what == "folder":
            (path / "in it").mkdir(parents=True)
        elif what == "link":
            path.symlink_to(next(self.places.incoming.glob("*~ada~*"), self.root / "nothing"))
        elif what == "pipe":
            os.mkfifo(path)
        elif what == "second name":
            self.write(self.root / "own", "work 9")
            os.link(self.root / "own", path)
        elif what == "huge":
            self.write(path, "work 9")
            os.truncate(path, MOST_BYTES + 1)

    @staticmethod
    def write(path: Path, text: str) -> None:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            return
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.write(number, text.encode())
        os.close(number)

    # What is seen of it

    def note(self, name: str, *words: object) -> None:
        number = os.open(self.root / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.write(number, " ".join(map(str, words)).encode() + b"\n")
        os.close(number)

    def noted(self, name: str) -> list[list[str]]:
        path = self.root / name
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []

    def runs(self) -> list[Run]:
        return [Run(ticket, who, float(begin), float(end)) for ticket, who, begin, end in self.noted("runs")]

    def look(self) -> None:
        """Which verdicts somebody honest can have read by now."""
        for event in self.events[: self.happened]:
            path = self.places.verdict(self.tickets[event])
            if event.who != "eve" and path.exists() and any(f'"{end}"' in (text := path.read_text()) for end in ENDED):
                self.note("seen", self.tickets[event].ticket, "".join(text.split()))

    # The servers

    def grade(self, archive: Path, lab: str, student: str) -> Verdict:
        what, seconds = archive.read_text().split()
        begin = self.now
        self.pass_by(min(float(seconds), LONGEST))
        self.note("runs", archive.name[-36:-4], student, begin, self.now)
        if what == "fault":
            raise GraderFault("it breaks the judge")
        return Verdict("", len(self.noted("runs")), 1000)  # another answer each time

    def serve(self, killing: Killing) -> bool:
        """A server's life. Whether it came to its own end."""
        pid = os.fork()
        if pid == 0:
            try:
                self._live(killing)
                os._exit(0)
            except BaseException:
                (self.root / "died").write_text(traceback.format_exc())
                os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        assert status in (0, -signal.SIGKILL), (self.root / "died").read_text()
        self.look()
        return status == 0

    def _live(self, killing: Killing) -> None:
        self._fill_the_disk()
        looks, meddling = 0, dict(killing.meddling)

        def look(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal looks
            if event not in LOOKS or self.is_passing:
                return
            looks += 1
            if looks == killing.at:
                os.kill(os.getpid(), signal.SIGKILL)
            if looks in meddling:
                self.is_passing = True
                if (path := next(self.places.incoming.glob("*~eve~*"), None)) is not None:
                    self.change(path, meddling[looks])
                self.is_passing = False

        def clock() -> float:
            return self.now

        def owner(path: Path) -> str:
            ticket = Ticket.of(path.name)
            assert ticket is not None
            return ticket.nickname

        sys.addaudithook(look)
        server = Server(self.places, self.grade, labs, Bounds(), owner, clock, clock, self.pass_by)
        with server.alone():
            while True:
                happened = self.happened  # more may happen while the server waits for its disk
                if server.step() or self.happened > happened:
                    continue
                if happened == len(self.events):
                    return
                self.pass_by(max(self.events[self.happened].at - self.now, 0))

    def _fill_the_disk(self) -> None:
        make, write = tempfile.mkstemp, Path.write_bytes

        def demand_space() -> None:
            if self.full[0] <= self.now < self.full[1]:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def mkstemp(*words: Any, **options: Any) -> Any:
            demand_space()
            return make(*words, **options)

        def write_bytes(path: Path, content: bytes) -> int:
            write(path, content[: len(content) // 2])
            demand_space()
            return write(path, content)

        tempfile.mkstemp = mkstemp
        Path.write_bytes = write_bytes  # type: ignore[assignment, method-assign]
