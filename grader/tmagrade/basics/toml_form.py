"""TOML as a type says, and every mistake in it with its place."""

import os
import stat
import tomllib
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, ValidationError

from tmagrade.basics.errors import GraderFault
from tmagrade.basics.json_form import adapter, shown, steps

T = TypeVar("T")

# Of a file: none comes near.
MOST_BYTES = 1 << 20


def _several(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


# A text, or a list of several.
Texts = Annotated[tuple[str, ...], BeforeValidator(_several)]


def _demand_some(value: tuple[Any, ...]) -> tuple[Any, ...]:
    if not value:
        raise ValueError("must not be empty")
    return value


SOME = AfterValidator(_demand_some)

# What pydantic says of Python's types, in TOML's words.
WORDS = {"tuple_type": "Input should be a list", "dataclass_type": "Input should be a table"}


def from_toml(value: Any, kind: type[T], where: str) -> T:
    """The value as a `kind`, which has every key of it: what is left over is a spelling mistake. GraderFault with all
    mistakes, each behind `where`."""
    try:
        read: T = adapter(kind).validate_python(value, extra="forbid")
    except ValidationError as error:
        mistakes = (f"{where}: {_in_words(mistake, value)}" for mistake in error.errors(include_url=False))
        raise GraderFault("\n".join(mistakes)) from error
    return read


def _in_words(mistake: Any, value: Any) -> str:
    place, last = _place(steps(mistake["loc"], value)), mistake["loc"][-1:]
    before = f"{place}: " if place else ""
    if mistake["type"] == "missing":
        return f"{before}{last[0]} is missing"
    if mistake["type"] == "unexpected_keyword_argument":
        return f"{place}: there is no such setting"
    if mistake["type"] == "value_error":
        return f"{before}{mistake['ctx']['error']}"
    return f"{before}{WORDS.get(mistake['type'], mistake['msg'])}, not {shown(mistake['input'])}"


def _place(steps_to: tuple[str | int, ...]) -> str:
    """As "parts[1].points": the first is 1."""
    return "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in steps_to).lstrip(".")


def toml_of(path: Path) -> dict[str, Any]:
    """The whole file. One that cannot be read is a fault of the grader, and says where it is."""
    try:
        return tomllib.loads(_text(path))
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
