"""The files of a term that a course writes by hand, roster.csv, groups.csv and term.toml: read with every mistake."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tmagrade.basics.errors import UsageError
from tmagrade.basics.untrusted import visible_line
from tmagrade.basics.utf8 import utf8_of


def text_of(path: Path) -> str:
    """The text of one that `tmagrade term init` has begun. UsageError where it is not there or cannot be read."""
    try:
        return utf8_of(path.read_bytes(), path)
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist: tmagrade term init writes one") from None
    except OSError as error:
        raise UsageError(f"{path}: {error}") from error


def rows_of(path: Path, columns: Sequence[str], needed: Sequence[str]) -> dict[int, dict[str, str]]:
    """The rows of a table by their lines: all columns, stripped, with accents composed. UsageError with every mistake
    in the first line and in how many cells there are."""
    lines = list(_lines(text_of(path), path))
    header = [cell.strip() for cell in lines[0].cells] if lines else []
    refuse(path, _of_header(header, columns, needed))
    refuse(path, _of_length(header, lines[1:]))
    empty = dict.fromkeys(columns, "")
    composed = {one.number: [unicodedata.normalize("NFC", cell.strip()) for cell in one.cells] for one in lines[1:]}
    return {number: empty | dict(zip(header, cells)) for number, cells in composed.items()}


def refuse(path: Path, mistakes: Iterable[str]) -> None:
    """UsageError where there are any."""
    if lines := [f"  {mistake}" for mistake in mistakes]:
        raise UsageError("\n".join([f"{path} cannot be used:", *lines]))


@dataclass(frozen=True)
class _Line:
    number: int  # in the file; the first where a cell goes on in the next
    cells: list[str]


def _lines(text: str, path: Path) -> Iterator[_Line]:
    """Without empty ones and those that begin with #."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 1
    try:
        for cells in reader:
            if cells and not cells[0].startswith("#"):
                yield _Line(number, cells)
            number = reader.line_num + 1
    except csv.Error as error:
        raise UsageError(f"{path}: line {number}: {error}") from error


def _of_header(header: Sequence[str], columns: Sequence[str], needed: Sequence[str]) -> Iterator[str]:
    if not {*needed} <= {*header}:
        yield f"the first line names the columns, among them {' and '.join(needed)}: {', '.join(columns)}"
    for name in sorted({name for name in header if name not in columns}):
        yield f"the first line: there is no column {visible_line(name)!r}; there are {', '.join(columns)}"


def _of_length(header: Sequence[str], lines: Iterable[_Line]) -> Iterator[str]:
    for line in lines:
        if any(cell.strip() for cell in line.cells[len(header) :]):
            cells = f"{len(line.cells)} cells, the first line {len(header)}"
            yield f'line {line.number}: has {cells}: a cell with a comma in it stands in quotes ("Lovelace, Ada")'
