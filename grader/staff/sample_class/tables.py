"""Reads the sample class: a table a lab, in which each student is told as what differs from the solution."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from staff.sample_class.edits import EditError, apply_edits, parse_edits
from staff.skeletons.skeleton import handed_in
from tmagrade.basics.errors import GraderFault
from tmagrade.basics.json_form import Flag
from tmagrade.basics.paths import Repository
from tmagrade.basics.toml_form import from_toml, toml_of
from tmagrade.course.labs import Lab
from tmagrade.judging.scoring import BUILD_ERROR, PENDING, SEVERITY
from tmagrade.machine.backend import Backend

SOURCES = ("*.cu", "*.cuh")
VERDICTS = (*SEVERITY, BUILD_ERROR)


@dataclass(frozen=True)
class Student:
    """What one student hands in for one lab, and what the grader must say of it."""

    name: str
    lab: Lab
    what: str  # a sentence: what the student did
    files: dict[str, str]
    verdicts: dict[str, str]  # of every part, on the emulator
    gpu: dict[str, str]  # of every part, on a GPU
    says: str | None  # a pattern that the message of some wrong part matches
    by_default: bool = False  # graded even if not the whole class is

    @property
    def wrong_verdicts(self) -> set[str]:
        return set(self.verdicts.values()) - {"pass", PENDING}

    def expected(self, backend: Backend) -> dict[str, str]:
        return self.gpu if backend is Backend.GPU else self.verdicts


def read_class(repository: Repository, labs: list[Lab]) -> list[Student]:
    """The whole class, lab by lab. All that is wrong with the tables is said at once."""
    ids = {lab.id for lab in labs}
    strays = [path for path in repository.class_tables.iterdir() if path.stem not in ids and path.name != "README.md"]
    complaints = [f"{path}: there is no lab {path.stem!r}" for path in sorted(strays)]
    students: list[Student] = []
    for lab in labs:
        path = repository.class_tables / f"{lab.id}.toml"
        rows = toml_of(path) if path.exists() else {}
        reader = _Reader(repository, lab, path)
        complaints += [f"{folder}: {path} has no [{folder.name}]" for folder in reader.unlisted(rows)]
        for name, row in rows.items():
            try:
                students.append(reader.student(name, row, students))
            except GraderFault as fault:
                complaints.append(str(fault))
    if complaints:
        raise GraderFault("\n".join(complaints))
    return students


def few_of_class(students: list[Student]) -> list[Student]:
    """For who wants to see grading work: those marked by_default. Where a lab marks nobody, its first who is wrong."""
    chosen: list[Student] = []
    for lab in dict.fromkeys(student.lab for student in students):
        of_lab = [student for student in students if student.lab == lab]
        wrong = [student for student in of_lab if student.wrong_verdicts]
        chosen += [student for student in of_lab if student.by_default] or wrong[:1]
    return chosen


@dataclass(frozen=True)
class _Row:
    """A student in the table of a lab."""

    what: str
    edit: str | None = None
    of: str | None = None
    says: str | None = None
    by_default: Flag = False
    verdicts: Mapping[str, Any] = field(default_factory=dict)
    gpu: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            re.compile(self.says or "")
        except re.error as error:
            raise ValueError(f"says = {self.says!r} is no pattern: {error}") from error


@dataclass(frozen=True)
class _Reader:
    """Reads the students of one lab."""

    repository: Repository
    lab: Lab
    path: Path

    @property
    def whole_texts(self) -> Path:
        """A folder a student whose text is no edit of the solution."""
        return self.repository.class_tables / self.lab.id

    @property
    def solution(self) -> Path:
        return self.repository.solutions / self.lab.id

    def unlisted(self, rows: Mapping[str, Any]) -> list[Path]:
        folders = self.whole_texts.iterdir() if self.whole_texts.is_dir() else ()
        return sorted(folder for folder in folders if folder.name not in rows)

    def student(self, name: str, value: Any, above: list[Student]) -> Student:
        where = f"{self.path}, [{name}]"
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            raise GraderFault(f"{where}: a student's name is words of small letters with dashes between them")
        row = from_toml(value, _Row, where)
        files = self._files(name, row, where, above)
        emulator = self._verdicts(row.verdicts, f"{where}: verdicts")
        gpu = self._verdicts(row.gpu, f"{where}: gpu")
        right = {part.id: "pass" for part in self.lab.parts} | {"hygiene": "pass"}
        measured = {} if self.lab.bandwidth is None else {"bandwidth": "pass"}
        pending = dict.fromkeys(measured, PENDING)
        on_emulator, on_gpu = right | pending | emulator, right | measured | emulator | gpu
        return Student(name, self.lab, row.what, files, on_emulator, on_gpu, row.says, row.by_default)

    def _files(self, name: str, row: _Row, where: str, above: list[Student]) -> dict[str, str]:
        folder = self.whole_texts / name
        if row.edit is None:
            if not folder.is_dir():
                raise GraderFault(f"{where}: edit is missing, and so is the folder {folder}, with a whole text")
            return {path.name: path.read_text() for path in _sources(folder)}
        if folder.exists():
            raise GraderFault(f"{where}: there is an edit, and a whole text in {folder}: which of them holds?")
        whose, files = self._edited_text(row.of, where, above)
        if self.lab.source not in files:
            raise GraderFault(f"{where}, edit of {whose}: there is no {self.lab.source}")
        try:
            text = apply_edits(parse_edits(row.edit), files[self.lab.source])
        except EditError as error:
            raise GraderFault(f"{where}, edit of {whose}: {error}") from error
        return files | {self.lab.source: text}

    def _edited_text(self, of: str | None, where: str, above: list[Student]) -> tuple[str, dict[str, str]]:
        """Whose text the edit changes, for messages, and that text."""
        if of is None:
            files = {path.name: handed_in(path.read_text()) for path in _sources(self.solution)}
            return f"{self.solution / self.lab.source} (without its TODO texts)", files
        for student in above:
            if (student.name, student.lab) == (of, self.lab):
                return f"what {of} hands in", student.files
        raise GraderFault(f"{where}: of = {of!r}, but no [{of}] stands above")

    def _verdicts(self, given: Mapping[str, Any], where: str) -> dict[str, str]:
        known = [part.id for part in self.lab.parts] + ["hygiene"] + (["bandwidth"] if self.lab.bandwidth else [])
        for part, verdict in given.items():
            if part not in known:
                raise GraderFault(f"{where}: there is no part {part!r}, but {', '.join(known)}")
            if verdict not in VERDICTS:
                raise GraderFault(f"{where}: {part} = {verdict!r} is none of {', '.join(VERDICTS)}")
        return dict(given)


def _sources(folder: Path) -> list[Path]:
    return sorted(path for pattern in SOURCES for path in folder.glob(pattern))
