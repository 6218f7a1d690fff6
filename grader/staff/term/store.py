"""What happened in a term: gradings, decisions and what was published, in SQLite. Rows are added and never changed or
removed, which the tables themselves refuse."""

import errno
import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from tmagrade.basics.cache import PRIVATE_FILE_MODE, cannot_write
from tmagrade.basics.errors import CannotRecord, UsageError

STORE_FILE = "term.sqlite"


@dataclass(frozen=True)
class Result:
    """One person's lab, as one grading has found it. Points are texts of decimals, which no arithmetic has touched."""

    grading: str  # when it was, ISO 8601, UTC; with `by` it names the grading
    by: str  # who asked for it
    person: str
    lab: str
    called: str  # the person, or the group, by the platform
    platform: str
    score: str
    max: str
    pending: str
    why: str  # parts that lost points, and how they ended
    hand_in: str  # a digest of what was handed in
    handed_in: str  # ISO 8601, UTC; empty: not known
    source: str  # who says so
    is_late: int  # 1: the platform has marked it so
    backend: str
    grader: str
    group: str = ""  # with which it was graded; a blank: with none; empty: by an earlier version


# With which the reason begins of a time that nobody has decided.
BY_PLATFORM = "as the platform says: "


@dataclass(frozen=True)
class Decision:
    """What somebody has decided of one person's lab."""

    at: str
    by: str
    person: str
    lab: str
    kind: str  # "extend", "override", "add", "excuse", "count", "time"
    value: str
    reason: str

    @property
    def is_platforms_time(self) -> bool:
        return self.kind == "time" and self.reason.startswith(BY_PLATFORM)


@dataclass(frozen=True)
class Published:
    """One cell that a grade book was given."""

    at: str
    by: str
    lab: str
    target: str  # "canvas", "moodle", "csv"
    person: str
    cell: str
    results: int  # of this person's lab, which there were then
    decisions: int


@dataclass(frozen=True)
class LeftOut:
    """Something that a grading has not graded, or whose it did not know, and that may be somebody's hand-in."""

    at: str
    by: str
    lab: str
    place: str  # what was graded; the last grading of a place counts
    person: str  # whose; empty: nobody knows
    said: str  # empty: the grading has left out nothing


@dataclass(frozen=True)
class Remark:
    """What somebody of the course's staff has said of one hand-in, reading it."""

    id: str  # chosen by who asks for it: asked for twice, it is there once
    at: str
    by: str
    student: str  # by the name in the grades: a person's, or a group's
    lab: str
    kind: str  # "comment", "reviewed", "answer" to a request, "withdraw"
    text: str
    points: str  # added with it; empty: none
    file: str  # whose line it is about; empty: the whole hand-in
    line: int
    source: str  # that line, as it was read
    hand_in: str  # a digest of what was read
    about: str  # of an answer: the request's digest; of "withdraw": the id of what is taken back
    replaces: str = ""  # the id of what this says in other words; empty: it says it for the first time

    @property
    def root(self) -> str:
        """The id of what was said first, in whatever words it stands now."""
        return self.replaces or self.id


Row = TypeVar("Row", Result, Decision, Published, LeftOut, Remark)
TABLES: dict[type, str] = {
    Result: "results",
    Decision: "decisions",
    Published: "published",
    LeftOut: "left_out",
    Remark: "remarks",
}


def file_mode(folder: Path) -> int:
    """Of a file of the term: the course's assistants write it, too, where the folder is theirs (`term share`)."""
    is_shared = stat.S_ISGID | stat.S_IWGRP
    return PRIVATE_FILE_MODE | (stat.S_IWGRP if folder.stat().st_mode & is_shared == is_shared else 0)


class Store:
    def __init__(self, folder: Path, name: str = STORE_FILE) -> None:
        self.path = folder / name

    def add(self, rows: Iterable[Row]) -> None:
        """All of the rows, or none."""
        rows = list(rows)
        if not rows:
            return
        with self._opened() as connection:
            for row in rows:
                connection.execute(_insertion(row), astuple(row))

    def say(self, remark: Remark, decisions: Iterable[Decision] = (), unless: str = "") -> bool:
        """Keeps a remark and what is decided with it, all or nothing. Whether it was not there yet, and neither was
        that with the id `unless`."""
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")  # nobody else says it between the question and the answer
            ids = [remark.id, unless or remark.id]
            if connection.execute("SELECT 1 FROM remarks WHERE id IN (?, ?)", ids).fetchone() is not None:
                return False
            connection.execute(_insertion(remark), astuple(remark))
            for decision in decisions:
                connection.execute(_insertion(decision), astuple(decision))
        return True

    def read(self, kind: type[Row]) -> list[Row]:
        """All rows of a kind, in the order in which they were added."""
        if not self.path.exists():
            return []
        names = ", ".join(f'"{field.name}"' for field in fields(kind))
        with self._opened() as connection:
            return [kind(*row) for row in connection.execute(f"SELECT {names} FROM {TABLES[kind]} ORDER BY rowid")]

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        is_new = not self.path.exists()
        try:
            with closing(sqlite3.connect(self.path)) as connection:
                if is_new:
                    self.path.chmod(file_mode(self.path.parent))
                with connection:
                    for kind, table in TABLES.items():
                        names = [field.name for field in fields(kind)]
                        connection.executescript(definition_of(table, names))
                        self._bring_up(connection, table, names)
                with connection:
                    yield connection
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
                full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                raise CannotRecord(cannot_write(self.path, full)) from error
            raise UsageError(f"{self.path}: {error}") from error

    def _bring_up(self, connection: sqlite3.Connection, table: str, names: list[str]) -> None:
        """Gives a store that an earlier version wrote the columns that there are now, empty in the rows of that time.
        UsageError where a later version wrote it: this one would not say all that belongs there."""
        there = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        if unknown := [name for name in there if name not in names]:
            raise UsageError(
                f"{self.path} was written by a later version of the course ({table}: {', '.join(unknown)}): take that"
            )
        for name in names:
            if name not in there:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN \"{name}\" NOT NULL DEFAULT ''")


def _insertion(row: Any) -> str:
    names = ", ".join(f'"{field.name}"' for field in fields(row))
    return f"INSERT INTO {TABLES[type(row)]} ({names}) VALUES ({', '.join('?' for _ in fields(row))})"


def definition_of(table: str, names: list[str]) -> str:
    columns = ", ".join(f'"{name}" NOT NULL' for name in names)
    refused = "".join(
        f"CREATE TRIGGER IF NOT EXISTS {table}_{verb.lower()} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'what happened in a term is never changed'); END;"
        for verb in ("UPDATE", "DELETE")
    )
    return f"CREATE TABLE IF NOT EXISTS {table} ({columns}); {refused}"
