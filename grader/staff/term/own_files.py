"""The files of a term that a course writes by hand: roster.csv and term.toml."""

from pathlib import Path

from tmagrade.basics.errors import UsageError
from tmagrade.basics.utf8 import utf8_of


def text_of(path: Path) -> str:
    """The text of one that `tmagrade term init` has begun. UsageError where it is not there or cannot be read."""
    try:
        return utf8_of(path.read_bytes(), path)
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist: tmagrade term init writes one") from None
    except OSError as error:
        raise UsageError(f"{path}: {error}") from error
