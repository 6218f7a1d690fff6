"""What `tmaemu --findings-file` has written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class UsageError(Exception):
    """What somebody typed or wrote, and what to do about it."""


@dataclass(frozen=True)
class Place:
    file: str  # from `root` on, where it lies below; empty where the program was built without -lineinfo
    line: int  # of its PTX, where there is no file
    column: int
    function: str

    @property
    def text(self) -> str:
        if self.file:
            return f"{self.file}:{self.line}"
        return f"{self.function}, line {self.line} of its PTX" if self.function else "a launch"


@dataclass(frozen=True)
class Note:
    message: str
    place: Place


@dataclass(frozen=True)
class Found:
    """A kind of mistake at a place; what one process says of it."""

    code: str
    message: str
    help: str
    place: Place
    notes: tuple[Note, ...]

    @property
    def sentence(self) -> str:
        return f"{self.message} [{self.code}]"

    @property
    def whole_text(self) -> str:
        lines = [f"{self.place.text}: {self.sentence}"]
        lines += [f"{note.place.text}: {note.message}" for note in self.notes]
        lines += [f"help: {self.help}"] if self.help else []
        return "\n".join(lines)


def read_findings(files: Iterable[Path], root: Path) -> list[Found]:
    """Each once, however many processes, launches and files tell of it, in the order of their places."""
    every: dict[Found, None] = {}
    for file in files:
        try:
            lines = file.read_text("utf-8", "replace").split("\n")  # a quoted line may hold other ends of lines
        except OSError as error:
            raise UsageError(
                f"cannot read {file}: {error.strerror}; tmaemu --findings-file={file} writes it"
            ) from error
        for number, line in enumerate(lines, 1):
            if line.startswith('{"code":'):  # what --check=json has written to stderr may stand between other lines
                every[_finding(line, f"{file}:{number}", root)] = None
    return sorted(every, key=lambda found: (found.place.file, found.place.line, found.place.column, found.code))


def _finding(line: str, where: str, root: Path) -> Found:
    try:
        row = json.loads(line)
        notes = tuple(Note(note["message"], _place(note.get("place"), root)) for note in row.get("notes", []))
        return Found(row["code"], row["message"], row.get("help", ""), _place(row.get("place"), root), notes)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{where}: no finding of tmaemu's, or one that is cut short: {line[:80]}") from error


def _place(row: Any, root: Path) -> Place:
    row = row or {}
    file = row.get("file", "")
    if file:
        file = _below(Path(os.path.normpath(root / file)), root)
    line = row.get("line") if file else row.get("ptx_line")
    return Place(file, int(line or 0), int(row.get("column", 0)), row.get("function", ""))


def _below(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else file.as_posix()
