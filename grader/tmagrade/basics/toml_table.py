"""A table of a TOML file whose every key is read once: what is left over is a spelling mistake."""

import os
import stat
import tomllib
from pathlib import Path
from typing import Any

from tmagrade.basics.errors import GraderFault

# Of points and fractions; none comes near.
LARGEST_NUMBER = 10**6

# Of a file: none comes near.
MOST_BYTES = 1 << 20


class Table:
    """Every complaint names the place, `where`: the file, and the table in it."""

    def __init__(self, where: str, values: dict[str, Any]):
        self.where = where
        self.values = dict(values)

    def take(self, key: str, kind: type | tuple[type, ...]) -> Any:
        if key not in self.values:
            raise GraderFault(f"{self.where}: {key} is missing")
        value = self.values.pop(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise GraderFault(f"{self.where}: {key} = {str(value)[:100]!r} has the wrong type")
        return value

    def flag(self, key: str) -> bool:
        """False where nothing is said."""
        value = self.values.pop(key, False)
        if not isinstance(value, bool):
            raise GraderFault(f"{self.where}: {key} = {str(value)[:100]!r} is neither true nor false")
        return value

    def text(self, key: str) -> str:
        return str(self.take(key, str))

    def text_if_any(self, key: str) -> str | None:
        return self.text(key) if key in self.values else None

    def texts(self, key: str) -> list[str]:
        """A text, or a list of several."""
        value = self.take(key, (str, list))
        texts = [value] if isinstance(value, str) else value
        if not texts or not all(isinstance(text, str) for text in texts):
            raise GraderFault(f"{self.where}: {key} must be a text or a list of texts")
        return texts

    def number(self, key: str) -> float:
        value = self.take(key, (int, float))
        if value < 0:
            raise GraderFault(f"{self.where}: {key} is negative")
        if not value <= LARGEST_NUMBER:  # nor nan
            said = f"{value:g}" if isinstance(value, float) or abs(value) < 10**9 else "a number of many digits"
            raise GraderFault(f"{self.where}: {key} = {said}, where a number of at most {LARGEST_NUMBER} was expected")
        return float(value)

    def number_or_zero(self, key: str) -> float:
        return self.number(key) if key in self.values else 0.0

    def table(self, key: str) -> "Table":
        return Table(f"{self.where}, [{key}]", self.take(key, dict))

    def tables(self, key: str) -> list["Table"]:
        rows = self.take(key, list)
        if not rows or not all(isinstance(row, dict) for row in rows):
            raise GraderFault(f"{self.where}: {key} must be a list of tables")
        return [Table(f"{self.where}, {key} {index + 1}", row) for index, row in enumerate(rows)]

    def end(self) -> None:
        if self.values:
            raise GraderFault(f"{self.where}: unknown key {', '.join(self.values)}")


def read_table(path: Path) -> Table:
    """The whole file. A mistake in it is a fault of the grader, and says where it is."""
    try:
        return Table(str(path), tomllib.loads(_text(path)))
    except (OSError, ValueError, RecursionError) as error:  # also no TOML, no UTF-8, or nested without end
        raise GraderFault(f"{path}: {error}") from error


def _text(path: Path) -> str:
    """What stands in a regular file: a FIFO may never end, nor does /dev/zero."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("this is no regular file")
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES >> 20} MiB")
    return content.decode("utf-8")
