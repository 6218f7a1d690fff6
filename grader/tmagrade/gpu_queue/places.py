"""What lies where in the shared folder, and what the names there mean.

incoming/   students put hand-ins there: who does not own the folder can write to it and list nothing
waiting/    accepted, in the order of their names; running/ the one that is graded; the server's own
verdicts/   TICKET.json, what became of a hand-in: who knows the ticket, which is random, can read it
history/    STUDENT/NUMBER-TICKET.json, of what was accepted; the server's own
board.md    who wants to be on it
"""

import errno
import os
import re
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from tmagrade.basics.errors import UsageError

# Of what a student may write, list or read there, and of what only the server may.
INCOMING_MODE, VERDICTS_MODE, OWN_MODE = 0o1733, 0o711, 0o700
TICKET_BYTES = 16
MOST_BYTES = 4 << 20
NO_FILE, TOO_LARGE = "no file of its own", f"larger than {MOST_BYTES >> 20} MiB"

NAME = re.compile(r"(?P<lab>lab[0-9]+(?:-[a-z0-9]+)*)~(?P<nickname>[A-Za-z0-9_-]{0,20})~(?P<ticket>[0-9a-f]{32})\.zip")
PLACE = re.compile(r"(?P<number>[0-9]{20})!(?P<attempts>[0-9])!(?P<student>[^!/]+)!(?P<name>[^!/]+)")


@dataclass(frozen=True)
class Ticket:
    """What a student's side has named: which lab it is, and who wants to be called how on the board."""

    lab: str
    nickname: str  # empty: not on the board
    ticket: str

    @staticmethod
    def new(lab: str, nickname: str) -> "Ticket":
        made = Ticket(lab, nickname, secrets.token_hex(TICKET_BYTES))
        if NAME.fullmatch(made.name) is None:
            raise UsageError(f"a nickname is up to 20 letters, digits, - and _; not {nickname!r}")
        return made

    @staticmethod
    def of(name: str) -> "Ticket | None":
        found = NAME.fullmatch(name)
        return None if found is None else Ticket(found["lab"], found["nickname"], found["ticket"])

    @property
    def name(self) -> str:
        return f"{self.lab}~{self.nickname}~{self.ticket}.zip"


@dataclass(frozen=True)
class Waiting:
    """A hand-in that was accepted: its place in line, how often it was begun, and whose it is."""

    number: int
    attempts: int
    student: str
    ticket: Ticket

    @staticmethod
    def of(name: str) -> "Waiting | None":
        found = PLACE.fullmatch(name)
        ticket = Ticket.of(found["name"]) if found is not None else None
        if found is None or ticket is None:
            return None
        return Waiting(int(found["number"]), int(found["attempts"]), found["student"], ticket)

    @property
    def name(self) -> str:
        return f"{self.number:020}!{self.attempts}!{self.student}!{self.ticket.name}"


@dataclass(frozen=True)
class Places:
    root: Path

    @property
    def incoming(self) -> Path:
        return self.root / "incoming"

    @property
    def waiting(self) -> Path:
        return self.root / "waiting"

    @property
    def running(self) -> Path:
        return self.root / "running"

    @property
    def verdicts(self) -> Path:
        return self.root / "verdicts"

    @property
    def history(self) -> Path:
        return self.root / "history"

    @property
    def board(self) -> Path:
        return self.root / "board.md"

    @property
    def lock(self) -> Path:
        return self.root / "waiting" / ".lock"

    def verdict(self, ticket: Ticket) -> Path:
        return self.verdicts / f"{ticket.ticket}.json"

    def make(self) -> None:
        """Makes what is not there, and gives each folder its mode."""
        for folder, mode in (
            (self.root, 0o755),
            (self.incoming, INCOMING_MODE),
            (self.waiting, OWN_MODE),
            (self.running, OWN_MODE),
            (self.verdicts, VERDICTS_MODE),
            (self.history, OWN_MODE),
        ):
            if not folder.exists():
                folder.mkdir(parents=True)
                folder.chmod(mode)

    def line(self) -> list[Waiting]:
        """Those that wait, the first first."""
        names = (Waiting.of(path.name) for path in self.waiting.iterdir())
        return sorted((one for one in names if one is not None), key=lambda one: one.number)


def read_hand_in(path: Path) -> bytes:
    """What a file in incoming holds. UsageError where it is no hand-in: its owner may put anything there at any time,
    and may still write to it. So no link is followed, no pipe waited for, and no more is read than may be handed in."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):  # a link; a socket
            raise UsageError(NO_FILE) from error
        raise
    with open(number, "rb") as file:
        if why := _refusal(os.fstat(number)):
            raise UsageError(why)
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise UsageError(TOO_LARGE)
    return content


def _refusal(about: os.stat_result) -> str | None:
    if not stat.S_ISREG(about.st_mode) or about.st_nlink > 1:
        return NO_FILE
    return TOO_LARGE if about.st_size > MOST_BYTES else None
